# narrows_build.h is written while building, not while configuring, so that the commit it names is the one built.
# nw_options depends on it; only files that include it are recompiled when it changes.
add_custom_target(build_info
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DOUTPUT=${PROJECT_BINARY_DIR}/generated/narrows_build.h -P ${PROJECT_SOURCE_DIR}/cmake/build_info.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/narrows_build.h
  VERBATIM)
add_dependencies(nw_options build_info)
