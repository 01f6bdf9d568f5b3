# cpack -G DEB, in the build folder: one package with the program, the library and what compiles against it.
find_program(NW_GZIP gzip REQUIRED)
mark_as_advanced(NW_GZIP)
set(in ${PROJECT_BINARY_DIR}/installed)
configure_file(cmake/debian/changelog.in installed/changelog.Debian @ONLY)
add_custom_command(OUTPUT ${in}/changelog.gz ${in}/changelog.Debian.gz VERBATIM
  COMMAND sh -c "gzip -9nc \"$1\" >\"$2/changelog.gz\" && gzip -9nkf \"$2/changelog.Debian\""
    sh ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${in}
  DEPENDS CHANGELOG.md ${in}/changelog.Debian)
add_custom_target(changelogs ALL DEPENDS ${in}/changelog.gz ${in}/changelog.Debian.gz)
add_dependencies(installable changelogs)
install(FILES ${in}/changelog.gz ${in}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME narrows)
set(CPACK_PACKAGE_VENDOR narrows)
set(CPACK_PACKAGE_CONTACT "the narrows authors <narrows@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
# All that it needs was built: by ./narrows package, or by the whole build.
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};narrows;ALL;/")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pkg-config | pkgconf, gcc | c-compiler")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compressed communication in neural network training")
set(CPACK_PACKAGE_DESCRIPTION "What would moving fewer bytes buy in the training of a neural network?
The program simulates a training step on a described cluster, with codecs
that are measured on real kernels, and repeats the tables of the papers.
The library libnarrows encodes and decodes tensors with the same codecs.")
include(CPack)
