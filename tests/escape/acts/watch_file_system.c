#include <sys/fanotify.h>

#include "act.h"
int main(void) { return judge("fanotify_init", fanotify_init(FAN_CLASS_NOTIF, O_RDONLY)); }
