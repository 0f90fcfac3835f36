# cg_tree_sitter: the parser of src/npm/syntax and its grammars for JavaScript and TypeScript,
# from npm packages that tools/grammars/package-lock.json pins by content.
#
# Debian's library is of 2022 and writes past its memory on some broken sources. Fetched once
# for all build folders; no script of a package is run, and only C sources are used.
set(from ${CMAKE_SOURCE_DIR}/tools/grammars)
set(to ${CMAKE_SOURCE_DIR}/build/grammars)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from}/package-lock.json)

file(SHA256 ${from}/package-lock.json wanted)
set(installed "")
if(EXISTS ${to}/installed)
  file(READ ${to}/installed installed)
endif()
if(NOT installed STREQUAL wanted)
  find_program(CG_NPM npm)
  if(NOT CG_NPM)
    message(FATAL_ERROR "npm is needed to fetch the grammars: install it (tools/install check)")
  endif()
  file(MAKE_DIRECTORY ${to})
  file(LOCK ${to} DIRECTORY GUARD FILE TIMEOUT 300)  # another folder may be configured just now
  configure_file(${from}/package.json ${to}/package.json COPYONLY)
  configure_file(${from}/package-lock.json ${to}/package-lock.json COPYONLY)
  execute_process(
    COMMAND ${CG_NPM} ci --ignore-scripts --omit=optional --omit=peer --no-audit --no-fund
    WORKING_DIRECTORY ${to} RESULT_VARIABLE status ERROR_VARIABLE words OUTPUT_QUIET TIMEOUT 300)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm cannot fetch the grammars of ${from}/package-lock.json:\n${words}\n"
      "Configure npm for a registry that has them (npm config set registry …), or run `npm ci "
      "--ignore-scripts` on copies of the two files elsewhere and bring node_modules to ${to}, "
      "with a file `installed` that holds ${wanted}. Then configure again.")
  endif()
  file(WRITE ${to}/installed ${wanted})
  file(LOCK ${to} DIRECTORY RELEASE)
endif()

set(modules ${to}/node_modules)
set(core ${modules}/tree-sitter/vendor/tree-sitter/lib)
add_library(cg_tree_sitter STATIC ${core}/src/lib.c)
target_include_directories(cg_tree_sitter SYSTEM PUBLIC ${core}/include PRIVATE ${core}/src)
target_compile_definitions(cg_tree_sitter PRIVATE _DEFAULT_SOURCE)
target_compile_options(cg_tree_sitter PRIVATE -w -O2)
foreach(grammar tree-sitter-javascript tree-sitter-typescript/typescript tree-sitter-typescript/tsx)
  string(REPLACE "/" "_" name cg_${grammar})
  add_library(${name} OBJECT ${modules}/${grammar}/src/parser.c ${modules}/${grammar}/src/scanner.c)
  target_include_directories(${name} SYSTEM PRIVATE ${modules}/${grammar}/src)
  target_compile_options(${name} PRIVATE -w -O1)  # tables, for the most part
  target_sources(cg_tree_sitter PRIVATE $<TARGET_OBJECTS:${name}>)
  list(APPEND parts ${name})
endforeach()
# Memory errors are looked for in the library too; its arithmetic on null pointers is its own.
if(CG_SANITIZE)
  foreach(part cg_tree_sitter ${parts})
    target_compile_options(${part} PRIVATE -fsanitize=${CG_SANITIZE} -fno-sanitize=undefined)
  endforeach()
endif()
