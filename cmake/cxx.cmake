# nw_enable_cxx() - C++ for the few who need it: what they build is left out where there is no compiler for it. A build
# without them asks for none. Sets CMAKE_CXX_COMPILER, empty if there is none.
include(CheckLanguage)
macro(nw_enable_cxx)
  if(NOT CMAKE_CXX_COMPILER)
    # The sister of the C compiler, so that one sanitizer runtime is linked.
    set(sister ${CMAKE_C_COMPILER})
    string(REGEX REPLACE "clang([^/]*)$" "clang++\\1" sister "${sister}")
    string(REGEX REPLACE "gcc([^/]*)$" "g++\\1" sister "${sister}")
    if(NOT sister STREQUAL CMAKE_C_COMPILER AND EXISTS "${sister}")
      set(CMAKE_CXX_COMPILER ${sister})
    else()
      check_language(CXX)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_FLAGS_RELEASE "-O3") # as for C: with assertions
  endif()
endmacro()
