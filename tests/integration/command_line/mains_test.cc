// Programs with their own main, or with Google Benchmark's; more of them in command_line_test.cc.
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

// The layout of a process is random, also if the main fixed it for the sake of ordinary benchmarks.
TEST(OwnMainTest, EachRunHasALayoutOfItsOwn) {
  if (TextOf("/proc/sys/kernel/randomize_va_space")[0] == '0') GTEST_SKIP() << "switched off";
  const Folder folder;
  const std::string log = folder.File("log");
  ASSERT_EQ(Execute("own_main", {"--duet_runs=4", kNoPilots}, {{"INTEGRATION_LOG", log}}).status,
            0);
  std::map<pid_t, std::set<std::string>> places;
  std::set<std::string> all;
  for (const Note& note : NotesOf(log)) {
    places[note.pid].insert(note.what);
    all.insert(note.what);
  }
  EXPECT_EQ(places.size(), 5u);
  for (const auto& [pid, of_process] : places) EXPECT_EQ(of_process.size(), 1u);
  EXPECT_GT(all.size(), 1u);
}

}  // namespace
}  // namespace duetbench::integration
