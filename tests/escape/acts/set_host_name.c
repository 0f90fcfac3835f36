#include "act.h"
int main(void) { return judge("sethostname", sethostname("escaped", 7)); }
