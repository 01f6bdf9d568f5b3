# cmake -DSOURCE_DIR=... -DVERSION=... -DOUTPUT=narrows_build.h -P build_info.cmake
# NARROWS_COMMIT  git describe of the sources; "unknown" outside a repository.
# NW_SIM_DIGEST   16 hex digits over the contents of sim/: a point stored by another simulator is another point.
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

file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/sim/*.c ${SOURCE_DIR}/sim/*.h)
set(hashes "")
foreach(source ${sources})
  file(SHA256 ${SOURCE_DIR}/${source} hash)
  string(APPEND hashes "${source} ${hash}\n")
endforeach()
string(SHA256 digest "${hashes}")
string(SUBSTRING ${digest} 0 16 digest)

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "/* Written by cmake/build_info.cmake while building. */
#ifndef NARROWS_BUILD_H
#define NARROWS_BUILD_H
#define NARROWS_VERSION \"@VERSION@\"
#define NARROWS_COMMIT \"@commit@\"
#define NW_SIM_DIGEST \"@digest@\"
#endif
")
