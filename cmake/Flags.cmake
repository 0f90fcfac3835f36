# One place for compiler flags; every target of ours links cg_flags.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CG_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")

include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

find_program(CG_CCACHE ccache)
if(CG_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CG_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CG_CCACHE})
endif()

add_library(cg_flags INTERFACE)
target_include_directories(cg_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(cg_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wformat=2 -Wno-missing-field-initializers
  -fstack-protector-strong -fno-strict-overflow -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(cg_flags INTERFACE -fstack-clash-protection -ftrivial-auto-var-init=zero)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    target_compile_options(cg_flags INTERFACE -fcf-protection=full)
  endif()
endif()
target_compile_definitions(cg_flags INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(cg_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--gc-sections)
if(CG_SANITIZE)
  target_compile_options(cg_flags INTERFACE
    -fsanitize=${CG_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(cg_flags INTERFACE -fsanitize=${CG_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC 12 sees ghosts in instrumented library code; the other builds look for real ones.
    target_compile_options(cg_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL Release)
  target_compile_definitions(cg_flags INTERFACE _FORTIFY_SOURCE=3)
endif()
