#include "learn/carry/check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace cg::carry {

namespace {

class Checker {
 public:
  Checker(const Source& old, const Source& now, const Written& written, const Template& from)
      : old_(old), now_(now), written_(written), from_(from) {
    for (Index i = 0; i < old.size(); ++i) {
      if (old.is_name(i)) old_names_[old.at(i).begin] = i;
    }
  }

  Result<Done, Refusal> run() {
    CG_TRY(pieces());
    std::set<Index> used;
    for (Index i = 0; i < now_.size(); ++i) {
      if (now_.kind(i) == Kind::await_expression) CG_TRY(wait(i));
      if (!now_.is_name(i)) continue;
      CG_TRY(name(i));
      const Index binding = now_.binding_of(i);
      if (binding != kNone && now_.declaration_of(binding) != i) used.insert(binding);
    }
    for (Index binding = 0; binding < now_.scopes().bindings().size(); ++binding) {
      const Meaning::Kind kind = now_.meanings().of_binding(binding).kind;
      const Index declared = now_.declaration_of(binding);
      if (kind == Meaning::Kind::nothing || used.contains(binding) || origin(declared)) continue;
      return stop(declared, "would be brought in, and nothing uses it");
    }
    return Done{};
  }

 private:
  [[nodiscard]] Failure<Refusal> stop(Index node, const std::string& why) const {
    return fail(Refusal{now_.line_of(node), "`" + std::string(now_.text_of(node)) + "` " + why});
  }

  Result<Done, Refusal> pieces() const {
    std::vector<Written::Piece> due = written_.pieces;
    std::sort(due.begin(), due.end());
    std::vector<std::pair<Written::Piece, Index>> read;
    for (Index i = 1; i < now_.size(); ++i) {
      const syntax::Node& node = now_.at(i);
      if (node.kind == Kind::comment || node.begin == node.end) continue;
      read.push_back({{node.begin, node.end, node.kind}, i});
    }
    std::sort(read.begin(), read.end());
    std::size_t n = 0;
    while (n < read.size() && n < due.size() && read[n].first == due[n]) ++n;
    if (n == read.size() && n == due.size()) return Done{};
    const std::size_t line =
        read.empty() ? 0 : now_.line_of(read[std::min(n, read.size() - 1)].second);
    return fail(Refusal{line, "the new text would be read otherwise than it is meant"});
  }

  /// Where a node stood in the old text.
  [[nodiscard]] std::optional<std::uint32_t> origin(Index node) const {
    const std::uint32_t at = now_.at(node).begin;
    const auto next = std::upper_bound(
        written_.copies.begin(), written_.copies.end(), at,
        [](std::uint32_t offset, const Written::Copy& copy) { return offset < copy.at; });
    if (next == written_.copies.begin()) return std::nullopt;
    const Written::Copy& copy = *std::prev(next);
    if (at - copy.at >= copy.size) return std::nullopt;
    return copy.from + (at - copy.at);
  }

  Result<Done, Refusal> wait(Index node) const {
    if (origin(node) || now_.in_async(node)) return Done{};
    return fail(Refusal{now_.line_of(node), "the new text waits in a function that is not async"});
  }

  Result<Done, Refusal> name(Index node) const {
    const Index binding = now_.binding_of(node);
    const Index declared = binding == kNone ? kNone : now_.declaration_of(binding);
    const auto from = origin(node);
    if (!from) return new_name(node, declared);
    const auto known = old_names_.find(*from);
    if (known == old_names_.end()) return stop(node, "is not followed");
    const Index before = old_.binding_of(known->second);
    if (before == kNone && declared == kNone) return Done{};
    const bool is_same = before != kNone && declared != kNone &&
                         origin(declared) == old_.at(old_.declaration_of(before)).begin;
    return is_same ? Result<Done, Refusal>(Done{})
                   : stop(node, "would mean something else than it does now");
  }

  Result<Done, Refusal> new_name(Index node, Index declared) const {
    const bool is_introduced = std::binary_search(from_.introduces.begin(), from_.introduces.end(),
                                                  std::string(now_.text_of(node)));
    if (!is_introduced) {
      return declared == kNone
                 ? Result<Done, Refusal>(Done{})
                 : stop(node, "means something of this file, which it did not in the example");
    }
    if (declared == kNone) return stop(node, "would be brought in by nothing");
    if (origin(declared)) return stop(node, "means something of this file already");
    if (now_.scopes().is_declaration(node) && declared != node) {
      return stop(node, "would be declared twice");
    }
    return Done{};
  }

  const Source& old_;
  const Source& now_;
  const Written& written_;
  const Template& from_;
  std::unordered_map<std::uint32_t, Index> old_names_;
};

}  // namespace

Result<Done, Refusal> check(const Source& old, const Written& written, const Template& from,
                            const File& file) {
  auto now = Source::open(written.text, file.language, file.package);
  if (!now) {
    const bool is_said = now.error().line != 0;
    return fail(Refusal{now.error().line, is_said ? "in the result " + now.error().why
                                                  : "the result does not parse"});
  }
  return Checker(old, **now, written, from).run();
}

}  // namespace cg::carry
