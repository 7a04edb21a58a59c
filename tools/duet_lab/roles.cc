#include "tools/duet_lab/roles.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/duetbench.h"
#include "duetbench/platform/thread.h"
#include "tools/duet_lab/precision.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/replicate/pair_roles.h"
#include "tools/duet_lab/workloads.h"

namespace duetbench::lab {
namespace {

constexpr int kRoleError = 2;

int FailRole(const absl::Status& status) {
  std::fprintf(stderr, "duet_lab: %s\n", std::string(status.message()).c_str());
  return kRoleError;
}

template <class AnyState>
void Iterate(AnyState& state, const Workload& workload, int64_t units) {
  const std::unique_ptr<Work> work = workload.make();
  for (auto _ : state) work->Run(units);
}

struct GivenWork : DuetWork {
  const Workload* made_of;
};

absl::StatusOr<GivenWork> ReadGivenWork() {
  const char* const text = std::getenv(kWorkVariable);
  const absl::StatusOr<DuetWork> work = DecodeDuetWork(text == nullptr ? "" : text);
  if (!work.ok()) return work.status();
  const absl::StatusOr<const Workload*> workload = FindWorkload(work->workload);
  if (!workload.ok()) return workload.status();
  return GivenWork{*work, *workload};
}

int RunDuetRole(int argc, char** argv) {
  const absl::StatusOr<GivenWork> work = ReadGivenWork();
  if (!work.ok()) return FailRole(work.status());
  const auto variant = [&](int64_t units) {
    return [&workload = *work->made_of, units](State& state) { Iterate(state, workload, units); };
  };
  RegisterDuet(work->workload, variant(work->old_units), variant(work->new_units));
  return Main(argc, argv);
}

using Clock = std::chrono::steady_clock;

double NanosecondsOf(Work* work, int64_t units, int64_t iterations) {
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < iterations; ++i) work->Run(units);
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Calls `sample` for a tenth of `seconds` as a warm-up, then for `seconds`, and at least twice.
template <class Sample>
std::vector<double> Repeat(double seconds, Sample sample) {
  const Clock::time_point begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  do {
    sample();
  } while (elapsed() < 0.1 * seconds);
  std::vector<double> samples;
  const double end = elapsed() + seconds;
  while (samples.size() < 2 || elapsed() < end) samples.push_back(sample());
  return samples;
}

std::vector<double> RepeatOne(const Workload& workload, int64_t units, double seconds) {
  const std::unique_ptr<Work> work = workload.make();
  return Repeat(seconds, [&] { return NanosecondsOf(work.get(), units, 1); });
}

// Log-ratios of quads old, new, new, old of batches of 200 us.
std::vector<double> RepeatQuads(const Workload& workload, int64_t old_units, int64_t new_units,
                                double seconds) {
  constexpr double kBatchNs = 2e5;
  const std::unique_ptr<Work> old_work = workload.make();
  const std::unique_ptr<Work> new_work = workload.make();
  int64_t iterations = 1;
  while (NanosecondsOf(old_work.get(), old_units, iterations) < kBatchNs) iterations *= 2;
  return Repeat(seconds, [&] {
    double old_ns = NanosecondsOf(old_work.get(), old_units, iterations);
    double new_ns = NanosecondsOf(new_work.get(), new_units, iterations);
    new_ns += NanosecondsOf(new_work.get(), new_units, iterations);
    old_ns += NanosecondsOf(old_work.get(), old_units, iterations);
    return std::log(new_ns / old_ns);
  });
}

// Arguments: WORKLOAD UNITS SECONDS CPU NEW_UNITS. The samples go to the result descriptor as
// doubles.
int RunAloneRole(int argc, char** argv) {
  const absl::StatusOr<int> fd = TakeResultDescriptor(kResultFdVariable);
  if (!fd.ok()) return FailRole(fd.status());
  int64_t units = 0;
  int64_t new_units = 0;
  double seconds = 0;
  int cpu = -1;
  if (argc != 6 || !absl::SimpleAtoi(argv[2], &units) || !absl::SimpleAtod(argv[3], &seconds) ||
      !absl::SimpleAtoi(argv[4], &cpu) || !absl::SimpleAtoi(argv[5], &new_units)) {
    return FailRole(absl::InvalidArgumentError("the role 'alone' has five arguments"));
  }
  const absl::StatusOr<const Workload*> workload = FindWorkload(argv[1]);
  if (!workload.ok()) return FailRole(workload.status());
  if (cpu >= 0) {
    if (const absl::Status status = PinThisThread(cpu); !status.ok()) return FailRole(status);
  }
  const std::vector<double> samples = new_units > 0
                                          ? RepeatQuads(**workload, units, new_units, seconds)
                                          : RepeatOne(**workload, units, seconds);
  const absl::Status written =
      WriteResult(*fd, absl::string_view(reinterpret_cast<const char*>(samples.data()),
                                         samples.size() * sizeof(double)));
  return written.ok() ? 0 : FailRole(written);
}

// Old and new of a workload in Google Benchmark, in ABBA order: "0/old", "1/new", "2/new", …
int RunGoogleRole(int argc, char** argv) {
  const absl::StatusOr<GivenWork> work = ReadGivenWork();
  if (!work.ok()) return FailRole(work.status());
  for (int i = 0; i < kGoogleRepetitions; ++i) {
    const bool is_new = i % 4 == 1 || i % 4 == 2;
    const int64_t units = is_new ? work->new_units : work->old_units;
    benchmark::RegisterBenchmark(absl::StrCat(i, is_new ? "/new" : "/old").c_str(),
                                 [&workload = *work->made_of, units](benchmark::State& state) {
                                   Iterate(state, workload, units);
                                 });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

std::string EncodeDuetWork(const DuetWork& work) {
  return absl::StrCat(work.workload, ",", work.old_units, ",", work.new_units);
}

absl::StatusOr<DuetWork> DecodeDuetWork(absl::string_view text) {
  const std::vector<absl::string_view> cells = absl::StrSplit(text, ',');
  DuetWork work;
  if (cells.size() == 3 && absl::SimpleAtoi(cells[1], &work.old_units) && work.old_units > 0 &&
      absl::SimpleAtoi(cells[2], &work.new_units) && work.new_units > 0) {
    work.workload = std::string(cells[0]);
    return work;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' should be WORKLOAD,OLD_UNITS,NEW_UNITS"));
}

std::optional<int> RunRole(int argc, char** argv) {
  const char* const role = std::getenv(kRoleVariable);
  if (role == nullptr) return std::nullopt;
  // The processes of the runs are not started by the lab itself; they end with their own parent.
  if (const char* const parent = std::getenv(kParentVariable)) {
    const int process = std::atoi(parent);
    unsetenv(kParentVariable);
    DieWithParent(process);
  }
  if (std::strcmp(role, "duet") == 0) return RunDuetRole(argc, argv);
  if (std::strcmp(role, kPairsRole) == 0) return RunPairsRole(argc, argv);
  if (std::strcmp(role, kPlainRole) == 0) return RunPlainRole(argc, argv);
  if (std::strcmp(role, kGoogleRole) == 0) return RunGoogleRole(argc, argv);
  return RunAloneRole(argc, argv);
}

ChildRequest RoleProgram(const std::string& role, const std::vector<std::string>& arguments) {
  ChildRequest request;
  request.argv = {"duet_lab"};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.environment = {{kRoleVariable, role}, {kParentVariable, absl::StrCat(getpid())}};
  return request;
}

ChildRequest WorkProgram(const std::string& role, const DuetWork& work,
                         const std::vector<std::string>& arguments) {
  ChildRequest request = RoleProgram(role, arguments);
  request.environment.emplace_back(kWorkVariable, EncodeDuetWork(work));
  return request;
}

absl::StatusOr<std::vector<double>> RunAlone(const AlonePlan& plan) {
  const absl::StatusOr<ChildOutcome> outcome = RunProgram(RoleProgram(
      "alone", {plan.work.workload, absl::StrCat(plan.work.units), absl::StrCat(plan.seconds),
                absl::StrCat(plan.cpu), absl::StrCat(plan.new_units)}));
  if (!outcome.ok()) return outcome.status();
  std::vector<double> times(outcome->result.size() / sizeof(double));
  std::memcpy(times.data(), outcome->result.data(), times.size() * sizeof(double));
  return times;
}

}  // namespace duetbench::lab
