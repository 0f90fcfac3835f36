#include "flow/repository/dockerfile.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "base/json/parsing.h"
#include "flow/repository/dockerfile_lines.h"

namespace cg::repository {

namespace {

constexpr std::size_t kMaxNesting = 8;    // ${a:-${b:-…}}
constexpr std::size_t kMaxImage = 4'096;  // bytes of an image after substitution
constexpr std::size_t kMaxCopies = 10'000;

using Arguments = std::map<std::string, std::string, std::less<>>;

std::string lower_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Puts the values of variables into a text, as docker does for FROM and ARG.
class Substitution {
 public:
  Substitution(const Arguments& arguments, char escape) : arguments_(arguments), escape_(escape) {}

  /// `complete` turns false where a variable has no value.
  std::string run(std::string_view text, bool& complete, std::size_t nesting = 0) {
    std::string out;
    char quote = 0;
    for (std::size_t at = 0; at < text.size() && out.size() <= kMaxImage;) {
      const char c = text[at];
      if (c == escape_ && quote != '\'' && at + 1 < text.size()) {
        out += text[at + 1];
        at += 2;
      } else if ((c == '"' || c == '\'') && (quote == 0 || quote == c)) {
        quote = quote == 0 ? c : '\0';
        ++at;
      } else if (c == '$' && quote != '\'') {
        out += variable(text, at, complete, nesting);
      } else {
        out += c;
        ++at;
      }
    }
    return out;
  }

 private:
  std::string variable(std::string_view text, std::size_t& at, bool& complete,
                       std::size_t nesting) {
    ++at;
    const bool braced = at < text.size() && text[at] == '{';
    if (braced) ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    const std::string_view name = text.substr(begin, at - begin);
    if (name.empty()) {
      complete = false;  // "$" alone, "${!x}": nothing that we would understand
      return "$";
    }
    if (!braced) return value_of(name, complete);
    const std::size_t end = closing(text, at);
    if (end == std::string_view::npos) {
      complete = false;
      at = text.size();
      return {};
    }
    const std::string_view modifier = text.substr(at, end - at);
    at = end + 1;
    return modified(name, modifier, complete, nesting);
  }

  /// Where the brace closes that was opened before `at`.
  static std::size_t closing(std::string_view text, std::size_t at) {
    std::size_t depth = 1;
    for (; at < text.size(); ++at) {
      if (text[at] == '{') ++depth;
      if (text[at] == '}' && --depth == 0) return at;
    }
    return std::string_view::npos;
  }

  std::string value_of(std::string_view name, bool& complete) const {
    const auto found = arguments_.find(name);
    if (found != arguments_.end()) return found->second;
    complete = false;
    return {};
  }

  std::string modified(std::string_view name, std::string_view modifier, bool& complete,
                       std::size_t nesting) {
    if (modifier.empty()) return value_of(name, complete);
    const bool colon = modifier.starts_with(':');
    if (colon) modifier.remove_prefix(1);
    const char kind = modifier.empty() ? '\0' : modifier.front();
    if ((kind != '-' && kind != '+') || nesting == kMaxNesting) {
      complete = false;
      return {};
    }
    const std::string_view word = modifier.substr(1);
    const auto found = arguments_.find(name);
    const bool set = found != arguments_.end() && !(colon && found->second.empty());
    if (kind == '-') return set ? found->second : run(word, complete, nesting + 1);
    return set ? run(word, complete, nesting + 1) : std::string();
  }

  const Arguments& arguments_;
  char escape_;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(text) {}

  Result<Dockerfile, DockerfileError> run() {
    while (const auto instruction = lines_.next()) {
      if (instruction->keyword == "FROM") CG_TRY(read_from(*instruction));
      if (instruction->keyword == "ARG" && file_.stages.empty()) read_arguments(*instruction);
      if (instruction->keyword == "COPY") read_copy(*instruction);
    }
    if (const auto& open = lines_.unclosed()) {
      return fail(DockerfileError{
          open->second, "the here-document `" + json::excerpt(open->first) + "` has no end"});
    }
    return std::move(file_);
  }

