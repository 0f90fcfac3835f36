#include "net.h"
int main(void) { return judge_socket("socket", AF_ALG, SOCK_SEQPACKET, 0); }
