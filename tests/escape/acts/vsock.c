#include "net.h"
int main(void) { return judge_socket("socket", AF_VSOCK, SOCK_STREAM, 0); }
