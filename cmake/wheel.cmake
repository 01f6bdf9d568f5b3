# What a Python wheel holds besides python/narrows: the library, the program and what it reads, and the libraries that
# they need, all but those of glibc. They find each other from where they lie, wherever that is; of libraries that are
# loaded for another one only DT_RPATH tells where, so that it is that.
set_target_properties(narrows narrows_shared PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
target_link_options(narrows PRIVATE LINKER:--disable-new-dtags)
target_link_options(narrows_shared PRIVATE LINKER:--disable-new-dtags)

install(TARGETS narrows RUNTIME_DEPENDENCY_SET narrows_needs RUNTIME DESTINATION bin)
install(TARGETS narrows_shared RUNTIME_DEPENDENCY_SET narrows_needs LIBRARY DESTINATION lib NAMELINK_SKIP)
install(RUNTIME_DEPENDENCY_SET narrows_needs
  PRE_EXCLUDE_REGEXES "^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|narrows))\\.so.*" LIBRARY DESTINATION lib)
install(DIRECTORY scenarios DESTINATION share/narrows)
install(DIRECTORY plots DESTINATION share/narrows PATTERN gallery EXCLUDE)
# A wheel has no symbolic links: each library lies under the name that others ask for, once.
install(CODE [[
  file(GLOB libraries ${CMAKE_INSTALL_PREFIX}/lib/*)
  foreach(library ${libraries})
    if(IS_SYMLINK ${library})
      file(REAL_PATH ${library} file)
      file(RENAME ${file} ${library})
    endif()
  endforeach()
]])
