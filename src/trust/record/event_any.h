// The list of events as a variant, for those few who take events apart.
#pragma once

#include <variant>

#include "trust/record/event.h"

namespace cg::record {

namespace detail {
struct Nothing;
template <class First, class... Rest>
struct VariantOf;
template <class... Es>
struct VariantOf<Nothing, Es...> {
  using type = std::variant<Es...>;
};
}  // namespace detail

using AnyEvent = detail::VariantOf<detail::Nothing
#define CG_EVENT(E) , E
#include "trust/record/events.def"
#undef CG_EVENT
                                   >::type;

struct Event::Any {
  AnyEvent value;
};

}  // namespace cg::record
