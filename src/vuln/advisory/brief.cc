#include "vuln/advisory/brief.h"

#include <cstdint>

namespace cg::advisory {

namespace {

constexpr char kVersion = 1;
constexpr std::size_t kMaxBriefItems = 10'000;
constexpr unsigned kMaxShift = 28;

void put_size(std::string& out, std::size_t size) {
  while (size >= 0x80) {
    out += static_cast<char>((size & 0x7FU) | 0x80U);
    size >>= 7U;
  }
  out += static_cast<char>(size);
}

void put(std::string& out, std::string_view text) {
  put_size(out, text.size());
  out += text;
}

void put(std::string& out, const std::vector<std::string>& texts) {
  put_size(out, texts.size());
  for (const std::string& text : texts) put(out, text);
}

/// Takes fields off the front; once one is missing, all that follow are.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  std::size_t size() {
    std::size_t value = 0;
    for (unsigned shift = 0; shift <= kMaxShift && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::size_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  std::string text() {
    const std::size_t bytes = size();
    if (bytes > rest_.size()) good_ = false;
    if (!good_) return {};
    std::string out(rest_.substr(0, bytes));
    rest_.remove_prefix(bytes);
    return out;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> out;
    const std::size_t count = size();
    if (count > kMaxBriefItems) good_ = false;
    for (std::size_t i = 0; good_ && i < count; ++i) out.push_back(text());
    return out;
  }
  [[nodiscard]] bool done() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string encode_brief(const Brief& brief) {
  std::string out(1, kVersion);
  put(out, brief.id);
  put(out, brief.aliases);
  put(out, brief.summary);
  put_size(out, static_cast<std::size_t>(brief.severity.level));
  put_size(out, static_cast<std::size_t>(brief.severity.source));
  put_size(out, brief.severity.tenths ? static_cast<std::size_t>(*brief.severity.tenths) + 1 : 0);
  put(out, brief.severity.vector);
  put_size(out, (brief.malware ? 1U : 0U) | (brief.exploited ? 2U : 0U));
  put(out, brief.modified);
  put(out, brief.cwes);
  put(out, brief.references);
  return out;
}

std::optional<Brief> decode_brief(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != kVersion) return std::nullopt;
  Fields fields(bytes.substr(1));
  Brief brief;
  brief.id = fields.text();
  brief.aliases = fields.texts();
  brief.summary = fields.text();
  const std::size_t level = fields.size();
  const std::size_t source = fields.size();
  const std::size_t tenths = fields.size();
  brief.severity.vector = fields.text();
  const std::size_t flags = fields.size();
  brief.modified = fields.text();
  brief.cwes = fields.texts();
  brief.references = fields.texts();
  constexpr std::size_t kTop = 101;
  if (!fields.done() || level > static_cast<std::size_t>(Level::unknown) ||
      source > static_cast<std::size_t>(SeveritySource::malicious) || tenths > kTop || flags > 3) {
    return std::nullopt;
  }
  brief.severity.level = static_cast<Level>(level);
  brief.severity.source = static_cast<SeveritySource>(source);
  if (tenths != 0) brief.severity.tenths = static_cast<int>(tenths - 1);
  brief.malware = (flags & 1U) != 0;
  brief.exploited = (flags & 2U) != 0;
  return brief;
}

}  // namespace cg::advisory
