// Another protocol number for the same thing: Landlock's rule does not see it.
#include "net.h"
int main(void) { return judge_stream("connect", 262); }
