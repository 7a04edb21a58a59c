#include "tools/duet_lab/aa.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/accuracy.h"
#include "tools/duet_lab/busy_processes.h"
#include "tools/duet_lab/observation.h"
#include "tools/duet_lab/place.h"

namespace duetbench::lab {
namespace {

using Json = nlohmann::ordered_json;

volatile std::sig_atomic_t interrupted = 0;
void OnInterrupt(int) { interrupted = 1; }

// A file that a program writes its results to, removed with this.
class ResultFile {
 public:
  static absl::StatusOr<ResultFile> Create() {
    const char* directory = getenv("TMPDIR");
    std::string path = absl::StrCat(directory != nullptr ? directory : "/tmp", "/duet_lab_XXXXXX");
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot create the file ", path));
    }
    close(descriptor);
    return ResultFile(std::move(path));
  }
  ~ResultFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  ResultFile(ResultFile&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ResultFile& operator=(ResultFile&&) = delete;

  const std::string& path() const { return path_; }
  std::string Read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  explicit ResultFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct Task {
  std::string binary;
  int64_t seed;
};

// Runs one program with one seed. What it printed is shown in the error when it brings no results.
absl::StatusOr<std::vector<Observation>> Execute(const Task& task,
                                                 const std::vector<std::string>& arguments) {
  const absl::StatusOr<ResultFile> file = ResultFile::Create();
  if (!file.ok()) return file.status();
  ChildRequest request;
  request.executable = task.binary;
  request.argv = {task.binary};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.argv.push_back(absl::StrCat("--duet_seed=", task.seed));
  request.argv.push_back(absl::StrCat("--benchmark_out=", file->path()));
  request.argv.emplace_back("--benchmark_out_format=json");
  request.result_fd_variable = "DUET_LAB_FD";  // not used by the program
  request.timeout = std::chrono::hours(24);    // its runs have their own
  request.interrupted = &interrupted;
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  const std::string failed = absl::StrCat(task.binary, " ", DescribeEnd(*outcome));
  // 2: some of the benchmarks ended with an error; the others are in the file.
  const bool ended = outcome->end == ChildOutcome::End::kExited && (outcome->exit_code & ~2) == 0;
  if (!ended) return absl::InternalError(absl::StrCat(failed, "\n", outcome->output_tail));
  absl::StatusOr<std::vector<Observation>> observations = ParseObservations(file->Read());
  if (!observations.ok()) {
    return absl::InternalError(
        absl::StrCat(failed, "; of its results: ", std::string(observations.status().message()),
                     "\n", outcome->output_tail));
  }
  for (Observation& observation : *observations) {
    observation.wall_seconds = 1e-9 * static_cast<double>(outcome->wall_time.count()) /
                               static_cast<double>(observations->size());
  }
  return observations;
}

struct Group {
  std::string name;
  double truth = 1;
  std::vector<Observation> observations;
};

Json MakeRow(const std::string& name, const Json& truth, const Accuracy& accuracy, int limit) {
  return {{"name", name},
          {"truth", truth},
          {"experiments", accuracy.experiments},
          {"errors", accuracy.errors},
          {"exclude_one", accuracy.exclude_one},
          {"exclude_truth", accuracy.exclude_truth},
          {"exclude_truth_limit", limit},
          {"false_verdicts", accuracy.false_verdicts},
          {"found", accuracy.found},
          {"median_width_percent", 100 * accuracy.median_width},
          {"largest_width_percent", 100 * accuracy.largest_width},
          {"median_error_percent", 100 * accuracy.median_error},
          {"largest_error_percent", 100 * accuracy.largest_error},
          {"bias_percent", 100 * accuracy.bias},
          {"median_wall_s", accuracy.median_wall}};
}

Json ToJson(const Observation& observation) {
  return {{"name", observation.name},       {"ratio", observation.ratio},
          {"lo", observation.lo},           {"hi", observation.hi},
          {"level", observation.level},     {"verdict", observation.verdict},
          {"runs", observation.runs},       {"pairs", observation.pairs},
          {"dropped", observation.dropped}, {"wall_s", observation.wall_seconds},
          {"error", observation.error}};
}

// A row for each benchmark, and one over all of them; checks what honest intervals keep.
void Fill(const std::vector<Group>& groups, double margin, LabReport* report) {
  std::vector<Observation> all;
  std::vector<double> all_truths;
  double level = 0.99;
  for (const Group& group : groups) {
    const std::vector<double> truths(group.observations.size(), group.truth);
    const Accuracy accuracy = SummarizeAccuracy(group.observations, truths, margin);
    level = group.observations.front().level;
    report->rows.push_back(
        MakeRow(group.name, group.truth, accuracy, FalseAlarmLimit(accuracy.experiments, level)));
    all.insert(all.end(), group.observations.begin(), group.observations.end());
    all_truths.insert(all_truths.end(), truths.begin(), truths.end());
  }
  const Accuracy accuracy = SummarizeAccuracy(all, all_truths, margin);
  const int limit = FalseAlarmLimit(accuracy.experiments, level);
  report->rows.push_back(MakeRow("all", nullptr, accuracy, limit));
  report->checks.push_back(
      {absl::StrFormat("at most %d of %d intervals at %g %% exclude the truth (99.5 %% binomial)",
                       limit, accuracy.experiments, 100 * level),
       absl::StrCat(accuracy.exclude_truth), accuracy.exclude_truth <= limit});
  report->checks.push_back({"every experiment brings a result",
                            absl::StrCat(accuracy.errors, " errors"), accuracy.errors == 0});
  report->details["experiments"] = Json::array();
  for (const Observation& observation : all) {
    report->details["experiments"].push_back(ToJson(observation));
  }
}

std::vector<LabReport::Column> Columns() {
  return {{"name", "benchmark"},
          {"truth", "truth", 4},
          {"experiments", "n"},
          {"errors", "errors"},
          {"exclude_one", "excl. 1"},
          {"exclude_truth", "excl. truth"},
          {"exclude_truth_limit", "limit"},
          {"false_verdicts", "false"},
          {"found", "found"},
          {"median_width_percent", "width [%]", 3},
          {"largest_width_percent", "largest", 3},
          {"bias_percent", "bias [%]", 4},
          {"median_error_percent", "|error| [%]", 4},
          {"largest_error_percent", "largest", 4},
          {"median_wall_s", "wall [s]", 2}};
}

}  // namespace

absl::StatusOr<LabReport> MeasureAccuracy(Arguments& arguments) {
  const std::vector<std::string> binaries = arguments.Texts("binary");
  const std::string workload = arguments.Text("workload", "");
  const int64_t experiments = arguments.Whole("experiments", 20, 1, 1'000'000);
  const int64_t load = arguments.Whole("load", 0, 0, 1'000);
  const double margin = arguments.Number("margin", 0.01, 0, 0.999);
  const int64_t seed = arguments.Whole("seed", 1, 0, int64_t{1} << 62);
  std::vector<Truth> truths;
  for (const std::string& text : arguments.Texts("truth")) {
    const absl::StatusOr<Truth> truth = ParseTruth(text);
    if (!truth.ok()) return truth.status();
    truths.push_back(*truth);
  }
  if (binaries.empty()) {
    return absl::InvalidArgumentError(
        "--binary=PROGRAM is missing: a program with duet benchmarks, such as one of the samples");
  }
  LabReport report;
  report.measurement = "aa";
  const absl::StatusOr<Machine> machine = DescribePlace(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;

  std::vector<std::string> passed_on = arguments.rest();
  passed_on.push_back(absl::StrCat("--duet_margin=", margin));
  if (!workload.empty()) passed_on.push_back(absl::StrCat("--benchmark_filter=", workload));
  report.context["binaries"] = binaries;
  report.context["arguments"] = passed_on;
  report.context["experiments"] = experiments;
  report.context["load"] = load;
  report.context["margin"] = margin;
  report.context["seed"] = seed;
  report.summary.push_back(absl::StrFormat(
      "%d experiments with each of %d programs, beside %d busy processes; widths and errors "
      "relative to the estimate and the truth",
      experiments, binaries.size(), load));

  std::vector<Task> tasks;
  for (int64_t experiment = 0; experiment < experiments; ++experiment) {
    for (const std::string& binary : binaries) tasks.push_back({binary, seed + experiment});
  }
  // What the machine does meanwhile must not hit one program more than another.
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  std::shuffle(tasks.begin(), tasks.end(), random);

  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
  const absl::StatusOr<BusyProcesses> busy = BusyProcesses::Start(static_cast<int>(load));
  if (!busy.ok()) return busy.status();
  ProgressLine progress;
  std::vector<Group> groups;
  double seconds = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const auto done = static_cast<double>(i);
    progress.Show("experiments", static_cast<int>(i), static_cast<int>(tasks.size()),
                  i == 0 ? 0 : seconds / done * (static_cast<double>(tasks.size()) - done));
    absl::StatusOr<std::vector<Observation>> observations = Execute(tasks[i], passed_on);
    if (interrupted != 0) break;
    if (!observations.ok()) return observations.status();
    for (Observation& observation : *observations) {
      seconds += observation.wall_seconds;
      const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
        return candidate.name == observation.name;
      });
      Group& place = group != groups.end()
                         ? *group
                         : groups.emplace_back(
                               Group{observation.name, TrueRatio(observation.name, truths), {}});
      place.observations.push_back(std::move(observation));
    }
  }
  if (interrupted != 0) {
    report.context["interrupted"] = true;
    report.summary.emplace_back("interrupted: what had been measured by then");
    if (groups.empty()) return absl::CancelledError("interrupted before there was a result");
  }
  if (groups.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no duet benchmark in the programs matches '", workload, "'"));
  }
  for (const Truth& truth : truths) {
    const bool used = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
      return group.name == truth.name || group.name.rfind(truth.name + "/", 0) == 0;
    });
    if (!used) {
      return absl::NotFoundError(
          absl::StrCat("--truth: there was no benchmark '", truth.name, "'"));
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.name < b.name; });
  report.columns = Columns();
  Fill(groups, margin, &report);
  return report;
}

}  // namespace duetbench::lab
