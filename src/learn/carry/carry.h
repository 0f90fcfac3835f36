// Carry: a rewrite that solved a break, carried over to another file that uses the package alike.
//
// learn() takes apart what became of one file: a rule for each use of the package, those that
// stayed as they were included, since only they say that such a use may stay. A rule is two
// pieces of source in which `$1`, `$2` … are holes:
//
//   $1.list({ file: $2, onentry: $3 })  becomes  $1.list({ file: $2, onReadEntry: $3 })
//
// apply() wants each use of the package in a file to be the same piece of syntax as the left side
// of a rule, and writes the right side with what the holes took; bytes between stay what they
// were. What it cannot show to be so it refuses, and says where and why.
//
// Exact means: a hole takes only what it says (Takes); names are followed by their declarations, so
// no name of the result means something else than it did in the file or in the example; no
// comment is lost; nothing that the file does by names of its own is lost, done twice, or put off
// behind what follows; the result is read as the pieces that were written and no others, passes
// model/rewrite, and the example's own file becomes what it became, byte for byte. Not claimed:
// that two calls that look alike are meant alike. Gates decide that, as they do for a model's
// rewrite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/exports/exports.h"
#include "npm/syntax/language.h"

namespace cg::carry {

enum class Takes : std::uint8_t {
  name,      // a name that the file declares, and that is not the package's
  own,       // a name that the use itself declares
  value,     // an expression that is no object, list, function or regular expression
  number,    // a number that is written down
  function,  // a function that takes no more of its parameters than the example's
  package,   // a name that an import gives to the package, or to an export of it
  made,      // a name for what another use gave
  use,       // an expression that is itself a use with a rule
};
[[nodiscard]] std::string_view name(Takes takes);

struct Hole {
  Takes takes = Takes::name;
  std::string source;  // package: as the import spells it, "x/y.js"
  std::string member;  // package: "*", "default", ".parse"; function: how many parameters;
                       // name and value: "object" if it stands for one that is written down
  std::vector<std::string> keys;    // of that object; function: "0.path", "1" for a bare second one
  std::vector<std::uint32_t> made;  // by these rules
  friend bool operator==(const Hole&, const Hole&) = default;
};

struct Rule {
  enum class Form : std::uint8_t {
    use,         // a name of the package with all that is called on it
    expression,  // around such
    statements,  // one or more that follow upon each other
    import,      // the same, where the package is brought in
  };
  Form form = Form::use;
  std::string before;  // its lines begin where the first one does
  std::string after;
  std::vector<Hole> holes;
  std::vector<std::string> places;  // what the value is for: "return", "argument"; sorted
  friend bool operator==(const Rule&, const Rule&) = default;
};
[[nodiscard]] std::string_view name(Rule::Form form);

struct Template {
  syntax::Language language = syntax::Language::javascript;
  std::string indent;                   // of one level
  std::string quote;                    // that most strings of the example have
  std::vector<std::string> introduces;  // names that right sides declare; sorted
  std::vector<Rule> rules;
  friend bool operator==(const Template&, const Template&) = default;
};

inline constexpr std::size_t kMaxRules = 64;
inline constexpr std::size_t kMaxHoles = 64;
inline constexpr std::size_t kMaxRuleText = 8U << 10U;  // of one side
inline constexpr std::size_t kMaxBytes = 32U << 10U;    // of write()

/// Why nothing can be learned or carried, for a person: "line 12: the call has 3 arguments, the
/// example's had 2". Lines count from 1; 0 is none in particular.
struct Refusal {
  std::size_t line = 0;
  std::string why;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};
[[nodiscard]] std::string describe(const Refusal& refusal);

struct File {
  std::string_view text;
  syntax::Language language;
  std::string_view package;  // as imports name it
};

/// `file` as it was before; a template carries it to `after`, byte for byte.
[[nodiscard]] Result<Template, Refusal> learn(const File& file, std::string_view after);

/// Rules of several files of one fix. Refused if they are too many, or of different languages.
[[nodiscard]] Result<Template, Refusal> join(const std::vector<Template>& all);

/// The new text. `api` is of the version that the package is moved to, for rewrite::find_breach.
[[nodiscard]] Result<std::string, Refusal> apply(const Template& from, const File& file,
                                                 const exports::Api* api);

/// What a template does and what it would not match, a line each.
[[nodiscard]] std::vector<std::string> explain(const Template& from);

/// Canonical JSON; parse(write(x)) == x, and nothing else is taken.
[[nodiscard]] std::string write(const Template& from);
[[nodiscard]] Result<Template, std::string> parse(std::string_view json);

}  // namespace cg::carry
