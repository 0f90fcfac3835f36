# cg_module(NAME [PURE] DEPS … SOURCES … [APART …] HEADERS … TESTS … LIBS …)
#
# SOURCES are compiled as one. Those that are APART are another unit: some program needs the
# others alone, without the libraries that these bring along.
#
# One folder = one library = one namespace. A module may depend only on modules
# declared before it in src/CMakeLists.txt; configuring stops otherwise. PURE
# modules do no I/O, which tests/fence checks on their object code. The file
# modules.txt in the build folder tells the fences what was declared.
define_property(GLOBAL PROPERTY CG_MODULES BRIEF_DOCS "modules in data order")
define_property(GLOBAL PROPERTY CG_MODULE_LINES BRIEF_DOCS "modules.txt")

# Most of what a small source costs is reading its headers: sources that belong together are
# compiled as one. Each must still stand on its own, which a build with CG_UNITY off shows.
option(CG_UNITY "compile the sources of a module or a program together" ON)
if(NOT CG_UNITY)
  set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)  # each header on its own too: as many units again
endif()
# cg_one_unit(TARGET): all its sources in one.
function(cg_one_unit target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CG_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  if(CG_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Meant for headers, which a source is to GCC once another one includes it.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

function(cg_module name)
  cmake_parse_arguments(M "PURE" "" "DEPS;SOURCES;APART;HEADERS;TESTS;LIBS" ${ARGN})
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

  add_library(cg_${name} STATIC ${M_SOURCES} ${M_APART})
  target_sources(cg_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src
    FILES ${M_HEADERS})
  cg_one_unit(cg_${name})
  if(M_APART)
    set_target_properties(cg_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${M_SOURCES} PROPERTIES UNITY_GROUP module)
    set_source_files_properties(${M_APART} PROPERTIES UNITY_GROUP apart)
  endif()
  list(TRANSFORM M_DEPS PREPEND cg_)
  target_link_libraries(cg_${name} PUBLIC cg_flags ${M_DEPS} PRIVATE ${M_LIBS})

  if(M_TESTS AND CG_TESTS)
    add_executable(${name}_test ${M_TESTS})
    cg_one_unit(${name}_test)
    target_link_libraries(${name}_test PRIVATE cg_${name} cg_test_support ${M_LIBS} GTest::gmock_main)
    cg_register_tests(${name}_test unit)
  endif()
endfunction()

# What drives tests is built often and run seldom: the optimiser costs more than it gives.
function(cg_quick_build target)
  if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CG_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)  # _FORTIFY_SOURCE wants some
  else()
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# Registers a gtest program with ctest, one ctest entry per test case; more words are
# properties of the tests. The time is for the large counts of ./check --long; the others need seconds.
include(GoogleTest)
function(cg_register_tests target label)
  cg_quick_build(${target})
  if(CG_UNITY)
    target_precompile_headers(${target} REUSE_FROM cg_test_headers)
  endif()
  # These look at the whole machine for what a jail left: nobody else may run one meanwhile.
  set(alone FALSE)
  if(label MATCHES "^(sandbox|escape|egress)$")
    set(alone TRUE)
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${label}." DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS ${label} TIMEOUT 2400 RUN_SERIAL ${alone} ${ARGN})
endfunction()

# cg_system_test(NAME SOURCES … LIBS … PROGRAMS …): the program NAME_system_test with the tests of
# tests/NAME, which run PROGRAMS; NAME is their label too.
function(cg_system_test name)
  cmake_parse_arguments(T "" "" "SOURCES;LIBS;PROGRAMS" ${ARGN})
  set(target ${name}_system_test)
  add_executable(${target} ${T_SOURCES})
  cg_one_unit(${target})
  target_link_libraries(${target} PRIVATE ${T_LIBS} GTest::gmock_main)
  if(T_PROGRAMS)
    add_dependencies(${target} ${T_PROGRAMS})
  endif()
  cg_register_tests(${target} ${name})
endfunction()

# cg_program(NAME SOURCES … LIBS …): an executable under programs/.
function(cg_program name)
  cmake_parse_arguments(P "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${P_SOURCES})
  cg_one_unit(${name})
  target_link_libraries(${name} PRIVATE cg_flags ${P_LIBS})
  if(CG_SANITIZE)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/sanitizer_options.cc)
  else()
    # Start-up: libstdc++ as an archive saves the dynamic loader half a millisecond.
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

function(cg_finish_modules)
  get_property(lines GLOBAL PROPERTY CG_MODULE_LINES)
  list(JOIN lines "\n" text)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/modules.txt CONTENT "${text}\n")
endfunction()
