#include "text/gate_display.h"

namespace cg::program {

namespace {

/// "812 ms", "3.6 s".
std::string spoken(std::chrono::milliseconds took) {
  const auto ms = took.count();
  if (ms < 1000) return std::to_string(ms) + " ms";
  return std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s";
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.append(width - out.size(), ' ');
  return out;
}

}  // namespace

void GateDisplay::busy(const std::string& text) {
  if (busy_ == nullptr) busy_ = std::make_unique<ProgressLine>(invocation_, session_);
  busy_->say(text);
}

void GateDisplay::head(const std::string& text) { line_.keep(text); }

void GateDisplay::step(const gate::Progress& progress) {
  using State = gate::Progress::State;
  if (progress.state == State::running) {
    running_ = progress.step;
    bytes_ = 0;
    if (line_.is_live()) line_.say("  " + running_);
    return;
  }
  running_.clear();
  cli::Glyph glyph = cli::Glyph::ok;
  if (progress.state == State::failed) glyph = cli::Glyph::fail;
  if (progress.state == State::skipped) glyph = cli::Glyph::none;
  std::string text = "  " + std::string(session_.err_style.glyph(glyph)) + " " +
                     padded(progress.step, 22) + padded(progress.words, 40);
  if (progress.state != State::skipped) text += "  " + spoken(progress.took);
  line_.keep(text);
}

void GateDisplay::output(std::string_view bytes) {
  bytes_ += bytes.size();
  if (!running_.empty() && line_.is_live())
    line_.say("  " + running_ + ", " + std::to_string(bytes_) + " bytes");
}

}  // namespace cg::program
