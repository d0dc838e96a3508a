# Everything comes from Debian packages (scripts/setup lists them); nothing is downloaded here.
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

option(BUILD_TESTING "Build the tests, which need Catch2" ON)
if(BUILD_TESTING)
  find_package(Catch2 REQUIRED)
  if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    target_include_directories(Catch2::Catch2 INTERFACE ${PROJECT_SOURCE_DIR}/cmake/catch2_v3)
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Debian's libsystemc is built as C++17 and checks that its users are: SC_CPLUSPLUS tells it so.
add_library(slab_systemc INTERFACE)
add_library(slab::systemc ALIAS slab_systemc)
find_path(SYSTEMC_INCLUDE systemc REQUIRED)
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
target_include_directories(slab_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE})
target_link_libraries(slab_systemc INTERFACE ${SYSTEMC_LIBRARY})
target_compile_definitions(slab_systemc INTERFACE SC_CPLUSPLUS=201703L)
