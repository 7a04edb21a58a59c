// Processes: how many, which, on which CPUs, and from where they are started.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

// The duet BM_Once_vs_BM_FiveTimes, whose variants note their processes in `log`.
Request Noting(const std::string& program, const std::string& log,
               const std::vector<std::string>& arguments) {
  Request request;
  request.program = program;
  request.arguments = arguments;
  request.arguments.emplace_back("--benchmark_filter=BM_Once");
  request.environment = {{"INTEGRATION_LOG", log}};
  return request;
}

TEST(RunsTest, EachRunIsAProcessOfItsOwn) {
  const Folder folder;
  const Outcome outcome =
      Execute(Noting(PathOf("suite"), folder.File("log"), {"--duet_runs=3", kNoPilots}));
  EXPECT_EQ(outcome.status, 0);
  const auto processes = NotesByProcess(folder.File("log"));
  // Three runs, and the one that calibrates.
  EXPECT_EQ(processes.size(), 4u);
  EXPECT_EQ(processes.count(outcome.pid), 0u);
  for (const auto& [pid, notes] : processes) {
    EXPECT_THAT(std::set<std::string>(notes.begin(), notes.end()), ElementsAre("new", "old"));
  }
}

// The layout of a process is random, also if the main fixed it for the sake of ordinary benchmarks.
TEST(RunsTest, EachRunHasALayoutOfItsOwn) {
  if (TextOf("/proc/sys/kernel/randomize_va_space")[0] == '0') GTEST_SKIP() << "switched off";
  const Folder folder;
  const std::string log = folder.File("log");
  ASSERT_EQ(Execute("own_main", {"--duet_runs=4", kNoPilots}, {{"INTEGRATION_LOG", log}}).status,
            0);
  const auto processes = NotesByProcess(log);
  EXPECT_EQ(processes.size(), 5u);
  std::set<std::string> all;
  for (const auto& [pid, places] : processes) {
    EXPECT_THAT(places, ::testing::Each(places[0]));
    all.insert(places[0]);
  }
  EXPECT_GT(all.size(), 1u);
}

TEST(RunsTest, InADryRunOrdinaryBenchmarksDoOneIterationAndDuetsOnePair) {
  const Folder folder;
  const json report = ReportWith("suite",
                                 {"--benchmark_filter=^BM_(Apples|Once)", "--benchmark_dry_run",
                                  "--benchmark_repetitions=3", "--benchmark_min_warmup_time=1"},
                                 {{"INTEGRATION_LOG", folder.File("log")}});
  const std::string name = "BM_Once_vs_BM_FiveTimes";
  EXPECT_THAT(NamesOf(report),
              ElementsAre("BM_Apples/20", "BM_Apples/40", name + "/old", name + "/new", name));
  for (const json& row : report["benchmarks"]) EXPECT_EQ(row["iterations"], 1) << row;
  EXPECT_EQ(NotingProcesses(folder.File("log")), 1u) << "one run, in a separate process";
  EXPECT_EQ(RowOf(report, name + "/old")["pears"], 3);
  EXPECT_FALSE(RowOf(report, name).contains("ratio"));
}

TEST(RunsTest, TheTwoVariantsStartOnDifferentCpus) {
  if (AllowedCpus().size() < 2) GTEST_SKIP() << "one CPU";
  const Folder folder;
  Execute(Noting(PathOf("suite"), folder.File("log"), {"--duet_runs=2", "--duet_schedule=duet"}));
  std::map<pid_t, std::set<int>> cpus;
  for (const Note& note : NotesOf(folder.File("log"))) cpus[note.pid].insert(note.cpu);
  EXPECT_EQ(cpus.size(), 3u);
  for (const auto& [pid, both] : cpus) EXPECT_EQ(both.size(), 2u);
}

// The random choices that a variant can see: which variant is set up first in each run, and where.
std::vector<std::pair<std::string, int>> RolesOf(const std::string& log) {
  std::vector<std::pair<std::string, int>> roles;
  std::map<pid_t, int> notes;
  for (const Note& note : NotesOf(log)) {
    if (++notes[note.pid] > 2) continue;
    roles.emplace_back(note.what, note.cpu);
  }
  return roles;
}

TEST(RunsTest, ThePrintedSeedReproducesTheRoles) {
  const Folder folder;
  // The choice of a schedule depends on what is measured.
  const std::string schedule = "--duet_schedule=duet";
  const Outcome first =
      Execute(Noting(PathOf("suite"), folder.File("first"), {"--duet_runs=8", schedule}));
  const size_t begin = first.out.find("--duet_seed=");
  ASSERT_NE(begin, std::string::npos);
  const std::string seed = first.out.substr(begin, first.out.find('\n', begin) - begin);
  Execute(Noting(PathOf("suite"), folder.File("again"), {"--duet_runs=8", schedule, seed}));
  EXPECT_EQ(NotingProcesses(folder.File("first")), 9u);
  EXPECT_EQ(RolesOf(folder.File("first")), RolesOf(folder.File("again")));
}

TEST(RunsTest, RepetitionsOfADuetAreMoreTime) {
  const auto pairs = [](const char* repetitions) {
    const json row = RowOf(ReportWith("suite", {"--benchmark_filter=BM_Once",
                                                "--benchmark_min_time=0.1", repetitions}),
                           "BM_Once_vs_BM_FiveTimes");
    EXPECT_EQ(row["repetitions"], 1);
    return row["pairs"].get<int>();
  };
  EXPECT_GT(pairs("--benchmark_repetitions=10"), 2 * pairs("--benchmark_repetitions=1"));
}

// --- Where the executable is found ---

TEST(ExecutableTest, IsFoundFromAnotherFolder) {
  const Folder folder;
  folder.CopyOf("suite");
  Request request = Noting("./suite", folder.File("log"), {kNoPilots});
  request.folder = folder.path();
  EXPECT_EQ(Execute(request).status, 0);
  request.program = folder.File("suite");
  request.folder = "/";
  EXPECT_EQ(Execute(request).status, 0);
  EXPECT_EQ(NotingProcesses(folder.File("log")), 6u);
}

}  // namespace
}  // namespace duetbench::integration
