#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "examples.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

using namespace slab;
using namespace slab::report;

namespace {

const std::string attention_screen =
    R"(flash_attention on v6e at 1.75 GHz (nominal clock): S = 4096, D = 128, bq = 1024, bk = 1024

time          5.000 ms       8,750,000 cycles, 8,192 steps, 3,584 of them dead
compute       274.9 TFLOP/s   29.9 % of the peak of 918 TFLOP/s
HBM           225.2 GB/s      13.7 % of the peak of 1,640 GB/s
roofline      4.150 ms        83.0 % reached, bound by vpu; 1,220 FLOP/B, above the ridge at 559.8

Vector work (vpu) bounds it: busy 83 % of the time; next mxu 55 %, load 40 %; hbm 12 %

unit                                        busy             cycles
vpu     vector arithmetic (VALU)          83.0 %          7,262,500  ███████████████████████▎    ▏
mxu     matrix units                      55.0 %          4,812,500  ███████████████▍            ▏
load    vector loads                      40.0 %          3,500,000  ███████████▎                ▏
eup     exp, log, reciprocal              28.0 %          2,450,000  ███████▉                    ▏
store   vector stores                     25.0 %          2,187,500  ███████                     ▏
xlu     lane reductions, transposes       12.0 %          1,050,000  ███▍                        ▏
hbm     device memory                     12.0 %          1,050,000  ███▍                        ▏
scalar  control and addresses             <0.1 %              3,500                              ▏

the core waited for                        share             cycles
vector                                    11.0 %            962,500  ███▏                        ▏
fetch of k                                 2.0 %            175,000  ▌                           ▏
launch                                    <0.1 %              2,625                              ▏

HBM traffic of         array        read     times     written     times      copies
k                  128.0 MiB   409.0 MiB     3.2 x                             4,608
v                  128.0 MiB   409.0 MiB     3.2 x                             4,608
q                  128.0 MiB   128.0 MiB     1.0 x                               512
o                  128.0 MiB                         128.0 MiB     1.0 x         512

VMEM              role     type                  copies       size  padding
s                 live     f32[2048, 1024]            1    8.0 MiB    0.0 %
p                 live     f32[2048, 1024]            1    8.0 MiB    0.0 %
q                 window   bf16[1024, 128]            2  512.0 KiB    0.0 %
k                 window   bf16[1024, 128]            2  512.0 KiB    0.0 %
acc               scratch  f32[1024, 128]             1  512.0 KiB    0.0 %
m                 scratch  f32[1024, 1]               1  512.0 KiB   99.2 %
total                                                     18.0 MiB    2.8 %  56.2 % of 32.0 MiB
)";

const std::string two_cores_screen = R"(copy on toy at 1 GHz (nominal clock)

time          1.000 us       1,000 cycles, 8 steps, 1 of them dead; first of 2 cores at 900.0 ns
compute    0.008192 TFLOP/s    6.4 % of the peak of 0.128 TFLOP/s
HBM           4.096 GB/s      80.0 % of the peak of 5.12 GB/s
roofline      800.0 ns        80.0 % reached, bound by hbm; 2 FLOP/B, below the ridge at 25

HBM bandwidth (hbm) bounds it: busy 80 % of the time; next mxu 9 %

unit of core 1, the slowest                 busy             cycles
hbm     device memory                     80.0 %                800  ██████████████████████▍     ▏
mxu     matrix units                       9.0 %                 90  ██▌                         ▏

the core waited for                        share             cycles
fetch of a                                91.0 %                910  █████████████████████████▌  ▏

HBM of 2 cores         array        read     times     written     times      copies
a                    2.0 KiB     2.0 KiB     1.0 x                                 8
c                    4.0 KiB                           2.0 KiB     0.5 x           8

VMEM              role     type                  copies       size  padding
a                 window   f32[8, 64]                 2    4.0 KiB    0.0 %
total                                                      4.0 KiB    0.0 %  6.2 % of 64.0 KiB
)";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream rest(text);
    for (std::string line; std::getline(rest, line);) lines.push_back(line);
    return lines;
}

void check_fits(const std::string& screen) {
    INFO(screen);
    const std::vector<std::string> lines = lines_of(screen);
    CHECK(lines.size() <= 45);
    for (const std::string& line : lines) {
        CHECK(width(line) <= 100);
        CHECK_FALSE(line.ends_with(' '));
    }
}

std::string without_codes(std::string text) {
    for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;)
        text.erase(at, text.find('m', at) - at + 1);
    return text;
}

/// `M0 = 8192, M1 = 8192, …`
std::string many_sizes(int count) {
    std::string sizes;
    for (int i = 0; i < count; ++i) sizes += (i > 0 ? ", M" : "M") + std::to_string(i) + " = 8192";
    return sizes;
}

}  // namespace

TEST_CASE("the screen of a kernel on one core") {
    CHECK(render(examples::flash_attention(), Report::screen,
                 {.sizes = "S = 4096, D = 128, bq = 1024, bk = 1024"}) == attention_screen);
}

TEST_CASE("the screen of two cores names the slower one") {
    CHECK(render(examples::two_cores()) == two_cores_screen);
}

TEST_CASE("a kernel without work has a headline and no tables") {
    result::Result result;
    result.kernel = "nothing";
    CHECK(render(result) ==
          "nothing\n\n"
          "time          0 us  0 cycles\n");
}

