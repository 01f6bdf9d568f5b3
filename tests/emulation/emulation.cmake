# Tests that run CUDA kernels on the processor; tests/emulation/emulation.h says how to write one.
#
#   narrows_emulated_test(NAME SOURCES test.c... CUDA cuda.cu... [LIBS targets...] [LABELS labels...] [TIMEOUT seconds]
#                         [DEFINITIONS definitions...])
#
# The .cu files are named from the root. harness/bench/device.h is there too, over the process's own memory.
#
# Without a C++ compiler these tests are left out.
include(cxx)
nw_enable_cxx()
set(NW_HAVE_EMULATION OFF)
if(CMAKE_CXX_COMPILER)
  set(NW_HAVE_EMULATION ON)
  add_library(emulation STATIC emulation/emulation.c emulation/block.c emulation/fiber.c emulation/device_emulated.c)
  target_compile_options(emulation PRIVATE -O2) # where most of the time of these tests goes
else()
  message(STATUS "emulated CUDA tests: no C++ compiler found, leaving them out (Debian: g++)")
endif()

function(narrows_emulated_test name)
  if(NOT NW_HAVE_EMULATION)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;CUDA;LIBS;LABELS;DEFINITIONS")
  set(cuda ${arg_CUDA})
  list(TRANSFORM cuda PREPEND ${PROJECT_SOURCE_DIR}/)
  set_source_files_properties(${cuda} PROPERTIES LANGUAGE CXX)
  narrows_test(${name} SOURCES ${arg_SOURCES} ${cuda} LIBS emulation ${arg_LIBS} LABELS ${arg_LABELS} emulation
    TIMEOUT ${arg_TIMEOUT})
  target_include_directories(${name} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/tests/emulation)
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  set_target_properties(${name} PROPERTIES CXX_STANDARD 14 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS ON)
  set(flags -ffp-contract=off -fdata-sections -fno-strict-aliasing
    -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-function)
  if(NW_WERROR)
    list(APPEND flags -Werror)
  endif()
  if(NW_SANITIZE)
    list(JOIN NW_SANITIZE "," joined)
    list(APPEND flags -fsanitize=${joined} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  endif()
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  target_link_options(${name} PRIVATE LINKER:-T,${PROJECT_SOURCE_DIR}/tests/emulation/shared.ld)
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tests/emulation/shared.ld)
endfunction()
