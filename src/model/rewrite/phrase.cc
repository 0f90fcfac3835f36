#include "model/rewrite/phrase.h"

#include <algorithm>
#include <vector>

namespace cg::rewrite {

namespace {

constexpr int kMaxNamed = 6;              // names for names
constexpr std::size_t kMaxPhrase = 8192;  // bytes; longer ones are compared by their text

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool joins(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

class Phraser {
 public:
  Phraser(const File& file, const Origins* origins, Work& work)
      : file_(file), origins_(origins), work_(work) {}

  std::string run(Index node) {
    if (work_.over()) return {};
    add(node, 0);
    if (out_.size() > kMaxPhrase) out_ = file_.syntax.text_of(node);
    work_.spend(out_.size());
    return std::move(out_);
  }

 private:
  void add(Index node, int named) {
    const Syntax& syntax = file_.syntax;
    std::uint32_t at = syntax.at(node).begin;
    for (Index i = node; i < syntax.at(node).after && out_.size() <= kMaxPhrase;) {
      work_.spend(8);  // a step costs about as much as eight bytes
      squeeze(before(at, syntax.at(i).begin));
      at = std::max(at, syntax.at(i).begin);
      if (!replace(i, named)) {
        ++i;
        continue;
      }
      at = syntax.at(i).end;
      i = syntax.at(i).after;
    }
    squeeze(before(at, syntax.at(node).end));
  }

  /// Spaces only between words.
  void squeeze(std::string_view text) {
    for (const char c : text) {
      if (is_space(c)) {
        gap_ = true;
      } else {
        say(std::string_view(&c, 1));
      }
    }
  }
  void say(std::string_view text) {
    if (gap_ && !out_.empty() && joins(out_.back()) && joins(text.front())) out_ += ' ';
    gap_ = false;
    out_ += text;
  }

  [[nodiscard]] std::string_view before(std::uint32_t begin, std::uint32_t end) const {
    return begin < end ? file_.syntax.text().substr(begin, end - begin) : std::string_view();
  }

  /// True if something else was said instead of the node.
  bool replace(Index i, int named) {
    switch (file_.kind(i)) {
      case Kind::comment:
        gap_ = true;
        return true;
      case Kind::string:
      case Kind::number:
        say(file_.syntax.text_of(i));
        return true;
      case Kind::template_string:
        if (!file_.syntax.constant(i)) return false;
        say(file_.syntax.text_of(i));
        return true;
      default:
        return origins_ != nullptr && replace_value(i, named);
    }
  }

  bool replace_value(Index i, int named) {
    const Kind kind = file_.kind(i);
    if (kind == Kind::arrow_function || kind == Kind::function_expression) {
      say("\xC6\x92");  // f with a hook
      return true;
    }
    const bool is_expression = kind == Kind::identifier || kind == Kind::member_expression ||
                               kind == Kind::subscript_expression ||
                               kind == Kind::call_expression || kind == Kind::new_expression;
    if (!is_expression) return false;
    if (origins_->is_of_package(i)) {
      say("\xE2\x96\xA1");  // a box
      return true;
    }
    return kind == Kind::identifier && named < kMaxNamed && replace_name(i, named);
  }

  bool replace_name(Index name, int named) {
    const Index binding = file_.binding_of(name);
    if (binding == kNone) return false;
    const std::string& path = origins_->of_binding(binding);
    if (!path.empty()) {
      say(path);
      return true;
    }
    const Index declared = file_.scopes.bindings()[binding].name;
    const bool open = std::find(open_.begin(), open_.end(), binding) != open_.end();
    if (open || name == declared) return false;
    open_.push_back(binding);
    say("(");
    add_first(declared, named);
    const Given& given = origins_->given();
    for (const auto* list : {&given.to[binding], &given.done[binding]}) {
      for (const Index value : *list) {
        say("|");
        add(value, named + 1);
      }
    }
    say(")");
    open_.pop_back();
    return true;
  }

  /// What a name is declared with, and which part of it: 'ls', options.file, the second parameter.
  void add_first(Index declared, int named) {
    std::string part;
    Index i = declared;
    for (; is_within_pattern(i); i = file_.parent(i)) {
      const Kind around = file_.kind(file_.parent(i));
      if (around == Kind::object_pattern) part.insert(0, "." + key_of(i));
      if (around == Kind::array_pattern) part.insert(0, "[" + std::to_string(place_of(i)) + "]");
      if (around == Kind::rest_pattern) part.insert(0, "...");
    }
    const Index holder = file_.parent(i);
    const Index value = file_.kind(holder) == Kind::variable_declarator
                            ? file_.syntax.child(holder, Field::value)
                            : kNone;
    if (value != kNone) {
      add(value, named + 1);
    } else {
      // Not where it stands among those of a callback: that is for who calls it to say.
      say(file_.syntax.text_of(declared));
      if (is_of_named_function(i)) say("#" + std::to_string(place_of(i)));
    }
    if (!part.empty()) say(part);
  }

  [[nodiscard]] bool is_within_pattern(Index i) const {
    const Kind around = file_.kind(file_.parent(i));
    return is_pattern(around) || around == Kind::required_parameter ||
           around == Kind::optional_parameter;
  }

  /// "a" of { a }, { a: b } and { a = 1 }.
  [[nodiscard]] std::string key_of(Index part) const {
    Index key = part;
    if (file_.kind(part) == Kind::pair_pattern) key = file_.syntax.child(part, Field::key);
    if (file_.kind(part) == Kind::object_assignment_pattern) {
      key = file_.syntax.child(part, Field::left);
    }
    return key == kNone ? "?" : std::string(file_.syntax.text_of(key));
  }

  [[nodiscard]] std::size_t place_of(Index child) const {
    std::size_t out = 0;
    for (Index i = file_.syntax.first_child(file_.parent(child)); i != kNone && i != child;
         i = file_.syntax.next_sibling(i)) {
      if (file_.kind(i) != Kind::comment) ++out;
    }
    return out;
  }

  [[nodiscard]] bool is_of_named_function(Index parameter) const {
    const Index list = file_.parent(parameter);
    if (file_.kind(list) != Kind::formal_parameters) return false;
    const Index function = file_.parent(list);
    const Kind kind = file_.kind(function);
    return kind == Kind::function_declaration || kind == Kind::generator_function_declaration ||
           kind == Kind::method_definition ||
           file_.kind(file_.parent(function)) == Kind::variable_declarator;
  }

  const File& file_;
  const Origins* origins_;
  Work& work_;
  std::string out_;
  std::vector<Index> open_;  // names that are being said
  bool gap_ = false;         // something that is not said stood here
};

}  // namespace

std::string phrase_of(const File& file, const Origins& origins, Index node, Work& work) {
  return Phraser(file, &origins, work).run(node);
}

std::string plain_text(const File& file, Index node, Work& work) {
  return Phraser(file, nullptr, work).run(node);
}

}  // namespace cg::rewrite
