// What can go wrong with the index, as a closed list.
#pragma once

#include <string>

#include "base/store/database.h"

namespace cg::vulnindex {

struct Error {
  enum class Kind {
    missing,     // there is no index
    corrupt,     // it is there but not what was written
    version,     // written by another version of codegenie
    shrank,      // the new one would have lost more records than allowed
    unreadable,  // a feed cannot be read at all
    empty,       // a feed holds no record
    busy,
    no_space,
    io,
  };
  Kind kind;
  std::string path;
  std::string what;
};

[[nodiscard]] Error from_store(const store::Error& error, const std::string& path);

}  // namespace cg::vulnindex
