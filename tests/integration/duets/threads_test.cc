// Variants that start threads are found, and get all CPUs.
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class ThreadsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (AllowedCpus().size() < 2) GTEST_SKIP() << "one CPU: nothing to choose";
  }
};

Outcome Threads(const std::string& filter, std::vector<std::string> arguments = {}) {
  arguments.push_back("--benchmark_filter=^" + filter + "$");
  arguments.emplace_back("--duet_runs=3");
  arguments.emplace_back("--benchmark_min_time=0.3");
  return Execute("threads", arguments);
}

TEST_F(ThreadsTest, OfAVariantAreFound) {
  const Outcome started = Threads("Starts");
  EXPECT_EQ(started.status, 0) << started.err;
  // Two where a thread that has ended is still there as the next one begins.
  EXPECT_THAT(started.out, ContainsRegex("duetbench: new starts (1 thread|2 threads): measured one "
                                         "variant at a time, with all CPUs \\("));
  EXPECT_THAT(started.out, HasSubstr("interleaved on all CPUs"));
  EXPECT_THAT(Threads("Keeps").out, HasSubstr("duetbench: old starts "));
}

TEST_F(ThreadsTest, ThatNameThemselvesAreFoundToo) {
  EXPECT_THAT(Threads("Names").out, HasSubstr(": measured one variant at a time, with all CPUs"));
}

TEST_F(ThreadsTest, HaveANumberOfCpus) {
  const Outcome two = Threads("Starts", {"--duet_cpus_per_variant=2"});
  EXPECT_THAT(two.out, HasSubstr("interleaved on 2 CPUs"));
  EXPECT_THAT(two.out, Not(HasSubstr("cannot use")));
  const Outcome many = Threads("Starts", {"--duet_cpus_per_variant=100000"});
  EXPECT_EQ(many.status, 0) << many.err;
  EXPECT_THAT(many.out, HasSubstr("a variant cannot use 100000 CPUs, as this process may use " +
                                  std::to_string(AllowedCpus().size())));
}

TEST_F(ThreadsTest, WithoutThemNothingChanges) {
  const Outcome outcome = Threads("Same", {"--benchmark_format=json"});
  EXPECT_FALSE(RowOf(JsonOf(outcome.out), "Same").contains("all_cpus")) << outcome.out;
  EXPECT_THAT(Threads("Same").out, Not(HasSubstr("starts")));
}

TEST_F(ThreadsTest, TheUserDecides) {
  const auto row = [](const std::string& filter, std::vector<std::string> arguments) {
    arguments.emplace_back("--benchmark_format=json");
    return RowOf(JsonOf(Threads(filter, std::move(arguments)).out), filter);
  };
  EXPECT_EQ(row("All", {})["all_cpus"], 1);
  EXPECT_EQ(row("Same", {"--duet_cpus_per_variant=all"})["all_cpus"], 1);
  EXPECT_FALSE(row("Starts", {"--duet_cpus_per_variant=1"}).contains("all_cpus"));
}

}  // namespace
}  // namespace duetbench::integration
