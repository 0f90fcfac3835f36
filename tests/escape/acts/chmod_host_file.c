// Landlock does not stand in the way of chmod; that the file is not there does.
#include "act.h"
int main(void) { return judge("chmod", chmod(given("CG_FILE"), 0666)); }
