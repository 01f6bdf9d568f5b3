# What is installed, and the Debian package. Nothing that is installed knows its prefix: the program finds
# ../share/narrows from where it lies, and so do narrows.pc and the CMake package.
include(CMakePackageConfigHelpers)
set(share ${CMAKE_INSTALL_DATADIR}/narrows)
set(doc ${CMAKE_INSTALL_DOCDIR})

install(TARGETS narrows RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET narrows-simgrid)
  install(TARGETS narrows-simgrid RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS narrows_shared EXPORT NarrowsTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES library/narrows.h library/narrows_plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# What the program reads, as it lies in the source tree.
install(DIRECTORY scenarios DESTINATION ${share})
install(DIRECTORY plots DESTINATION ${share} PATTERN gallery EXCLUDE)
install(DIRECTORY results/records DESTINATION ${share}/results)
install(DIRECTORY docs DESTINATION ${share} FILES_MATCHING PATTERN *.md)
install(FILES harness/bench/train/peer.py DESTINATION ${share}/harness/bench/train)
install(FILES library/example.c library/plugin_template.c DESTINATION ${doc}/examples)
install(FILES cmake/debian/copyright DESTINATION ${doc})

# For whoever links libnarrows.a: what the shared library brings along by itself.
set(NW_STATIC_LIBS -lm)
if(NW_HAVE_OPENMP)
  string(APPEND NW_STATIC_LIBS " ${OpenMP_C_FLAGS}")
endif()
if(NW_HAVE_CUDA)
  string(APPEND NW_STATIC_LIBS " -lcudart_static -lstdc++ -lpthread -ldl -lrt")
endif()
if(TARGET narrows_static)
  install(FILES ${PROJECT_BINARY_DIR}/lib/libnarrows.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
file(RELATIVE_PATH NW_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" NW_PC_UP "${NW_PC_UP}")
configure_file(library/narrows.pc.in installed/narrows.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/narrows.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Narrows)
configure_file(library/NarrowsConfig.cmake.in installed/NarrowsConfig.cmake @ONLY)
write_basic_package_version_file(installed/NarrowsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/installed/NarrowsConfig.cmake
  ${PROJECT_BINARY_DIR}/installed/NarrowsConfigVersion.cmake DESTINATION ${package})
install(EXPORT NarrowsTargets NAMESPACE narrows:: DESTINATION ${package})

# Manual pages: narrows(1) is what the program's --help says.
set(pages ${PROJECT_BINARY_DIR}/installed/narrows.1.gz ${PROJECT_BINARY_DIR}/installed/libnarrows.3.gz)
add_custom_command(OUTPUT ${pages} VERBATIM
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/man_pages.sh $<TARGET_FILE:narrows> ${PROJECT_SOURCE_DIR}/library/narrows.h
    ${PROJECT_VERSION} ${PROJECT_BINARY_DIR}/installed
  DEPENDS narrows cmake/man_pages.sh library/narrows.h COMMENT "Writing the manual pages")
add_custom_target(man_pages ALL DEPENDS ${pages})
install(FILES ${PROJECT_BINARY_DIR}/installed/narrows.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/installed/libnarrows.3.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

# All that is installed, and nothing that is not.
add_custom_target(installable DEPENDS narrows narrows_shared man_pages)
foreach(target narrows_static narrows-simgrid)
  if(TARGET ${target})
    add_dependencies(installable ${target})
  endif()
endforeach()

include(debian/package)
