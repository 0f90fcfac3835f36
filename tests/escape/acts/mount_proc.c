// A fresh proc would lack whatever was masked in the old one.
#include <sys/mount.h>

#include "act.h"
int main(void) { return judge("mount", mount("proc", "/tmp", "proc", 0, NULL)); }
