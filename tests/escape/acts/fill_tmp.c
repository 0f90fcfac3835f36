// See fill.h.
#include "fill.h"

int main(void) { return fill_folder("/tmp"); }
