// A leaf that does what it must not, by the name it is started under.
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

#include "fetch/net/channel.h"
#include "fetch/net/policies.h"

namespace {

using namespace cg::net;

void say(const Message& message) {
  const std::string frame = write_frame(message);
  static_cast<void>(!write(kParentFd, frame.data(), frame.size()));
}

Told told() { return {"{}", {}}; }

}  // namespace

int main(int, char** argv) {
  const char* slash = std::strrchr(argv[0], '/');
  const std::string_view mode = slash != nullptr ? slash + 1 : argv[0];
  Channel parent(cg::os::Fd(kParentFd), Order(kLeafOrder), Speaker::helper);
  if (mode == "early") say(told());
  if (!parent.receive(kNever)) return 1;
  if (mode == "twice_ready") say(Ready{});
  if (mode == "quits") return 7;
  if (mode == "garbage") static_cast<void>(!write(kParentFd, "\xff\xff\xff\xff\xff", 5));
  if (!parent.send(Ready{}, kNever) || !parent.receive(kNever)) return 1;
  if (mode == "recorded") say(Recorded{"{}", 200, "", "", "{}"});
  if (mode == "piece") say(Piece{"x"});
  if (mode == "cut")
    static_cast<void>(!write(kParentFd,
                             "\0\0\1\0\x0f"
                             "x",
                             6));
  if (mode == "dies") abort();
  if (mode == "other_exchange") say(told());
  if (mode == "large") {
    const std::string header("\x7f\xff\xff\xff\x0f", 5);
    static_cast<void>(!write(kParentFd, header.data(), header.size()));
  }
  if (mode == "cut" || mode == "dies") return 0;
  for (;;) pause();  // ended by the parent, whatever it said
}
