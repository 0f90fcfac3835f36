#include <sys/shm.h>

#include "act.h"
int main(void) { return judge("shmget", shmget(given_number("CG_SHM_KEY"), 0, 0)); }
