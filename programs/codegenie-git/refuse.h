// Why an order to git is not carried out.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/base/text.h"
#include "fetch/gitrepo/error.h"

namespace cg::git {

using gitrepo::Error;
using Kind = Error::Kind;

[[nodiscard]] inline Failure<Error> refuse(Kind kind, std::string_view what) {
  return fail(Error{kind, std::string(cut_utf8(printable(what), 900))});
}

}  // namespace cg::git
