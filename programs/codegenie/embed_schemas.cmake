# cmake -DFILES=a.json,b.json -DOUTPUT=schemas.cc -P embed_schemas.cmake
#
# Writes a source file that holds the given files as raw string literals.
string(REPLACE "," ";" files "${FILES}")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "      {\"${name}\", R\"cgjson(${text})cgjson\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by embed_schemas.cmake.
#include \"schemas.h\"

namespace cg::program {

const std::vector<Schema>& schemas() {  // NOLINT(readability-function-size): data
  static const std::vector<Schema> all = {
${rows}  };
  return all;
}

}  // namespace cg::program
")
