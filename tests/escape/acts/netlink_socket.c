#include "net.h"
int main(void) { return judge_socket("socket", AF_NETLINK, SOCK_RAW, 0); }
