#include "tools/duet_lab/roles.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/duetbench.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/thread.h"
#include "tools/duet_lab/pairs/code_pairs.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/workloads.h"

namespace duetbench::lab {
namespace {

constexpr int kRoleError = 2;
constexpr char kRoleVariable[] = "DUET_LAB_ROLE";
constexpr char kParentVariable[] = "DUET_LAB_PARENT";  // the process to end with
constexpr char kWorkVariable[] = "DUET_LAB_WORK";      // WORKLOAD,OLD_UNITS,NEW_UNITS

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
  const std::vector<std::string> cells = absl::StrSplit(text == nullptr ? "" : text, ',');
  DuetWork work;
  if (cells.size() != 3 || !absl::SimpleAtoi(cells[1], &work.old_units) || work.old_units <= 0 ||
      !absl::SimpleAtoi(cells[2], &work.new_units) || work.new_units <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(kWorkVariable, " should be WORKLOAD,OLD_UNITS,NEW_UNITS"));
  }
  work.workload = cells[0];
  const absl::StatusOr<const Workload*> workload = FindWorkload(work.workload);
  if (!workload.ok()) return workload.status();
  return GivenWork{work, *workload};
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

std::vector<double> RepeatQuads(const GivenWork& given, double seconds) {
  constexpr double kBatchNs = 2e5;
  const std::unique_ptr<Work> old_work = given.made_of->make();
  const std::unique_ptr<Work> new_work = given.made_of->make();
  int64_t iterations = 1;
  while (NanosecondsOf(old_work.get(), given.old_units, iterations) < kBatchNs) iterations *= 2;
  const auto quad = [&] {
    double old_ns = NanosecondsOf(old_work.get(), given.old_units, iterations);
    double new_ns = NanosecondsOf(new_work.get(), given.new_units, iterations);
    new_ns += NanosecondsOf(new_work.get(), given.new_units, iterations);
    old_ns += NanosecondsOf(old_work.get(), given.old_units, iterations);
    return std::log(new_ns / old_ns);
  };
  const Clock::time_point begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  do {
    quad();
  } while (elapsed() < 0.1 * seconds);
  std::vector<double> quads;
  const double end = elapsed() + seconds;
  while (quads.size() < 2 || elapsed() < end) quads.push_back(quad());
  return quads;
}

// Arguments: SECONDS CPU. The log-ratios go to the result descriptor as doubles.
int RunAbbaRole(int argc, char** argv) {
  const absl::StatusOr<int> fd = TakeResultDescriptor(kResultFdVariable);
  if (!fd.ok()) return FailRole(fd.status());
  const absl::StatusOr<GivenWork> work = ReadGivenWork();
  if (!work.ok()) return FailRole(work.status());
  double seconds = 0;
  int cpu = 0;
  if (argc != 3 || !absl::SimpleAtod(argv[1], &seconds) || !absl::SimpleAtoi(argv[2], &cpu)) {
    return FailRole(absl::InvalidArgumentError("the role 'abba' has two arguments"));
  }
  if (const absl::Status status = PinThisThread(cpu); !status.ok()) return FailRole(status);
  const std::vector<double> quads = RepeatQuads(*work, seconds);
  const absl::Status written =
      WriteResult(*fd, absl::string_view(reinterpret_cast<const char*>(quads.data()),
                                         quads.size() * sizeof(double)));
  return written.ok() ? 0 : FailRole(written);
}

int RunGoogleBenchmark(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return kRoleError;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
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
  return RunGoogleBenchmark(argc, argv);
}

int RunPairsRole(int argc, char** argv) {
  for (const CodePair& pair : CodePairs()) {
    const PairSides sides = pair.sides();
    RegisterDuet(pair.name, sides.old_side.duet, sides.new_side.duet);
  }
  return Main(argc, argv);
}

int RunPlainRole(int argc, char** argv) {
  for (const CodePair& pair : CodePairs()) {
    const PairSides sides = pair.sides();
    benchmark::RegisterBenchmark(absl::StrCat(pair.name, "/old").c_str(), sides.old_side.plain);
    benchmark::RegisterBenchmark(absl::StrCat(pair.name, "/new").c_str(), sides.new_side.plain);
  }
  return RunGoogleBenchmark(argc, argv);
}

constexpr struct {
  const char* name;
  int (*run)(int argc, char** argv);
} kRoles[] = {{"duet", RunDuetRole},
              {"google", RunGoogleRole},
              {"pairs", RunPairsRole},
              {"plain", RunPlainRole},
              {"abba", RunAbbaRole}};

std::string PathOfLink(int link) { return absl::StrCat(PathOfThisProgram(), "_link_", link); }

}  // namespace

std::optional<int> RunRole(int argc, char** argv) {
  const char* const role = std::getenv(kRoleVariable);
  if (role == nullptr) return std::nullopt;
  // The processes of the runs are not started by the lab itself; they end with their own parent.
  if (const char* const parent = std::getenv(kParentVariable)) {
    const int process = std::atoi(parent);
    unsetenv(kParentVariable);
    DieWithParent(process);
  }
  for (const auto& known : kRoles) {
    if (std::strcmp(role, known.name) == 0) return known.run(argc, argv);
  }
  return FailRole(absl::InvalidArgumentError(absl::StrCat("there is no role '", role, "'")));
}

absl::Status CheckLinks(int count) {
  for (int link = 1; link < count; ++link) {
    const std::string path = PathOfLink(link);
    if (access(path.c_str(), X_OK) == 0) continue;
    return absl::NotFoundError(
        absl::StrCat("--relink: ", path,
                     " is not there: only a build tree of CMake has it, if GNU ld or lld links"));
  }
  return absl::OkStatus();
}

ChildRequest RoleProgram(const std::string& role, const std::vector<std::string>& arguments,
                         int link) {
  ChildRequest request;
  if (link > 0) request.executable = PathOfLink(link);
  request.argv = {"duet_lab"};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.environment = {{kRoleVariable, role}, {kParentVariable, absl::StrCat(getpid())}};
  return request;
}

ChildRequest WorkProgram(const std::string& role, const DuetWork& work,
                         const std::vector<std::string>& arguments) {
  ChildRequest request = RoleProgram(role, arguments);
  request.environment.emplace_back(
      kWorkVariable, absl::StrCat(work.workload, ",", work.old_units, ",", work.new_units));
  return request;
}

absl::StatusOr<std::vector<double>> RunAbba(const DuetWork& work, double seconds, int cpu) {
  const absl::StatusOr<ChildOutcome> outcome =
      RunProgram(WorkProgram("abba", work, {absl::StrCat(seconds), absl::StrCat(cpu)}));
  if (!outcome.ok()) return outcome.status();
  std::vector<double> quads(outcome->result.size() / sizeof(double));
  std::memcpy(quads.data(), outcome->result.data(), quads.size() * sizeof(double));
  return quads;
}

}  // namespace duetbench::lab
