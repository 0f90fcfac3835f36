#include "fix/recipe/fields.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/yaml/yaml.h"

namespace cg::recipe {

namespace {

using json::Value;

constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kMaxYamlDepth = 8;
constexpr std::size_t kMaxWord = 64;
constexpr npm::LockKind kLockKinds[] = {npm::LockKind::package_lock, npm::LockKind::npm_shrinkwrap,
                                        npm::LockKind::yarn_classic, npm::LockKind::yarn_berry,
                                        npm::LockKind::pnpm};

std::string quoted(std::string_view text) { return "`" + printable(cut_utf8(text, 64)) + "`"; }

}  // namespace

bool is_word(std::string_view text) {
  if (text.empty() || text.size() > kMaxWord || text.front() < 'a' || text.front() > 'z') {
    return false;
  }
  char before = 'a';
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain && (c != '-' || before == '-')) return false;
    before = c;
  }
  return before != '-';
}

Fields::Fields(const Value& value, std::string prefix)
    : value_(&value), prefix_(std::move(prefix)) {
  if (!value.is_object()) {
    const std::string what =
        prefix_.empty() ? "the file" : "`" + prefix_.substr(0, prefix_.size() - 1) + "`";
    refuse(what + " must hold keys and values", value.position().line);
  }
}

bool Fields::has(std::string_view key) const { return value_->find(key) != nullptr; }

const Value* Fields::take(std::string_view key) {
  taken_.push_back(key);
  return error_ ? nullptr : value_->find(key);
}

std::string Fields::shown(std::string_view key) const {
  return "`" + prefix_ + std::string(key) + "`";
}

void Fields::refuse(const std::string& what, std::size_t line) {
  if (!error_) error_ = RecipeError{what, line};
}

std::string Fields::text(std::string_view key, std::size_t max) {
  const Value* found = take(key);
  const std::string* text = found == nullptr ? nullptr : found->as_string();
  if (text != nullptr && !text->empty() && text->size() <= max && printable(*text) == *text) {
    return *text;
  }
  refuse(shown(key) + " must be one line of text of at most " + std::to_string(max) + " bytes",
         found == nullptr ? 0 : found->position().line);
  return "";
}

std::string Fields::one_of(std::string_view key, std::initializer_list<std::string_view> words) {
  const Value* found = take(key);
  const std::string* text = found == nullptr ? nullptr : found->as_string();
  std::string choices;
  for (const std::string_view word : words) {
    if (text != nullptr && *text == word) return *text;
    (choices += choices.empty() ? "" : ", ") += word;
  }
  refuse(shown(key) + " must be one of " + choices, found == nullptr ? 0 : found->position().line);
  return "";
}

int Fields::number(std::string_view key, int least, int most) {
  const Value* found = take(key);
  const auto number = found == nullptr ? std::nullopt : found->as_int();
  if (number && *number >= least && *number <= most) return static_cast<int>(*number);
  refuse(shown(key) + " must be a number from " + std::to_string(least) + " to " +
             std::to_string(most),
         found == nullptr ? 0 : found->position().line);
  return least;
}

std::vector<std::string> Fields::texts(std::string_view key, std::size_t most) {
  const Value* found = take(key);
  const Value::Array* items = found == nullptr ? nullptr : found->as_array();
  const std::size_t line = found == nullptr ? 0 : found->position().line;
  std::vector<std::string> out;
  if (items == nullptr || items->size() > most) {
    refuse(shown(key) + " must be a list of at most " + std::to_string(most) + " words", line);
    return out;
  }
  for (const Value& item : *items) {
    const std::string* text = item.as_string();
    const bool good = text != nullptr && text->size() <= kMaxWord;
    if (!good || std::find(out.begin(), out.end(), *text) != out.end()) {
      refuse(shown(key) + " must hold words, each once", item.position().line);
      return {};
    }
    out.push_back(*text);
  }
  return out;
}

const Value* Fields::nested(std::string_view key) { return take(key); }

void Fields::adopt(Fields&& other) {
  if (auto error = other.finish()) refuse(error->what, error->line);
}

std::optional<RecipeError> Fields::finish() {
  if (error_) return error_;
  for (const auto& [key, value] : *value_->as_object()) {
    if (std::find(taken_.begin(), taken_.end(), key) == taken_.end()) {
      return RecipeError{"unknown key " + quoted(prefix_ + key), value.position().line};
    }
  }
  return std::nullopt;
}

Result<Value, RecipeError> parse_mapping(std::string_view yaml, std::size_t max_bytes) {
  auto parsed = yaml::parse_yaml(yaml, {max_bytes, kMaxYamlDepth, kMaxNodes});
  if (!parsed) {
    return fail(RecipeError{json::describe_what(parsed.error()), parsed.error().at.line});
  }
  return *std::move(parsed);
}

std::vector<npm::LockKind> lock_kinds(Fields& fields, std::string_view key) {
  std::vector<npm::LockKind> kinds;
  for (const std::string& word : fields.texts(key, std::size(kLockKinds))) {
    const auto* found = std::find_if(std::begin(kLockKinds), std::end(kLockKinds),
                                     [&](npm::LockKind kind) { return npm::name(kind) == word; });
    if (found == std::end(kLockKinds)) {
      fields.refuse("no kind of lockfile is called " + quoted(word), 0);
      return {};
    }
    kinds.push_back(*found);
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

}  // namespace cg::recipe
