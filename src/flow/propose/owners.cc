#include "flow/propose/owners.h"

namespace cg::propose {

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

bool Owners::owns(std::string_view manifest, std::string_view file) const {
  for (std::string_view folder = folder_of(file);;
       folder = folder_of(folder.substr(0, folder.size() - 1))) {
    if (folders_.contains(folder) || folder.empty()) return folder == folder_of(manifest);
  }
}

}  // namespace cg::propose
