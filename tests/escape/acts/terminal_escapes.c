#include "act.h"
int main(void) {
  printf("\033]0;title\a\033[2J\033[31mred \xe2\x80\xae txt.exe \x9b 31m\r\n");
  return did("wrote terminal escapes");
}
