#include "act.h"
int main(void) { return judge("acct", acct(NULL)); }
