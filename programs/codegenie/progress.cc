#include "progress.h"

#include "base/base/text.h"
#include "base/base/time.h"
#include "base/os/ports.h"
#include "output.h"

namespace cg::program {

namespace {
constexpr auto kSilent = std::chrono::milliseconds(300);
constexpr auto kLiveEvery = std::chrono::milliseconds(100);
constexpr auto kPlainEvery = std::chrono::seconds(1);
}  // namespace

ProgressLine::ProgressLine(const cli::Invocation& invocation, const Session& session)
    : next_(std::chrono::steady_clock::now() + kSilent) {
  const auto settings = session.settings();
  const std::string wish = settings ? settings->get(cli::Key::progress) : "auto";
  if (invocation.has("quiet") || wish == "none") return;
  const bool live = wish == "auto" && session.err == cli::Terminal::yes &&
                    cli::variable(session.environment, "CI").empty();
  kind_ = live ? Kind::live : Kind::plain;
}

ProgressLine::~ProgressLine() {
  if (shown_ && kind_ == Kind::live) write_stderr("\r\x1b[K");
}

void ProgressLine::keep(const std::string& text) {
  if (kind_ == Kind::none) return;
  if (kind_ == Kind::live) {
    write_stderr("\r\x1b[K" + printable(text) + "\n");
  } else {
    write_stderr(to_iso(os::SystemClock().now()).substr(11, 8) + " " + printable(text) + "\n");
  }
}

void ProgressLine::say(const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  if (kind_ == Kind::none || now < next_) return;
  shown_ = true;
  if (kind_ == Kind::live) {
    next_ = now + kLiveEvery;
    write_stderr("\r\x1b[K" + printable(text));
  } else {
    next_ = now + kPlainEvery;
    write_stderr(to_iso(os::SystemClock().now()).substr(11, 8) + " " + printable(text) + "\n");
  }
}

}  // namespace cg::program
