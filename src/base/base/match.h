// match(): takes a std::variant apart, one named arm per alternative.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace cg {

template <class... Arms>
struct Overloaded : Arms... {
  using Arms::operator()...;
};
template <class... Arms>
Overloaded(Arms...) -> Overloaded<Arms...>;

/// An arm that names its alternative. `[](const auto&)` does not qualify: it
/// would swallow an alternative that is added next year.
template <class Arm>
concept NamedArm = requires {
  &std::remove_cvref_t<Arm>::operator();
};

/// Exactly one arm per alternative: a missing arm, a second arm for the same
/// alternative and a catch-all arm do not compile (tests/compile_fail).
template <class Variant, NamedArm... Arms>
constexpr decltype(auto) match(Variant&& value, Arms&&... arms) {
  static_assert(sizeof...(Arms) == std::variant_size_v<std::remove_cvref_t<Variant>>,
                "match() needs exactly one arm per alternative");
  return std::visit(Overloaded{std::forward<Arms>(arms)...}, std::forward<Variant>(value));
}

}  // namespace cg
