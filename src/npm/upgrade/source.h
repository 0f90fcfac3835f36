// Source: one file of a package with what is needed to find where its names are declared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "npm/exports/api.h"
#include "npm/exports/locals.h"
#include "npm/exports/names.h"
#include "npm/syntax/syntax.h"

namespace cg::upgrade {

using Nodes = std::vector<syntax::Index>;

class Source {
 public:
  /// `text` must outlive it. Nothing for what cannot be parsed.
  [[nodiscard]] static std::unique_ptr<Source> parse(const std::string& file,
                                                     std::string_view text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const syntax::Syntax& syntax() const { return syntax_; }
  [[nodiscard]] const exports::Locals& locals() const { return locals_; }
  [[nodiscard]] const exports::FileNames& exported() const { return exported_; }
  [[nodiscard]] const Nodes& places(const std::string& name) const;
  [[nodiscard]] const exports::Forward* forward(const std::string& name) const;

  /// The value that a name is taken out of, `b` in `const { a: c } = b`, and under which key.
  struct Taken {
    syntax::Index from = syntax::kNone;
    std::string key;
  };
  [[nodiscard]] const Taken* taken(std::string_view name) const;
  /// `import b = require("./b")`, `const { b } = require("./b")`; nothing for other names.
  [[nodiscard]] const exports::Import* required(std::string_view name) const;
  /// Declarations of a name; where functions within each other declare it too, the outermost.
  [[nodiscard]] const Nodes& declared(std::string_view name) const;
  /// The names that a namespace declares, whether it says `export` or not.
  [[nodiscard]] const std::map<std::string, Nodes, std::less<>>& inside(syntax::Index space) const;
  /// Assignments to properties of what is written as `object`: "a", "a.prototype".
  [[nodiscard]] const Nodes& assigned(std::string_view object) const;
  /// What Object.assign() and its like put into it: the other arguments. For _createClass(), as
  /// one compiler writes it, lists.
  [[nodiscard]] const Nodes& mixed(std::string_view object) const;
  /// The /** comment */ of a declaration or a value; empty if it has none.
  [[nodiscard]] std::string_view doc(syntax::Index node) const;

  [[nodiscard]] bool typed() const { return typed_; }        // a declaration file
  [[nodiscard]] bool minified() const { return minified_; }  // not written for people
  /// CommonJS that was an ES module: its default export is one of its names.
  [[nodiscard]] bool transpiled() const { return transpiled_; }

 private:
  Source(const std::string& file, syntax::Syntax&& syntax);
  void note(syntax::Index node);
  void note_call(syntax::Index call);
  void guess_whole();
  void take_whole();
  void note_variable(syntax::Index declarator);
  void note_assignment(syntax::Index assignment);
  void declare(syntax::Index node, std::size_t depth);

  struct Declared {
    std::size_t depth = 0;
    Nodes nodes;
  };

  std::string file_;
  bool typed_;
  bool minified_ = false;
  bool transpiled_ = false;
  syntax::Syntax syntax_;
  exports::Locals locals_;
  exports::FileNames exported_;
  std::map<std::string, Nodes> places_;
  std::map<std::string, std::size_t> forwards_;
  std::vector<std::string> whole_names_;  // `var a = module.exports = {}`
  mutable std::map<syntax::Index, std::map<std::string, Nodes, std::less<>>> inside_;  // as asked
  std::vector<syntax::Index> open_;  // where what has a scope of its own ends, while it is read
  std::unordered_map<std::string_view, Declared> declared_;
  std::unordered_map<std::string_view, exports::Import> required_;
  std::unordered_map<std::string_view, Taken> taken_;
  std::unordered_map<std::string_view, std::string> stands_for_;  // p: "A.prototype", last said
  std::map<std::string, Nodes, std::less<>> assigned_;
  std::unordered_map<std::string_view, Nodes> mixed_;
  std::unordered_map<syntax::Index, syntax::Index> docs_;  // comment by what it stands before
};

/// The files of a package, each parsed once when it is asked for.
class Sources {
 public:
  /// All must outlive it.
  Sources(const exports::Files& files, const exports::Limits& limits)
      : files_(files), limits_(limits) {}
  /// Nothing for what is not there, is no source, or is more than the limits allow.
  const Source* get(const std::string& file);
  /// "./b.js" as `source` says it; nothing for another package.
  const Source* from(const Source& source, const std::string& relative);
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] const exports::Files& files() const { return files_; }

 private:
  const exports::Files& files_;
  const exports::Limits& limits_;
  std::map<std::string, std::unique_ptr<Source>, std::less<>> parsed_;
  std::size_t bytes_ = 0;
  bool exhausted_ = false;
};

/// Of an assignment, a parenthesis, a cast: what is meant by it.
[[nodiscard]] syntax::Index bare(const Source& source, syntax::Index node);
/// The `b` of (function (factory) { factory() })(b), for the call within; kNone if it is none.
[[nodiscard]] syntax::Index handed_in(const Source& source, syntax::Index call);
/// An argument of Object.defineProperty().
[[nodiscard]] bool is_descriptor(const Source& source, syntax::Index object);
/// __importDefault(require('./a')), __toESM(…), _interopRequireWildcard(…)
[[nodiscard]] bool is_interop(std::string_view callee);
/// Functions, arrows and methods; not what else has a scope.
[[nodiscard]] bool is_callable(syntax::Kind kind);
[[nodiscard]] bool is_class(syntax::Kind kind);

}  // namespace cg::upgrade
