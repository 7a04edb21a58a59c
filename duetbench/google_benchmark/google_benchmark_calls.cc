#include "duetbench/google_benchmark/google_benchmark_calls.h"

#include <sstream>

#include "absl/strings/str_cat.h"
#include "duetbench/google_benchmark/registry.h"

namespace duetbench {
namespace {

class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

using StateCall = std::function<void(const benchmark::State&)>;

class Lender : public internal::BenchmarkBase {
 public:
  Lender(const std::string& name, StateCall call)
      : internal::BenchmarkBase(name.c_str()), call_(std::move(call)) {}

  void Run(benchmark::State& state) override {
    if (call_ != nullptr) std::exchange(call_, nullptr)(state);
    while (state.KeepRunning()) {
    }
  }

 private:
  StateCall call_;
};

}  // namespace

void SetGoogleBenchmarkFlags(std::vector<std::string> flags) {
  // Initialize keeps the pointer to the name.
  const char* const program = benchmark::BenchmarkReporter::Context::executable_name;
  static char unknown[] = "unknown";
  std::vector<char*> argv = {program != nullptr ? const_cast<char*>(program) : unknown};
  for (std::string& flag : flags) argv.push_back(flag.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
}

std::string NamesOfOrdinaryBenchmarks(const std::string& filter) {
  std::ostringstream names;
  std::ostringstream messages;  // that none matches
  SilentReporter reporter;
  reporter.SetOutputStream(&names);
  reporter.SetErrorStream(&messages);
  SetGoogleBenchmarkFlags({"--benchmark_list_tests=true", "--benchmark_out="});
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, filter);
  SetGoogleBenchmarkFlags({"--benchmark_list_tests=false"});
  return names.str();
}

void CallWithBorrowedState(const std::vector<int64_t>& ranges, const StateCall& call) {
  static int number = 0;
  const std::string name = absl::StrCat("duetbench_borrowed_state_", ++number);
  auto lender = std::make_unique<Lender>(name, call);
  lender->Iterations(1)->Repetitions(1);
  if (!ranges.empty()) lender->Args(ranges);
  internal::RegisterOwn(std::move(lender));

  SetGoogleBenchmarkFlags({"--benchmark_list_tests=false",
                           "--benchmark_out=", "--benchmark_enable_random_interleaving=false",
                           "--benchmark_perf_counters="});
  benchmark::RegisterMemoryManager(nullptr);
  SilentReporter silent;
  benchmark::RunSpecifiedBenchmarks(&silent, nullptr, absl::StrCat("^", name, "(/|$)"));
}

}  // namespace duetbench
