# Third-party libraries, all from Debian packages (tools/packages lists them).
#
# zstd, zlib and SQLite are linked from their archives: fewer shared objects to
# load keeps start-up near that of a bare program (perf/start). libcrypto stays
# shared, so that its security updates reach us without a rebuild.
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
if(CG_TESTS)
  find_package(GTest REQUIRED)
endif()
find_library(CG_ZSTD NAMES libzstd.a REQUIRED)
find_library(CG_ZLIB NAMES libz.a REQUIRED)
find_library(CG_SQLITE NAMES libsqlite3.a REQUIRED)

add_library(cg_zstd INTERFACE)
target_link_libraries(cg_zstd INTERFACE ${CG_ZSTD})
add_library(cg_zlib INTERFACE)
target_link_libraries(cg_zlib INTERFACE ${CG_ZLIB})
add_library(cg_sqlite INTERFACE)
target_link_libraries(cg_sqlite INTERFACE ${CG_SQLITE} cg_zlib m)

# BLAKE3: Debian 12 has no C package, but librust-blake3-dev carries the official
# C and assembly sources. They are compiled from where the package put them.
file(GLOB CG_BLAKE3_DIRS /usr/share/cargo/registry/blake3-1.*/c)
list(LENGTH CG_BLAKE3_DIRS count)
if(count EQUAL 0)
  message(FATAL_ERROR "BLAKE3 sources not found: install librust-blake3-dev (see tools/packages)")
endif()
list(GET CG_BLAKE3_DIRS 0 CG_BLAKE3_DIR)
add_library(cg_blake3 STATIC
  ${CG_BLAKE3_DIR}/blake3.c ${CG_BLAKE3_DIR}/blake3_dispatch.c ${CG_BLAKE3_DIR}/blake3_portable.c)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  target_sources(cg_blake3 PRIVATE
    ${CG_BLAKE3_DIR}/blake3_sse2_x86-64_unix.S ${CG_BLAKE3_DIR}/blake3_sse41_x86-64_unix.S
    ${CG_BLAKE3_DIR}/blake3_avx2_x86-64_unix.S ${CG_BLAKE3_DIR}/blake3_avx512_x86-64_unix.S)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  target_sources(cg_blake3 PRIVATE ${CG_BLAKE3_DIR}/blake3_neon.c)
  target_compile_definitions(cg_blake3 PRIVATE BLAKE3_USE_NEON=1)
endif()
target_include_directories(cg_blake3 SYSTEM INTERFACE ${CG_BLAKE3_DIR})
target_compile_options(cg_blake3 PRIVATE $<$<COMPILE_LANGUAGE:C>:-O3>)
