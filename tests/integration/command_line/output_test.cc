// Outputs that a user sees: terminals, files, colours, widths. The lines of each format are in
// tests/google_benchmark.
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using ::testing::Not;

Outcome OnTerminal(const std::vector<std::string>& arguments) {
  Request request;
  request.program = PathOf("suite");
  request.arguments = arguments;
  request.on_terminal = true;
  return Execute(request);
}

TEST(ConsoleTest, ATerminalGetsProgressAndColours) {
  const Outcome outcome = OnTerminal({"--benchmark_filter=BM_Once"});
  EXPECT_EQ(outcome.status, 0);
  // The progress line is gone before the table goes on.
  EXPECT_THAT(outcome.out, Says("\r\033[Kduet 1 of 1, BM_Once_vs_BM_FiveTimes: run 2 of 2, [...] s "
                                "left\r\033[K[...]\033[0;32mBM_Once_vs_BM_FiveTimes"));
  const size_t last_progress = outcome.out.rfind(" s left");
  EXPECT_EQ(outcome.out.substr(last_progress + 7, 4), "\r\033[K");
  EXPECT_THAT(OnTerminal({"--benchmark_filter=BM_Once", "--benchmark_color=false"}).out,
              Not(Says("\033[0;32m")));
  EXPECT_THAT(OnTerminal({"--benchmark_filter=BM_OldSteps", "--benchmark_min_time=0.2"}).out,
              Says("\r\033[K0 of 3 duets done, BM_OldSteps_vs_BM_NewSteps/[...] s left[...]"
                   "\r\033[K1 of 3 duets done, BM_OldSteps_vs_BM_NewSteps/"));
}

TEST(FileTest, HasTheSameNumbersAsTheDisplay) {
  const Folder folder;
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--benchmark_format=json",
                        absl::StrCat("--benchmark_out=", folder.File("report"))});
  EXPECT_EQ(RowOf(JsonOf(outcome.out), "BM_Once_vs_BM_FiveTimes"),
            RowOf(JsonOf(TextOf(folder.File("report"))), "BM_Once_vs_BM_FiveTimes"));
}

// Our lines stay within 120 columns, except the last ones, which are for a log or a shell: the
// messages of gates and commands. Rows are as wide as their names and counters.
TEST(OutputTest, LinesFit) {
  const std::regex ours("^(duetbench: |  (?!alone: |.*--benchmark_filter=))");
  for (const char* program : {"suite", "gates", "counters", "mixed"}) {
    const Outcome outcome = Execute(program, {"--benchmark_min_time=0.02", "--duet_max_ratio=1.5"});
    int lines = 0;
    for (const std::string& line : LinesOf(outcome.out)) {
      if (!std::regex_search(line, ours)) continue;
      ++lines;
      EXPECT_LE(Width(line), 120u) << program << ": " << line;
    }
    EXPECT_GT(lines, 5) << program << outcome.err;
  }
}

}  // namespace
}  // namespace duetbench::integration
