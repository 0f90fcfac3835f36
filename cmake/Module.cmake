# cg_module(NAME [PURE] DEPS … SOURCES … HEADERS … TESTS … LIBS …)
#
# One folder = one library = one namespace. A module may depend only on modules
# declared before it in src/CMakeLists.txt; configuring stops otherwise. PURE
# modules do no I/O, which tests/fence checks on their object code. The file
# modules.txt in the build folder tells the fences what was declared.
define_property(GLOBAL PROPERTY CG_MODULES BRIEF_DOCS "modules in data order")
define_property(GLOBAL PROPERTY CG_MODULE_LINES BRIEF_DOCS "modules.txt")

function(cg_module name)
  cmake_parse_arguments(M "PURE" "" "DEPS;SOURCES;HEADERS;TESTS;LIBS" ${ARGN})
  get_property(known GLOBAL PROPERTY CG_MODULES)
  foreach(dep IN LISTS M_DEPS)
    if(NOT dep IN_LIST known)
      message(FATAL_ERROR "module ${name} depends on ${dep}, which is not listed above it")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY CG_MODULES ${name})
  string(REPLACE ";" " " deps "${M_DEPS}")
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})  # group/name
  set(purity $<IF:$<BOOL:${M_PURE}>,pure,shell>)
  set_property(GLOBAL APPEND PROPERTY CG_MODULE_LINES
    "${path} ${purity} $<TARGET_FILE:cg_${name}> ${deps}")

  add_library(cg_${name} STATIC ${M_SOURCES})
  target_sources(cg_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src
    FILES ${M_HEADERS})
  list(TRANSFORM M_DEPS PREPEND cg_)
  target_link_libraries(cg_${name} PUBLIC cg_flags ${M_DEPS} PRIVATE ${M_LIBS})

  if(M_TESTS AND CG_TESTS)
    add_executable(${name}_test ${M_TESTS})
    target_link_libraries(${name}_test PRIVATE cg_${name} cg_test_support ${M_LIBS} GTest::gmock_main)
    cg_register_tests(${name}_test unit)
  endif()
endfunction()

# What drives tests is built often and run seldom: the optimiser costs more than it gives.
function(cg_quick_build target)
  if(CG_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)  # _FORTIFY_SOURCE wants some
  endif()
endfunction()

# Registers a gtest program with ctest, one ctest entry per test case; more words are
# properties of the tests.
include(GoogleTest)
function(cg_register_tests target label)
  cg_quick_build(${target})
  # These look at the whole machine for what a jail left: nobody else may run one meanwhile.
  set(alone FALSE)
  if(label MATCHES "^(sandbox|escape|egress)$")
    set(alone TRUE)
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${label}." DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS ${label} TIMEOUT 900 RUN_SERIAL ${alone} ${ARGN})
endfunction()

# cg_program(NAME SOURCES … LIBS …): an executable under programs/.
function(cg_program name)
  cmake_parse_arguments(P "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${P_SOURCES})
  target_link_libraries(${name} PRIVATE cg_flags ${P_LIBS})
  if(NOT CG_SANITIZE)
    # Start-up: libstdc++ as an archive saves the dynamic loader half a millisecond.
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

function(cg_finish_modules)
  get_property(lines GLOBAL PROPERTY CG_MODULE_LINES)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/modules.txt CONTENT "${text}\n")
endfunction()
