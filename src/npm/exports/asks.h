// Asks: what one source wants of another package: paths that it imports, names that it uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "npm/syntax/syntax.h"

namespace cg::exports {

enum class Way : std::uint8_t { require, import };

/// A name of the module that is imported.
struct Wanted {
  std::string name;
  std::size_t line = 1;
  bool linked = false;      // `import { a }`: without it the file does not load
  bool by_default = false;  // of what the default export is
};

struct Ask {
  std::string path;  // behind the package's name: "", "v4", "dist/a.js"
  Way way = Way::require;
  std::size_t line = 1;
  std::vector<Wanted> wanted;  // by name
};

/// In the order of the text. `package` as imports name it. Left out is what a file can do without:
/// imports within `try` that has a `catch`, or that have a `.catch()`; names that the file asks for
/// before it uses them (`x.a && x.a()`, typeof, a default value) or that it sets itself. Also left
/// out: a `require` that the file declares itself, as bundles do (createRequire() is the real one).
[[nodiscard]] std::vector<Ask> asks_in(const syntax::Syntax& syntax, std::string_view package);

}  // namespace cg::exports
