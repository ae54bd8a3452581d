# The checks on some sources, with a proof that they ran:
#   cmake -D CLANG_TIDY=... -D PLUGIN=... -D CHECKS=... -D BUILD=... -P RunTidy.cmake -- SOURCE...
set(sources "")
set(are_sources OFF)
foreach(i RANGE ${CMAKE_ARGC})
  if(are_sources AND DEFINED CMAKE_ARGV${i} AND NOT CMAKE_ARGV${i} STREQUAL "")
    list(APPEND sources "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(are_sources ON)
  endif()
endforeach()
if(NOT sources)
  message(FATAL_ERROR "linesman_tidy: no C or C++ sources, so nothing was checked")
endif()

# The canary is a hazard that the checks must see.
set(canary "${BUILD}/CMakeFiles/linesman-canary.cpp")
file(WRITE "${canary}" "static long written;\nvoid write() { written = 1; }\n")
execute_process(COMMAND ${CLANG_TIDY} --load=${PLUGIN} "--checks=-*,linesman-write-only-global" --config={} "${canary}" --
  OUTPUT_VARIABLE said ERROR_VARIABLE problem RESULT_VARIABLE code)
if(code OR NOT said MATCHES "linesman-write-only-global")
  message(FATAL_ERROR "linesman_tidy: the checks do not run in ${CLANG_TIDY}:\n${said}${problem}")
endif()
execute_process(COMMAND ${CLANG_TIDY} --load=${PLUGIN} "--checks=${CHECKS}" --warnings-as-errors=* --quiet -p ${BUILD} ${sources}
  RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "linesman_tidy: findings, or errors, in the sources above")
endif()
