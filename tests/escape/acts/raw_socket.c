#include "net.h"
int main(void) { return judge_socket("socket", AF_INET, SOCK_RAW, IPPROTO_ICMP); }
