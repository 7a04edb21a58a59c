// JSON output of duet_stat, against tools/duet_stat.schema.json.
#include "tests/schema.h"

#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/run_duet_stat.h"

namespace duetbench::duet_stat {
namespace {

#ifdef DUETBENCH_HAVE_VALIJSON
using nlohmann::json;

std::string Golden(const char* name) { return absl::StrCat(DUETBENCH_TESTDATA "/golden/", name); }

json Schema() { return json::parse(std::ifstream(DUET_STAT_SCHEMA)); }

// Times of three runs on three machines.
std::string Times(int least) {
  std::string csv = "benchmark,machine,run,time\n";
  for (int i = 0; i < 90; ++i) {
    absl::StrAppend(&csv, "a,m", i % 3, ",", i / 3 % 3, ",", least + i * 7 % 11, "\n");
  }
  return csv;
}

json Output(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--format=json", "--resamples=100"});
  const Outcome outcome = RunDuetStat(arguments, {{"old.csv", Times(100)},
                                                  {"new.csv", Times(120)},
                                                  {"one.csv", "run,x,y\n1,2,1\n1,2,1\n1,2,1\n"}});
  return json::parse(outcome.out);
}

TEST(DuetStatSchema, HoldsForOutputsOfAllKinds) {
  const json schema = Schema();
  const std::string pairs = Golden("duet_r10.csv");
  const std::vector<std::string> all[] = {
      {pairs},
      {"--paper", "--rules=all", "--ci=robust,t,percentile,hier,difference-of-means", pairs},
      {"--mds", "--winsorize=range20", pairs},
      {"--shuffle", "--margin=0", pairs},
      {Golden("duet_tiny.csv")},
      {"one.csv"},
      {"--ci=robust,t", "one.csv"},
      {"--compare", "old.csv", "new.csv"},
      {"--compare", "--rates", "--ci=difference-of-means", "old.csv", "new.csv"},
      {"--grid", "--resamplings=5", "old.csv"},
      {"--grid", "--mds", "--resamplings=5", "old.csv"},
  };
  for (const std::vector<std::string>& arguments : all) {
    SCOPED_TRACE(arguments[0]);
    const json output = Output(arguments);
    EXPECT_FALSE(output["benchmarks"].empty());
    EXPECT_EQ(Violations(output, schema), "") << output.dump(1);
  }
}

#else
TEST(DuetStatSchema, NeedsAValidator) {
  GTEST_SKIP() << "valijson is not installed (apt-get install libvalijson-dev)";
}
#endif

}  // namespace
}  // namespace duetbench::duet_stat
