# Read by cpack: the plugins for the other release come from its own build, as
# the preset llvm19 leaves it. Whether it is there is known only now.
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build)
set(other ${build}/llvm19)
if(EXISTS ${other}/lib/linesman-facts.so AND EXISTS ${other}/lib/linesman-tidy.so)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${other} Linesman ALL /)
else()
  message(WARNING "no plugins for LLVM 19 in ${other}: build the preset llvm19 first, or the package is without them")
endif()
