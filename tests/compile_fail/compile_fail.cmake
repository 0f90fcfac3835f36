# cmake -DCOMPILER=… -DFLAGS=@file -DSOURCE=x.cc -P compile_fail.cmake
set(ENV{LC_ALL} C)  # the compiler's own words, untranslated
file(STRINGS ${SOURCE} first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// must fail: (.+)$")
  message(FATAL_ERROR "${SOURCE}: the first line is not \"// must fail: REGEX\"")
endif()
set(reason "${CMAKE_MATCH_1}")

set(compile ${COMPILER} ${FLAGS} -fsyntax-only ${SOURCE})
execute_process(COMMAND ${compile} RESULT_VARIABLE status ERROR_VARIABLE words)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must compile without MUST_FAIL:\n${words}")
endif()

execute_process(COMMAND ${compile} -DMUST_FAIL RESULT_VARIABLE status ERROR_VARIABLE words)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} must not compile with MUST_FAIL, but does")
endif()
string(REGEX MATCH "(^|\n)[^\n]*error:[^\n]*(${reason})" found "${words}")
if(NOT found)
  message(FATAL_ERROR "${SOURCE}: no error that matches \"${reason}\":\n${words}")
endif()
