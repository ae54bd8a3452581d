# Writes the pages that 'linesman explain' prints as C++: the documents stay the
# one source.  cmake -D DOCS=docs -D OUTPUT=file -P EmbedPages.cmake
#
# A string literal of the largest page stays far below compilers' limits.
file(GLOB checks ${DOCS}/checks/*.md)
list(FILTER checks EXCLUDE REGEX "/README\\.md$")
list(SORT checks)
set(text "")
foreach(page ${checks})
  get_filename_component(name ${page} NAME_WE)
  file(READ ${page} body)
  if(body MATCHES "\\)linesman\"")
    message(FATAL_ERROR "${page} has the characters that end it in C++")
  endif()
  string(APPEND text "{\"${name}\", R\"linesman(${body})linesman\"},\n")
endforeach()
file(READ ${DOCS}/glossary.md body)
string(APPEND text "{\"\", R\"linesman(${body})linesman\"},\n")
file(WRITE ${OUTPUT} "${text}")
