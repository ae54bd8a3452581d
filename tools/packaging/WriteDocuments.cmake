# Manual pages and completions, from the program's own option tables.
#   cmake -D LINESMAN=bin/linesman -D OUTPUT=folder -P WriteDocuments.cmake
function(write name)
  execute_process(COMMAND ${LINESMAN} ${ARGN} OUTPUT_FILE ${OUTPUT}/${name} RESULT_VARIABLE code)
  file(SIZE ${OUTPUT}/${name} size)
  # A command that describes itself has not run: it returns as after a mistake.
  if(code GREATER 2 OR size EQUAL 0)
    message(FATAL_ERROR "linesman ${ARGN}: ${code}, ${size} bytes")
  endif()
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT}/man ${OUTPUT}/bash ${OUTPUT}/zsh ${OUTPUT}/fish)
write(man/linesman.1 help --describe-all=man)
execute_process(COMMAND ${LINESMAN} --help OUTPUT_VARIABLE usage COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+ " commands "${usage}")
foreach(command ${commands})
  string(STRIP "${command}" command)
  write(man/linesman-${command}.1 ${command} --describe=man)
endforeach()
write(bash/linesman help --describe-all=bash)
write(zsh/_linesman help --describe-all=zsh)
write(fish/linesman.fish help --describe-all=fish)
