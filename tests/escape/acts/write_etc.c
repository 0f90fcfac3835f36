#include "act.h"
int main(void) { return judge_folder_writable("/etc"); }
