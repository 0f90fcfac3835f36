#include "jail/spawn/outward.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "base/os/fd.h"
#include "base/os/open.h"

namespace cg::spawn {

namespace {

constexpr std::size_t kMostAnswer = 1U << 20U;
constexpr std::uint16_t kDiscard = 9;

/// By its number: the spawner is the program of codegenie, which links no such call, so that
/// nothing in it can come to use one (tests/fence/link_fence_test.cc).
os::Fd open_socket(int family, int type, int protocol) {
  return os::Fd(static_cast<int>(syscall(SYS_socket, family, type | SOCK_CLOEXEC, protocol)));
}

std::uint32_t route_by(int family, const sockaddr* to, socklen_t size) {
  const os::Fd asked = open_socket(family, SOCK_DGRAM, 0);
  if (!asked.is_open()) return static_cast<std::uint32_t>(errno);
  return syscall(SYS_connect, asked.get(), to, size) == 0 ? 0 : static_cast<std::uint32_t>(errno);
}

/// RFC 5737 and RFC 3849: nobody is there.
std::uint32_t find_route() {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(kDiscard);
  inet_pton(AF_INET, "203.0.113.1", &four.sin_addr);
  const std::uint32_t first =
      route_by(AF_INET, reinterpret_cast<const sockaddr*>(&four), sizeof four);
  if (first == 0) return 0;
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(kDiscard);
  inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
  const std::uint32_t second =
      route_by(AF_INET6, reinterpret_cast<const sockaddr*>(&six), sizeof six);
  return second == 0 ? 0 : first;
}

template <class T>
std::optional<T> taken(std::string_view bytes) {
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

/// Attributes are a length with the head in it, a type and bytes, filled up to four.
std::string_view attribute(std::string_view bytes, std::uint16_t wanted) {
  while (const auto head = taken<nlattr>(bytes)) {
    if (head->nla_len < sizeof(nlattr) || head->nla_len > bytes.size()) return {};
    const auto type =
        static_cast<std::uint16_t>(head->nla_type & static_cast<unsigned>(NLA_TYPE_MASK));
    if (type == wanted) return bytes.substr(sizeof(nlattr), head->nla_len - sizeof(nlattr));
    bytes.remove_prefix(std::min<std::size_t>(bytes.size(), NLA_ALIGN(head->nla_len)));
  }
  return {};
}

bool sees_output(std::string_view chain) {
  const auto head = taken<nfgenmsg>(chain);
  if (!head) return false;
  const int family = head->nfgen_family;
  if (family != NFPROTO_INET && family != NFPROTO_IPV4 && family != NFPROTO_IPV6) return false;
  chain.remove_prefix(std::min<std::size_t>(chain.size(), NLMSG_ALIGN(sizeof(nfgenmsg))));
  const auto number =
      taken<std::uint32_t>(attribute(attribute(chain, NFTA_CHAIN_HOOK), NFTA_HOOK_HOOKNUM));
  return number && ntohl(*number) == NF_INET_LOCAL_OUT;
}

/// A kernel without nftables has no chains; one that asks for rights does not tell.
std::uint32_t of_error(std::string_view body) {
  const auto code = taken<std::int32_t>(body);
  const bool none = code && (*code == -EINVAL || *code == -EOPNOTSUPP || *code == -ENOENT);
  return none ? 0 : kNotTold;
}

struct Question {
  nlmsghdr head;
  nfgenmsg about;
};

/// All that the kernel answers, up to the end it says itself; nothing if it would not.
std::optional<std::string> ask_for_chains() {
  const os::Fd talk = open_socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
  if (!talk.is_open()) return std::nullopt;
  const timeval patience{2, 0};
  setsockopt(talk.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Question question{};
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = (NFNL_SUBSYS_NFTABLES << 8U) | NFT_MSG_GETCHAIN;
  question.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  question.about.version = NFNETLINK_V0;
  if (write(talk.get(), &question, sizeof question) != sizeof question) return std::nullopt;
  std::string out;
  std::array<char, 32U << 10U> buffer{};
  while (out.size() <= kMostAnswer) {
    const ssize_t n = read(talk.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return std::nullopt;
    const std::string_view piece(buffer.data(), static_cast<std::size_t>(n));
    const auto head = taken<nlmsghdr>(piece);
    out += piece;
    if (!head || head->nlmsg_type == NLMSG_ERROR || head->nlmsg_type == NLMSG_DONE) return out;
    // The end may come with the last of the chains.
    if (count_output_chains(out) != kNotTold) return out;
  }
  return std::nullopt;
}

std::uint32_t count_chains() {
  const auto answer = ask_for_chains();
  if (!answer && errno == EPROTONOSUPPORT) return 0;  // nor netlink for any of it
  return answer ? count_output_chains(*answer) : kNotTold;
}

/// One name a line; no such file where there is no iptables.
std::uint32_t count_tables() {
  std::uint32_t out = 0;
  for (const char* path : {"/proc/net/ip_tables_names", "/proc/net/ip6_tables_names"}) {
    const os::Fd file(os::open_path(path, O_RDONLY | O_CLOEXEC));
    if (!file.is_open() && errno == ENOENT) continue;
    std::array<char, 4096> text{};
    const ssize_t n = file.is_open() ? read(file.get(), text.data(), text.size()) : -1;
    if (n < 0) return kNotTold;
    out += static_cast<std::uint32_t>(std::count(text.data(), text.data() + n, '\n'));
  }
  return out;
}

}  // namespace

std::uint32_t count_output_chains(std::string_view messages) {
  std::uint32_t out = 0;
  while (const auto head = taken<nlmsghdr>(messages)) {
    if (head->nlmsg_len < sizeof(nlmsghdr) || head->nlmsg_len > messages.size()) return kNotTold;
    if (head->nlmsg_type == NLMSG_DONE) return out;
    if (head->nlmsg_type == NLMSG_ERROR) return of_error(messages.substr(sizeof(nlmsghdr)));
    const bool chain = head->nlmsg_type == ((NFNL_SUBSYS_NFTABLES << 8U) | NFT_MSG_NEWCHAIN);
    const std::string_view body =
        messages.substr(sizeof(nlmsghdr), head->nlmsg_len - sizeof(nlmsghdr));
    if (chain && sees_output(body)) ++out;
    messages.remove_prefix(std::min<std::size_t>(messages.size(), NLMSG_ALIGN(head->nlmsg_len)));
  }
  return kNotTold;
}

Outward probe_outward() { return {find_route(), count_chains(), count_tables()}; }

}  // namespace cg::spawn
