#include <sys/mount.h>

#include "act.h"
int main(void) { return judge("remount", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL)); }
