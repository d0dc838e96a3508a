option(SLAB_WERROR "Warnings are errors" OFF)
option(SLAB_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(SLAB_FUZZ "Build for libFuzzer, and its targets instead of the tests; needs clang" OFF)
if(SLAB_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "SLAB_FUZZ needs clang: cmake --preset fuzz")
endif()

add_library(slab_options INTERFACE)
add_library(slab::options ALIAS slab_options)
target_include_directories(slab_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
# No fused multiply-add: the same input gives the same bytes on every machine.
target_compile_options(slab_options INTERFACE -Wall -Wextra -Wshadow -ffp-contract=off
  $<$<BOOL:${SLAB_WERROR}>:-Werror>
  $<$<BOOL:${SLAB_SANITIZE}>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1>
  # comparisons are not traced, which texts changed by tokens gain little from: twice as many texts a second
  $<$<BOOL:${SLAB_FUZZ}>:-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -D_GLIBCXX_ASSERTIONS>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # false alarms about variants in optimised code
target_link_options(slab_options INTERFACE
  $<$<BOOL:${SLAB_SANITIZE}>:-fsanitize=address,undefined>)

# slab_library(sim SOURCES a.cpp … [PUBLIC slab::x …] [PRIVATE slab::y …])
# One static library per folder, slab::<name>; the link lines are the arrows between the folders.
function(slab_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(slab_${name} STATIC ${ARG_SOURCES})
  add_library(slab::${name} ALIAS slab_${name})
  target_link_libraries(slab_${name} PUBLIC slab::options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()
