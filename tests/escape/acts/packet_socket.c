#include "net.h"
int main(void) { return judge_socket("socket", AF_PACKET, SOCK_RAW, 0); }
