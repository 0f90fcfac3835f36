// How the editors say what is wrong. Not for other modules.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "edit/edit.h"

namespace cg::edit {

/// "what `where`", printable whatever `where` is.
[[nodiscard]] inline Failure<EditError> refuse(EditError::Kind kind, std::string_view what,
                                               std::string_view where) {
  return fail(EditError{kind, std::string(what) + " `" + printable(where) + "`"});
}

}  // namespace cg::edit
