// The problems of the store, each made in one place.
#pragma once

#include <string>

#include "base/domain/error.h"

namespace cg::rag {

/// Something is not taken as an example: "its gates say too little".
[[nodiscard]] Problem not_taken(std::string why);
[[nodiscard]] Problem no_such_record(const std::string& id);
/// An export that does not hold, or could not be made.
[[nodiscard]] Problem bad_bundle(std::string why);
[[nodiscard]] Problem no_release(std::string why);

}  // namespace cg::rag
