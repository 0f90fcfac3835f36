// Every function has a constructor that makes functions of text, and every object leads to one.
// So it is not enough to look at names of globals: members with such names count wherever they
// stand, in whatever spelling, and a member whose name is an expression may be any of them.
#include "model/rewrite/words.h"

#include <algorithm>
#include <iterator>

#include "base/base/text.h"
#include "model/rewrite/phrase.h"

namespace cg::rewrite {

namespace {

constexpr std::string_view kWords[] = {"constructor",
                                       "__proto__",
                                       "prototype",
                                       "__defineGetter__",
                                       "__defineSetter__",
                                       "__lookupGetter__",
                                       "__lookupSetter__",
                                       "caller",
                                       "callee",
                                       "eval",
                                       "Function",
                                       "execScript",
                                       "binding",
                                       "_linkedBinding",
                                       "dlopen",
                                       "_load",
                                       "_compile",
                                       "_extensions",
                                       "mainModule",
                                       "createRequire",
                                       "getBuiltinModule",
                                       "runInThisContext",
                                       "runInNewContext",
                                       "runInContext",
                                       "compileFunction",
                                       "registerHooks",
                                       "setUncaughtExceptionCaptureCallback",
                                       "getPrototypeOf",
                                       "setPrototypeOf",
                                       "getOwnPropertyDescriptor",
                                       "getOwnPropertyDescriptors",
                                       "getOwnPropertyNames",
                                       "defineProperty",
                                       "defineProperties",
                                       "innerHTML",
                                       "outerHTML",
                                       "insertAdjacentHTML",
                                       "dangerouslySetInnerHTML",
                                       "srcdoc",
                                       "srcDoc",
                                       "importScripts",
                                       "child_process",
                                       "worker_threads",
                                       "globalThis"};

/// Texts that browsers and loaders take for code.
constexpr std::string_view kSchemes[] = {"javascript:", "data:", "blob:", "vbscript:"};

bool is_word(std::string_view text) {
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

class Words {
 public:
  Words(const File& file, Work& work) : file_(file), work_(work) {}

  Items run() {
    for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
      // A type begins where nothing is one yet.
      if (!file_.erased[i] || !file_.erased[file_.parent(i)]) look_at(i);
    }
    look_for_comments();
    return std::move(out_);
  }

 private:
  void look_at(Index i) {
    switch (file_.kind(i)) {
      case Kind::property_identifier:
      case Kind::shorthand_property_identifier_pattern:
        if (!is_definition(i) && !is_turned_off(i)) look_for(file_.syntax.text_of(i), i);
        return;
      case Kind::string:
      case Kind::template_string:
        return look_at_text(i);
      case Kind::subscript_expression:
        return look_at_index(i, file_.syntax.child(i, Field::index));
      case Kind::computed_property_name:
        return look_at_index(file_.parent(i), file_.syntax.first_child(i));
      case Kind::binary_expression:
        if (syntax_parent(i) != Kind::binary_expression) look_at_sum(i);
        return;
      case Kind::interface_declaration:
      case Kind::type_alias_declaration:
      case Kind::ambient_declaration:
        return look_at_lines(i);
      case Kind::with_statement:
        return add(Item::Rule::counted, "with", i);
      default:
        return;
    }
  }

  [[nodiscard]] Kind syntax_parent(Index i) const { return file_.syntax.parent_kind(i); }

  /// The constructor of a class is no way to one.
  [[nodiscard]] bool is_definition(Index i) const {
    return syntax_parent(i) == Kind::method_definition && file_.syntax.at(i).field == Field::name &&
           file_.kind(file_.parent(file_.parent(i))) == Kind::class_body;
  }

  /// `{ eval: false }`, which packages let their users say, gives nobody a way to run a text.
  [[nodiscard]] bool is_turned_off(Index i) const {
    if (syntax_parent(i) != Kind::pair || file_.syntax.at(i).field != Field::key) return false;
    const Index value = file_.syntax.child(file_.parent(i), Field::value);
    return file_.syntax.text_of(i) == "eval" && value != kNone &&
           file_.syntax.text_of(value) == "false";
  }

  /// Where a script runs, the rest of such a line is a comment; for the grammar it is code. So
  /// nobody may write one, not even into a text.
  void look_for_comments() {
    const std::string_view text = file_.syntax.text();
    for (const std::string_view sign : {"<!--", "-->"}) {
      for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign, at + 1)) {
        out_.push_back({Breach::dynamic_code,
                        Item::Rule::counted,
                        std::string(sign),
                        static_cast<std::uint32_t>(at),
                        {}});
      }
    }
  }

  void look_for(std::string_view text, Index i) {
    if (is_word(text)) add(Item::Rule::counted, "word " + std::string(text), i);
  }

  void look_at_text(Index i) {
    if (const auto text = file_.syntax.constant(i)) look_at_constant(*text, i);
  }
  void look_at_constant(std::string_view text, Index i) {
    look_for(text, i);
    const std::string small = lower_ascii(trim(text));
    for (const std::string_view scheme : kSchemes) {
      if (small.starts_with(scheme)) add(Item::Rule::known, "scheme " + small, i);
    }
  }

  /// `interface` and its like are keywords on the line of what they declare alone. Else they are
  /// names, and what looks like a type is run.
  void look_at_lines(Index i) {
    const Index name = file_.syntax.child(i, Field::name);
    const Index first = name == kNone ? file_.syntax.first_child(i) : name;
    if (first == kNone) return;
    const std::uint32_t begin = file_.syntax.at(i).begin;
    const std::string_view head =
        file_.syntax.text().substr(begin, file_.syntax.at(first).begin - begin);
    if (head.find('\n') != std::string_view::npos)
      add(Item::Rule::counted, "declared over lines", i);
  }

  void look_at_index(Index whole, Index index) {
    if (index == kNone || file_.kind(index) == Kind::number) return;
    if (file_.syntax.constant(index)) return;  // judged as a text
    add(Item::Rule::known, "member " + plain_text(file_, whole, work_), whole);
  }

  /// 'con' + 'structor'
  void look_at_sum(Index sum) {
    std::string all;
    for (Index i = sum + 1; i < file_.syntax.at(sum).after;) {
      const Kind kind = file_.kind(i);
      const auto text = file_.syntax.constant(i);
      if (text) {
        all += *text;
      } else if (kind != Kind::binary_expression && kind != Kind::parenthesized_expression &&
                 kind != Kind::comment) {
        return;
      }
      i = text || kind == Kind::comment ? file_.syntax.at(i).after : i + 1;
    }
    look_at_constant(all, sum);
  }

  void add(Item::Rule rule, std::string key, Index node) {
    out_.push_back({Breach::dynamic_code, rule, std::move(key), file_.syntax.at(node).begin, {}});
  }

  const File& file_;
  Work& work_;
  Items out_;
};

}  // namespace

Items word_items(const File& file, Work& work) { return Words(file, work).run(); }

}  // namespace cg::rewrite
