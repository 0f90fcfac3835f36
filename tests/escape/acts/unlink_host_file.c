#include "act.h"
int main(void) { return judge("unlink", unlink(given("CG_FILE"))); }
