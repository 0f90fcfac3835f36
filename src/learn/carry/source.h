// A file, with its syntax, its scopes and what its names have to do with the package.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "learn/carry/carry.h"
#include "npm/syntax/meaning.h"
#include "npm/syntax/scopes.h"
#include "npm/syntax/syntax.h"

namespace cg::carry {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Meaning;

/// Deeper sources are refused: what follows recurses.
inline constexpr std::size_t kMaxNesting = 256;

/// Nodes that stand side by side, with what is beneath them.
struct Span {
  Index first = kNone;
  Index last = kNone;
  friend bool operator==(const Span&, const Span&) = default;
};

class Source {
 public:
  [[nodiscard]] static Result<std::unique_ptr<const Source>, Refusal> open(
      std::string_view text, syntax::Language language, std::string_view package);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] const syntax::Syntax& syntax() const { return *syntax_; }
  [[nodiscard]] const syntax::Scopes& scopes() const { return *scopes_; }
  [[nodiscard]] const syntax::Meanings& meanings() const { return *meanings_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(syntax_->nodes().size()); }
  [[nodiscard]] const syntax::Node& at(Index node) const { return syntax_->at(node); }
  [[nodiscard]] Kind kind(Index node) const { return node == kNone ? Kind::other : at(node).kind; }
  [[nodiscard]] Index parent(Index node) const { return at(node).parent; }
  [[nodiscard]] Kind parent_kind(Index node) const { return syntax_->parent_kind(node); }
  [[nodiscard]] std::string_view text_of(Index node) const { return syntax_->text_of(node); }
  [[nodiscard]] std::size_t line_of(Index node) const;
  /// Without comments.
  [[nodiscard]] std::vector<Index> children(Index node) const;

  [[nodiscard]] bool is_within(Index node, const Span& span) const {
    return node >= span.first && node < at(span.last).after;
  }
  [[nodiscard]] std::uint32_t begin_of(const Span& span) const { return at(span.first).begin; }
  [[nodiscard]] std::uint32_t end_of(const Span& span) const { return at(span.last).end; }

  /// Names of values and types, where they are declared and where they are used.
  [[nodiscard]] bool is_name(Index node) const;
  /// A number of Scopes::bindings(), or kNone.
  [[nodiscard]] Index binding_of(Index name) const;
  [[nodiscard]] Index declaration_of(Index binding) const {
    return scopes_->bindings()[binding].name;
  }
  [[nodiscard]] Meaning meaning_of(Index name) const;
  /// The functions and classes between a node and the one that it is counted from, innermost first,
  /// a letter for the kind of each: where they are the same, `this`, `arguments` and `await` mean
  /// the same.
  [[nodiscard]] std::string functions_above(Index node, Index until) const;
  [[nodiscard]] bool is_async(Index function) const;
  /// The nearest function around a node is async.
  [[nodiscard]] bool in_async(Index node) const;

 private:
  Source() = default;
  [[nodiscard]] bool is_generator(Index function) const;
  /// `static async *` and the like: what is no node of its own.
  [[nodiscard]] std::string signs_before_name(Index function) const;
  std::string text_;
  std::vector<std::uint32_t> lines_;  // where each begins
  std::optional<syntax::Syntax> syntax_;
  std::optional<syntax::Scopes> scopes_;
  std::optional<syntax::Meanings> meanings_;
};

/// It stands around an expression and leaves its value alone: brackets, `as`, `satisfies`, `!`.
[[nodiscard]] bool is_wrapper(Kind kind);
/// x of (x), ((x)), x as T.
[[nodiscard]] Index stripped(const Source& source, Index expression);
[[nodiscard]] bool is_statement(Kind kind);
/// A list of statements stands beneath it.
[[nodiscard]] bool holds_statements(Kind kind);
/// `$1`.
[[nodiscard]] bool is_hole(std::string_view word);
/// 12 of `$12`, which is a hole.
[[nodiscard]] std::size_t hole_number(std::string_view hole);

/// How a file is laid out.
struct Layout {
  std::string indent = "  ";
  char quote = '\'';
  bool semicolons = true;
  std::string_view line_end = "\n";
};
[[nodiscard]] Layout layout_of(const Source& source);
/// White space before the first thing on the line that `at` stands in.
[[nodiscard]] std::string_view margin_at(std::string_view text, std::size_t at);

}  // namespace cg::carry
