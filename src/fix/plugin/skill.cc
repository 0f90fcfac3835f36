#include "fix/plugin/skill.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::plugin {

namespace {

constexpr std::string_view kEnding = ".md";

bool is_control(char c) { return (static_cast<Byte>(c) < 0x20 && c != '\n') || c == 0x7F; }

}  // namespace

bool is_skill_file(std::string_view name) {
  if (!name.ends_with(kEnding) || name.size() == kEnding.size() || name.size() >= 80) return false;
  name.remove_suffix(kEnding.size());
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

Result<Skill, std::string> SkillReader::read(const File& file) {
  const std::string_view text = file.bytes;
  if (text.size() > kMaxSkillBytes) return fail(std::string("the skill is too large"));
  if (trim(text).empty()) return fail(std::string("the skill is empty"));
  if (!is_utf8(text) || std::any_of(text.begin(), text.end(), is_control)) {
    return fail(std::string("the skill is not plain UTF-8"));
  }
  const std::string small = lower_ascii(text);
  if (small.find("<untrusted_input") != small.npos ||
      small.find("</untrusted_input") != small.npos) {
    return fail(std::string("the skill holds a delimiter of the fence"));
  }
  const std::size_t slash = file.path.rfind('/');
  std::string name = file.path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (!is_skill_file(name)) return fail(std::string("the skill has no name"));
  name.resize(name.size() - kEnding.size());
  return Skill(std::move(name), file.bytes);
}

}  // namespace cg::plugin