 private:
  /// ARGs above the first FROM are the only ones that FROM sees.
  void read_arguments(const Instruction& instruction) {
    for (const std::string_view word : words_of(instruction.rest)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      bool complete = true;
      std::string value =
          Substitution(arguments_, lines_.escape()).run(word.substr(equals + 1), complete);
      if (!complete || value.size() > kMaxImage) continue;
      arguments_.insert_or_assign(std::string(word.substr(0, equals)), std::move(value));
    }
  }

  Result<Done, DockerfileError> read_from(const Instruction& instruction) {
    if (file_.stages.size() == kMaxStages) {
      return fail(DockerfileError{instruction.line, "more than a thousand stages"});
    }
    Stage stage;
    stage.line = instruction.line;
    std::vector<std::string_view> words = words_of(instruction.rest);
    std::erase_if(words, [&](std::string_view word) { return take_option(word, stage); });
    const bool named = words.size() == 3 && lower_case(words[1]) == "as";
    if (words.size() != 1 && !named) {
      return fail(DockerfileError{instruction.line, "FROM is not `FROM image [AS name]`"});
    }
    stage.written = words[0];
    if (named) stage.name = lower_case(words[2]);
    stage.image = Substitution(arguments_, lines_.escape()).run(words[0], stage.resolved);
    if (stage.image.size() > kMaxImage) {
      return fail(DockerfileError{instruction.line, "the name of the image is too long"});
    }
    if (stage.image.empty()) stage.resolved = false;
    stage.base = stage_named(stage.image);
    stage.scratch = !stage.base && stage.image == "scratch";
    if (!stage.name.empty()) stages_.insert_or_assign(stage.name, file_.stages.size());
    file_.stages.push_back(std::move(stage));
    return Done{};
  }

  bool take_option(std::string_view word, Stage& stage) {
    constexpr std::string_view kPlatform = "--platform=";
    if (!word.starts_with("--")) return false;
    if (word.starts_with(kPlatform)) {
      bool complete = true;
      const std::string_view value = word.substr(kPlatform.size());
      std::string known = Substitution(arguments_, lines_.escape()).run(value, complete);
      // $BUILDPLATFORM and its like are the builder's; as written they say more.
      stage.platform = complete ? std::move(known) : std::string(value);
    }
    return true;
  }

  [[nodiscard]] std::optional<std::size_t> stage_named(std::string_view image) const {
    const auto found = stages_.find(lower_case(image));
    if (found == stages_.end()) return std::nullopt;
    return found->second;
  }

  void read_copy(const Instruction& instruction) {
    constexpr std::string_view kFrom = "--from=";
    if (file_.copies.size() == kMaxCopies) return;
    for (const std::string_view word : words_of(instruction.rest)) {
      if (!word.starts_with("--")) return;
      if (!word.starts_with(kFrom)) continue;
      const std::string_view from = word.substr(kFrom.size());
      // Only plain names: docker expands no global ARG here.
      const bool number = from.find_first_not_of("0123456789") == std::string_view::npos;
      const bool plain = from.find_first_of("$\"'") == std::string_view::npos;
      if (number || !plain || stage_named(from)) continue;
      file_.copies.push_back({std::string(from), instruction.line});
    }
  }

  DockerfileLines lines_;
  Dockerfile file_;
  Arguments arguments_;
  std::map<std::string, std::size_t, std::less<>> stages_;
};

}  // namespace

ImageName split_image(std::string_view image) {
  ImageName out;
  if (const std::size_t at = image.find('@'); at != std::string_view::npos) {
    out.digest = image.substr(at + 1);
    image = image.substr(0, at);
  }
  const std::size_t colon = image.rfind(':');
  // "host:5000/name" has a port, not a tag.
  const std::size_t slash = image.rfind('/');
  if (colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash)) {
    out.tag = image.substr(colon + 1);
    image = image.substr(0, colon);
  }
  out.repository = image;
  return out;
}

const Stage& Dockerfile::origin(const Stage& stage) const {
  const Stage* at = &stage;
  // A base always comes before the stage that names it, so this ends.
  while (at->base) at = &stages[*at->base];
  return *at;
}

Result<Dockerfile, DockerfileError> parse_dockerfile(std::string_view text) {
  if (text.size() > kMaxDockerfileBytes) return fail(DockerfileError{0, "larger than 1 MiB"});
  if (!is_utf8(text)) return fail(DockerfileError{0, "not UTF-8"});
  return Parser(text).run();
}

}  // namespace cg::repository
