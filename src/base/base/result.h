// Result: a value or an error, and no third thing.
//
// The subset of std::expected that we use, under the same names, because GCC 12's
// is neither [[nodiscard]] nor readable by the clang tools of Debian 12. Reading
// the wrong side ends the program with a message; it is never undefined.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/base/assert.h"

namespace cg {

/// An error on its way into some Result. Made by fail().
template <class E>
struct Failure {
  E error;
};

template <class E>
[[nodiscard]] constexpr Failure<std::remove_cvref_t<E>> fail(E&& error) {
  return {std::forward<E>(error)};
}

/// Success with nothing else to say.
struct Done {
  friend bool operator==(const Done&, const Done&) = default;
};

template <class T, class E>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  template <class U = T>
  requires std::convertible_to<U, T> &&
      (!std::same_as<std::remove_cvref_t<U>, Result>)constexpr Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  template <class F>
  requires std::convertible_to<F, E>
  constexpr Result(Failure<F> failure)
      : state_(std::in_place_index<1>, E(std::move(failure.error))) {}

  [[nodiscard]] constexpr bool has_value() const { return state_.index() == 0; }
  constexpr explicit operator bool() const { return has_value(); }

  constexpr T& operator*() & { return value(); }
  constexpr const T& operator*() const& { return value(); }
  constexpr T&& operator*() && { return std::move(value()); }
  constexpr T* operator->() { return &value(); }
  constexpr const T* operator->() const { return &value(); }

  constexpr T& value() {
    CG_ASSERT(has_value());
    return std::get<0>(state_);
  }
  constexpr const T& value() const {
    CG_ASSERT(has_value());
    return std::get<0>(state_);
  }
  constexpr E& error() & {
    CG_ASSERT(!has_value());
    return std::get<1>(state_);
  }
  constexpr const E& error() const& {
    CG_ASSERT(!has_value());
    return std::get<1>(state_);
  }

  constexpr E&& error() && {
    CG_ASSERT(!has_value());
    return std::move(std::get<1>(state_));
  }

 private:
  std::variant<T, E> state_;
};

}  // namespace cg

#define CG_CONCAT_(a, b) a##b
#define CG_CONCAT(a, b) CG_CONCAT_(a, b)

/// Runs a step that yields Done; hands its error on to the caller.
#define CG_TRY(step)                                                           \
  do {                                                                         \
    auto cg_step_ = (step);                                                    \
    if (!cg_step_.has_value()) return ::cg::fail(std::move(cg_step_).error()); \
  } while (false)

/// Runs a step that yields a value and binds it; hands its error on to the caller.
#define CG_TRY_ASSIGN(target, step) CG_TRY_ASSIGN_(CG_CONCAT(cg_value_, __LINE__), target, step)
#define CG_TRY_ASSIGN_(name, target, step)                           \
  auto name = (step);                                                \
  if (!name.has_value()) return ::cg::fail(std::move(name).error()); \
  target = *std::move(name)
