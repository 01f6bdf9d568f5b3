# cmake -DSOURCE_DIR=... -DVERSION=... -DOUTPUT=narrows_build.h -P build_info.cmake
# NARROWS_COMMIT  git describe of the sources; "unknown" outside a repository.
# NW_SIM_DIGEST   16 hex digits over the code of model/ and sim/, comments apart: a point stored by another
#                 simulator is another point.
# NW_TRAIN_DIGEST the same of what trained points depend on: model/, train/, kernels/ and what reads data.
cmake_minimum_required(VERSION 3.25)
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --dirty
                  OUTPUT_VARIABLE described RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND described)
    set(commit ${described})
  endif()
endif()

# code_of(VARIABLE file): its text without comments, blank space, header guards and the folders of included headers:
# what changes when prose is edited or a file is moved, and changes no result.
function(code_of variable file)
  file(READ ${file} text)
  set(code "")
  string(FIND "${text}" "/*" begin)
  while(NOT begin EQUAL -1)
    string(SUBSTRING "${text}" 0 ${begin} before)
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "*/" end)
    if(end EQUAL -1)
      break()
    endif()
    math(EXPR end "${end} + 2")
    string(SUBSTRING "${text}" ${end} -1 text)
    string(APPEND code "${before} ")
    string(FIND "${text}" "/*" begin)
  endwhile()
  string(APPEND code "${text}")
  string(REGEX REPLACE "#(ifndef|define) NARROWS_[A-Z0-9_]+_C?U?H\n" "" code "${code}")
  string(REGEX REPLACE "#include \"[^\"\n]*/" "#include \"" code "${code}")
  string(REGEX REPLACE "[ \t\r\n]+" "" code "${code}")
  set(${variable} "${code}" PARENT_SCOPE)
endfunction()

# digest_of(VARIABLE files...): of their code, in an order that does not depend on their names.
function(digest_of variable)
  set(hashes "")
  foreach(source ${ARGN})
    code_of(code ${SOURCE_DIR}/${source})
    string(SHA256 hash "${code}")
    list(APPEND hashes ${hash})
  endforeach()
  list(SORT hashes)
  string(SHA256 digest "${hashes}")
  string(SUBSTRING ${digest} 0 16 digest)
  set(${variable} ${digest} PARENT_SCOPE)
endfunction()

# sources_in(VARIABLE folders...): every source file in them and in the folders below.
function(sources_in variable)
  set(patterns "")
  foreach(folder ${ARGN})
    foreach(ending c h cu cuh)
      list(APPEND patterns ${SOURCE_DIR}/${folder}/*.${ending})
    endforeach()
  endforeach()
  file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${patterns})
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

sources_in(sim model sim)
sources_in(train model train kernels harness/data)
digest_of(digest ${sim})
digest_of(train_digest ${train})

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "/* Written by cmake/build_info.cmake while building. */
#ifndef NARROWS_BUILD_H
#define NARROWS_BUILD_H
#define NARROWS_VERSION \"@VERSION@\"
#define NARROWS_COMMIT \"@commit@\"
#define NW_SIM_DIGEST \"@digest@\"
#define NW_TRAIN_DIGEST \"@train_digest@\"
#endif
")
