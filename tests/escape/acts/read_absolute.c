#include "act.h"
int main(void) { return judge_read(given("CG_FILE")); }