TEST_CASE("compute and HBM are left out where there is none") {
    result::Result result = examples::two_cores();
    result.flops = 0;
    CHECK_THAT(render(result), !Catch::Contains("compute"));
    result.hbm_bytes = 0;
    CHECK_THAT(render(result), !Catch::Contains("GB/s"));
    CHECK_THAT(render(result), Catch::Contains("no HBM traffic"));
}

TEST_CASE("whatever the result, the screen fits a screen") {
    check_fits(render(examples::flash_attention()));
    check_fits(render(examples::crowded()));
    for (int count : {1, 5, 12, 100})
        check_fits(render(examples::crowded(), Report::screen, {.sizes = many_sizes(count)}));
}

TEST_CASE("rows beyond the space become one with their sum") {
    const std::string screen = render(examples::crowded());
    CHECK_THAT(screen, Catch::Contains("12 more at most"));
    CHECK_THAT(screen, Catch::Contains("11 more                                   33.0 %"));
}

TEST_CASE("sizes that do not fit the headline get lines of their own") {
    const auto lines =
        lines_of(render(examples::flash_attention(), Report::screen, {.sizes = many_sizes(12)}));
    CHECK(lines[0] == "flash_attention on v6e at 1.75 GHz (nominal clock)");
    CHECK(lines[1].starts_with("  M0 = 8192, M1"));
    CHECK(lines[1].ends_with(','));
    CHECK(lines[2].ends_with("M11 = 8192"));
    CHECK(lines[3].empty());
}

TEST_CASE("colour adds codes and changes no letter") {
    const result::Result result = examples::flash_attention();
    const std::string coloured = render(result, Report::screen, {.colour = true});
    CHECK(coloured.starts_with("\x1b[1mflash_attention"));
    CHECK(without_codes(coloured) == render(result));
    CHECK_THAT(render(result), !Catch::Contains("\x1b"));
}

TEST_CASE("numbers that are not finite do not reach the bars") {
    result::Result result = examples::two_cores();
    result.cores[1].units[1].busy_fraction = std::numeric_limits<double>::infinity();
    result.roofline.intensity_flop_per_byte = std::numeric_limits<double>::infinity();
    check_fits(render(result));
    CHECK_THAT(render(result), !Catch::Contains("inf"));
}

TEST_CASE("a kernel that stopped early says so below its name") {
    result::Result result = examples::crowded();
    result.fault = "division by zero at flash.slab:12:9";
    const std::string screen = render(result, Report::screen, {.sizes = many_sizes(12)});
    check_fits(screen);
    CHECK_THAT(screen, Catch::Contains("\nstopped early: division by zero at flash.slab:12:9; "
                                       "below is the part that ran\n"));
}

TEST_CASE("what the kernel prints comes last, with the number of lines that are left out") {
    result::Result result = examples::flash_attention();
    result.prints = {"block 0 3", "block 1 5"};
    result.print_count = 12;
    CHECK_THAT(render(result), Catch::EndsWith("\n\nthe kernel prints\n  block 0 3\n  block 1 5\n"
                                               "  and 10 lines more\n"));
}

TEST_CASE("SMEM has a row below the total of VMEM") {
    result::Result result = examples::flash_attention();
    CHECK_THAT(render(result), !Catch::Contains("SMEM"));
    result.vmem.smem_bytes = 256 << 10;
    result.vmem.smem_limit = 1 << 20;
    const std::string screen = render(result);
    const std::string row = screen.substr(screen.rfind("\nSMEM ") + 1);
    CHECK_THAT(row, Catch::Contains("256.0 KiB"));
    CHECK_THAT(row, Catch::EndsWith("25.0 % of 1.0 MiB\n"));
    check_fits(screen);
}

TEST_CASE("the band of the time says what it comes from, and nothing of what does not matter") {
    const result::Result result = examples::flash_attention();
    Style style;
    CHECK_THAT(render(result, Report::screen, style), !Catch::Contains("the time if"));
    style.sensitivity =
        result::Sensitivity{0.1,
                            result.time_us * 1.2,
                            result.time_us * 0.9,
                            {{"vector", "slots", result.time_us * 1.1, result.time_us},
                             {"ici", "links", result.time_us, result.time_us}}};
    const std::string screen = render(result, Report::screen, style);
    CHECK_THAT(screen, Catch::Contains("10 % slower  10 % faster"));
    CHECK_THAT(screen, Catch::Contains("+10.0 %       +0.0 %"));
    CHECK_THAT(screen, Catch::Contains("+20.0 %      -10.0 %"));
    CHECK_THAT(screen, !Catch::Contains("links"));
    check_fits(screen);
}

TEST_CASE("the headline names the model of HBM where it is not the default") {
    result::Result result = examples::flash_attention();
    CHECK_THAT(render(result), !Catch::Contains("banked"));
    result.hbm_model = "banked";
    CHECK_THAT(render(result), Catch::Contains("(nominal clock), banked HBM"));
}

TEST_CASE("every report is found by its name") {
    CHECK(report_from_name("screen") == Report::screen);
    CHECK(report_from_name("json") == Report::json);
    CHECK_FALSE(report_from_name("poster"));
    CHECK(report_info(Report::json).name == "json");
    CHECK_FALSE(report_info(Report::json).description.empty());
}
