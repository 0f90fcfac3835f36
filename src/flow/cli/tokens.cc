#include "flow/cli/tokens.h"

#include "base/base/text.h"

namespace cg::cli {

namespace {

/// A flag that some command or all commands take, whichever comes first. Enough
/// to know its shape, as table_faults() holds it to be the same everywhere.
template <class Predicate>
const Flag* any_flag(const CommandTable& table, Predicate matches) {
  for (const Flag& flag : global_flags()) {
    if (matches(flag)) return &flag;
  }
  for (const Command& command : table.commands) {
    for (const Flag& flag : command.flags) {
      if (matches(flag)) return &flag;
    }
  }
  return nullptr;
}

using Parsed = Result<Done, Problem>;

class Tokenizer {
 public:
  Tokenizer(const CommandTable& table, const Args& args) : table_(table), args_(args) {}

  Result<Tokens, Problem> run() {
    for (at_ = 0; at_ < args_.size(); ++at_) {
      const std::string& arg = args_[at_];
      if (ended_ || arg.size() < 2 || arg[0] != '-') {
        tokens_.words.push_back(arg);
      } else if (arg == "--") {
        ended_ = true;
      } else if (arg[1] == '-') {
        CG_TRY(take_long(arg));
      } else {
        CG_TRY(take_short(arg));
      }
    }
    return std::move(tokens_);
  }

 private:
  Parsed take_long(std::string_view arg) {
    const std::size_t equals = arg.find('=');
    const std::string_view word =
        arg.substr(2, equals == std::string_view::npos ? equals : equals - 2);
    const Flag* flag = any_flag(table_, [&](const Flag& f) { return f.name == word; });
    const std::string spelled = "--" + std::string(word);
    if (flag == nullptr) {
      tokens_.flags.push_back({nullptr, spelled, {}});
      return Done{};
    }
    if (equals != std::string_view::npos) {
      if (flag->value_name.empty()) {
        return fail(
            Problem{ErrorCode::cli_bad_value, shown(spelled) + " takes no value", {}, {}, {}});
      }
      tokens_.flags.push_back({flag, spelled, std::string(arg.substr(equals + 1))});
      return Done{};
    }
    return take_value(*flag, spelled);
  }

  /// -q, -vv, -o FILE, -oFILE
  Parsed take_short(std::string_view arg) {
    for (std::size_t i = 1; i < arg.size(); ++i) {
      const Flag* flag = any_flag(table_, [&](const Flag& f) { return f.short_name == arg[i]; });
      const std::string spelled = {'-', arg[i]};
      if (flag == nullptr) {
        // The rest may be anything: naming the whole word is the honest message.
        tokens_.flags.push_back({nullptr, i == 1 ? std::string(arg) : spelled, {}});
        return Done{};
      }
      if (!flag->value_name.empty() && i + 1 < arg.size()) {
        tokens_.flags.push_back({flag, spelled, std::string(arg.substr(i + 1))});
        return Done{};
      }
      CG_TRY(take_value(*flag, spelled));
    }
    return Done{};
  }

  Parsed take_value(const Flag& flag, const std::string& spelled) {
    if (flag.value_name.empty()) {
      tokens_.flags.push_back({&flag, spelled, {}});
      return Done{};
    }
    const bool there = at_ + 1 < args_.size();
    const bool is_flag = there && args_[at_ + 1].size() > 1 && args_[at_ + 1][0] == '-';
    if (!there || is_flag) {
      std::string form = spelled + " " + std::string(flag.value_name);
      if (is_flag) form = dashed(flag) + "=" + std::string(flag.value_name);
      return fail(
          Problem{ErrorCode::cli_bad_value, shown(spelled) + " needs a value", {}, {}, {form}});
    }
    tokens_.flags.push_back({&flag, spelled, args_[++at_]});
    return Done{};
  }

  const CommandTable& table_;
  const Args& args_;
  std::size_t at_ = 0;
  bool ended_ = false;
  Tokens tokens_;
};

}  // namespace

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string shown(std::string_view word) {
  constexpr std::size_t kLongest = 200;
  const std::string text = printable(word.substr(0, kLongest));
  return quoted(word.size() > kLongest ? text + "..." : text);
}

std::string dashed(const Flag& flag) { return "--" + std::string(flag.name); }

Result<Tokens, Problem> tokenize(const CommandTable& table, const Args& args) {
  return Tokenizer(table, args).run();
}

std::string flag_form(const Flag& flag) {
  std::string form = flag.short_name == '\0' ? "" : std::string{'-', flag.short_name} + ", ";
  form += dashed(flag);
  if (flag.value_name.empty()) return form;
  form += ' ';
  // `codegenie help formats` lists what would not fit the line.
  constexpr std::size_t kMostChoices = 8;
  if (flag.choices.empty() || flag.choices.size() > kMostChoices) {
    return form + std::string(flag.value_name);
  }
  for (const std::string_view choice : flag.choices) {
    if (form.back() != ' ') form += '|';
    form += choice;
  }
  return form;
}

}  // namespace cg::cli
