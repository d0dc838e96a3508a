#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <systemc>

// libsystemc brings main(), which calls sc_main().
int sc_main(int argc, char* argv[]) {
    return Catch::Session().run(argc, argv);
}
