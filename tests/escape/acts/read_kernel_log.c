#include <sys/klog.h>

#include "act.h"
int main(void) {
  static char text[4096];
  return judge("syslog", klogctl(3, text, sizeof text));
}
