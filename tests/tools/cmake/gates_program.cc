// A gate that fails, a group, duets with special characters in their names, and an ordinary
// benchmark, for ctest.
#include <duetbench/duetbench.h>

#include <cstdlib>

#include "tests/integration/work.h"

static void BM_Ordinary(benchmark::State& state) {
  for (auto _ : state) Steps(10);  // NOLINT(clang-analyzer-deadcode.DeadStores)
}
BENCHMARK(BM_Ordinary)->Name("ordinary name")->Arg(1);
BENCHMARK(BM_Ordinary);

static void BM_Old() { Steps(20); }
static void BM_New() { Steps(20); }
DUET_BENCHMARK(BM_Old, BM_New);

static void BM_TenTimes() { Steps(200); }
// Enough runs for a decision even on a busy machine.
DUET_BENCHMARK(BM_Old, BM_TenTimes)->Name("too slow")->MaxRatio(1.05)->Runs(5);

static const bool group_registered = [] {
  duetbench::RegisterDuet("three", {{"a", BM_Old}, {"b", BM_New}, {"c", BM_Old}});
  return true;
}();

static const bool awkward_names_registered = [] {
  for (const char* name : {
           "name;with;semicolons",
           "name [ with an open bracket",
           "name ] with a closed one",
           "name ]==]",
           "name | with a bar",
           "name $dollar ${braces} $ENV{HOME} $<1:generator>",
           "name with \\ and \\",
           "name \"quoted\" 'twice'",
           "name (in parentheses)",
           "name # of a comment",
           "name *.+?{2}^ of an expression",
           "name é %d @at@ <&>",
       }) {
    duetbench::RegisterDuet(name, BM_Old, BM_New);
  }
  return true;
}();

// Exits with GATES_STATUS, if it is set.
int main(int argc, char** argv) {
  const int status = duetbench::Main(argc, argv);
  const char* const wanted = std::getenv("GATES_STATUS");
  return wanted != nullptr ? std::atoi(wanted) : status;
}
