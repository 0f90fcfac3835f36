#include <sys/mount.h>

#include "act.h"
int main(void) { return judge("mount", mount("/", "/tmp", NULL, MS_BIND | MS_REC, NULL)); }
