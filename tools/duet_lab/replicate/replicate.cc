#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/progress.h"
#include "tools/duet_lab/loads.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/pairs/code_pairs.h"
#include "tools/duet_lab/program_run.h"
#include "tools/duet_lab/replicate/replicate_report.h"
#include "tools/duet_lab/replicate/state_file.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The command line.
struct ReplicateRequest {
  ReplicatePlan plan;
  std::string pattern;
  std::string set = "all";
  std::vector<CodePair> pairs;
  double plain_seconds = 0.05;
  std::vector<std::string> arguments;  // of the duet program
  std::string state;
  int load = 0;
  int relink = 1;  // links of the program by turns
};

absl::Status SelectPairs(ReplicateRequest* request) {
  std::regex regex;
  try {
    regex = std::regex(request->pattern);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("--pairs: '", request->pattern, "': ", error.what()));
  }
  for (const CodePair& pair : CodePairs()) {
    if (request->set == (pair.set == PairSet::kHoldOut ? "tuning" : "hold-out")) continue;
    if (!std::regex_search(pair.name, regex)) continue;
    request->pairs.push_back(pair);
    request->plan.pairs.emplace_back(pair.name);
  }
  if (!request->pairs.empty()) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("--pairs: no pair of the set ", request->set,
                                          " matches '", request->pattern, "'"));
}

// The parameters that records in one file must share. The number of replications and the time may
// grow from one call to the next.
std::string ParametersOf(const ReplicateRequest& request) {
  return nlohmann::ordered_json{
      {"measurement", "replicate"},          {"format", 3},          {"pairs", request.plan.pairs},
      {"plain_time", request.plain_seconds}, {"load", request.load}, {"relink", request.relink},
      {"arguments", request.arguments}}
      .dump();
}

// Measures both functions of a pair in plain loops of Google Benchmark, each in a process that has
// no other thread, for `seconds` each, in random order. Cancelled when interrupted.
absl::StatusOr<PlainVisit> MeasurePlain(const std::string& pair, double seconds, int link) {
  PlainVisit visit;
  const bool new_first = std::random_device()() % 2 == 0;
  for (const bool is_new : {new_first, !new_first}) {
    const absl::StatusOr<std::vector<duet_stat::BenchmarkTimes>> times = RunPlainProgram(
        RoleProgram("plain",
                    {absl::StrCat("--benchmark_filter=^", pair, is_new ? "/new$" : "/old$"),
                     absl::StrCat("--benchmark_min_time=", seconds)},
                    link));
    if (!times.ok()) return times.status();
    (is_new ? visit.new_ns : visit.old_ns) = times->front().sample.runs[0][0];
  }
  return visit;
}

// Executes one task. Cancelled when interrupted; other errors are in the record.
absl::StatusOr<ReplicateRecord> ExecuteTask(const ReplicateTask& task,
                                            const ReplicateRequest& request) {
  ReplicateRecord record;
  record.key = KeyOf(task);
  record.at = SecondsSince1970();
  const int link = task.replication % request.relink;
  absl::Status status;
  if (task.is_plain()) {
    const absl::StatusOr<PlainVisit> visit = MeasurePlain(task.pair, request.plain_seconds, link);
    status = visit.status();
    if (visit.ok()) record.plain = *visit;
    if (!visit.ok()) record.error = std::string(status.message());
  } else {
    const std::vector<std::string>& pairs = request.plan.pairs;
    ChildRequest program = RoleProgram(
        "pairs", {absl::StrCat("--benchmark_filter=^(", absl::StrJoin(pairs, "|"), ")$")}, link);
    program.argv.insert(program.argv.end(), request.arguments.begin(), request.arguments.end());
    absl::StatusOr<std::vector<Observation>> duets = RunDuetProgram(program);
    status = duets.status();
    if (duets.ok()) record.duets = *std::move(duets);
    // A pair without a result is counted as an error, and never lost.
    for (const std::string& pair : pairs) {
      if (std::any_of(record.duets.begin(), record.duets.end(),
                      [&](const Observation& duet) { return duet.name == pair; })) {
        continue;
      }
      Observation missing;
      missing.name = pair;
      missing.error = status.ok() ? "the program reported nothing" : std::string(status.message());
      record.duets.push_back(std::move(missing));
    }
    for (Observation& duet : record.duets) duet.link = link;
  }
  if (absl::IsCancelled(status) || WasInterrupted()) return absl::CancelledError("interrupted");
  record.wall_seconds = SecondsSince1970() - record.at;
  return record;
}

// The first error if nothing at all was measured; else empty.
std::string ErrorOf(const ReplicateRecord& record) {
  if (record.duets.empty()) return record.error;
  if (std::any_of(record.duets.begin(), record.duets.end(),
                  [](const Observation& duet) { return duet.error.empty(); })) {
    return "";
  }
  return absl::StrCat(record.duets.front().name, ": ", record.duets.front().error);
}

// Sleeps until `moment`; false if interrupted meanwhile.
bool SleepUntil(std::chrono::steady_clock::time_point moment) {
  while (!WasInterrupted()) {
    const auto left = moment - std::chrono::steady_clock::now();
    if (left <= std::chrono::nanoseconds(0)) return true;
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(100)));
  }
  return false;
}

// Executes the tasks that are not in the file yet.
absl::Status MeasureTasks(const ReplicateRequest& request, std::vector<ReplicateRecord>* records,
                          StateFile* file) {
  std::set<std::string> done;
  for (const ReplicateRecord& record : *records) done.insert(record.key);
  std::vector<ReplicateTask> tasks = PlanTasks(request.plan);
  tasks.erase(
      std::remove_if(tasks.begin(), tasks.end(),
                     [&](const ReplicateTask& task) { return done.count(KeyOf(task)) > 0; }),
      tasks.end());
  ProgressLine progress;
  const auto begin = std::chrono::steady_clock::now();
  // A continued measurement does not wait for the time that has passed before.
  const double first_moment = tasks.empty() || records->empty() ? 0 : tasks.front().moment;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    progress.Show(KeyOf(tasks[i]), static_cast<int>(i), static_cast<int>(tasks.size()),
                  std::max(tasks.back().moment - first_moment - spent.count(),
                           spent.count() / static_cast<double>(std::max<std::size_t>(1, i)) *
                               static_cast<double>(tasks.size() - i)));
    const std::chrono::duration<double> wait(tasks[i].moment - first_moment);
    if (!SleepUntil(begin + std::chrono::duration_cast<std::chrono::nanoseconds>(wait))) {
      return absl::OkStatus();
    }
    absl::StatusOr<ReplicateRecord> record = ExecuteTask(tasks[i], request);
    if (absl::IsCancelled(record.status())) return absl::OkStatus();
    if (!record.ok()) return record.status();
    // If the first task brings nothing, none will: hours need not pass before it is said.
    const std::string error = ErrorOf(*record);
    if (records->empty() && !error.empty()) return absl::InternalError(error);
    if (absl::Status status = file->Append(EncodeRecord(*record)); !status.ok()) {
      return status;
    }
    records->push_back(*std::move(record));
  }
  return absl::OkStatus();
}

void Describe(const ReplicateRequest& request, const std::vector<ReplicateRecord>& records,
              LabReport* report) {
  const ReplicatePlan& plan = request.plan;
  double first = 0;
  double last = 0;
  double measuring = 0;
  for (const ReplicateRecord& record : records) {
    first = first == 0 ? record.at : std::min(first, record.at);
    last = std::max(last, record.at + record.wall_seconds);
    measuring += record.wall_seconds;
  }
  report->context["pairs"] = plan.pairs;
  report->context["replications"] = plan.replications;
  report->context["plain_visits"] = plan.plain_visits;
  report->context["plain_time"] = request.plain_seconds;
  report->context["load"] = request.load;
  report->context["relink"] = request.relink;
  report->context["arguments"] = request.arguments;
  report->context["records"] = records.size();
  report->context["first_at"] = first;
  report->context["last_at"] = last;
  report->context["measuring_seconds"] = measuring;
  report->summary.push_back(
      absl::StrFormat("%d records within %.0f s (%.0f s of measuring), beside %d busy processes",
                      records.size(), last - first, measuring, request.load));
  report->summary.emplace_back(
      "ratio: mean of the replications. ±: median half-width of one interval. consistent: the "
      "difference to the weighted mean of the others is what both errors "
      "allow. overdispersion: sd between replications : implied standard error (95 %); over all "
      "pairs the geometric mean, the worst and the root mean square");
  report->summary.emplace_back(
      "to plain: difference to plain loops; '!': neither inside both intervals nor within 2 %. "
      "contrad.: pairs of FASTER and SLOWER + pairs of PASS and FAIL at limits 2 % from the ratio "
      "+ wrong ones of these");
  if (request.relink == 1) return;
  report->summary.push_back(absl::StrFormat(
      "%d links by turns; the others of an interval are those of other links. between links: sd of "
      "their means : implied standard error; overdispersion; over all pairs the medians, and the "
      "root mean square",
      request.relink));
}

absl::StatusOr<LabReport> MeasureReplicate(ReplicateRequest request, const CommonOptions& common) {
  LabReport report;
  report.measurement = "replicate";
  request.plan.seed = common.seed;
  request.arguments = common.program_arguments;
  if (absl::Status status = SelectPairs(&request); !status.ok()) return status;
  if (absl::Status status = CheckLinks(request.relink); !status.ok()) return status;
  const absl::StatusOr<Machine> machine = DescribeMachine(common.cpus, &report);
  if (!machine.ok()) return machine.status();
  absl::StatusOr<StateFile> file = StateFile::Open(request.state, ParametersOf(request));
  if (!file.ok()) return file.status();
  absl::StatusOr<std::vector<ReplicateRecord>> records =
      DecodeRecords<ReplicateRecord>(file->lines());
  if (!records.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--state=", request.state, ": ", records.status().message()));
  }
  report.context["resumed"] = records->size();
  CatchInterrupts();
  const absl::StatusOr<Load> busy = Load::StartBusy(request.load);
  if (!busy.ok()) return busy.status();
  const absl::Status status = MeasureTasks(request, &*records, &*file);
  if (!status.ok()) return status;
  NoteInterrupt(&report);
  Describe(request, *records, &report);
  FillReplicateReport(request.pairs, *records, &report);
  return report;
}

}  // namespace

Measure AddReplicate(CLI::App& command) {
  const auto request = std::make_shared<ReplicateRequest>();
  ReplicatePlan& plan = request->plan;
  command.footer(
      "All pairs, ten times, take about 9 minutes. The arguments after -- are for the program of "
      "duets.");
  command
      .add_option("--over", plan.seconds,
                  "a time such as 90s, 15m or 1h: spread over it at random moments (default:\n"
                  "no pauses)")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
      ->check(CLI::NonNegativeNumber);
  command.add_option("--replications", plan.replications, "(default: 10)")
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--plain", plan.plain_visits,
                  "visits to plain loops of Google Benchmark (default: 20)")
      ->check(CLI::Range(0, 100'000));
  command
      .add_option("--plain_time", request->plain_seconds, "seconds of a plain loop (default: 0.05)")
      ->check(CLI::Range(0.001, 3600.0));
  command.add_option("--pairs", request->pattern, "a regular expression (default: all)");
  command.add_option("--set", request->set, "tune with tuning alone (default: all)")
      ->check(CLI::IsMember({"all", "tuning", "hold-out"}));
  command.add_option("--load", request->load, "busy processes beside it (default: 0)")
      ->check(CLI::Range(0, 1'000));
  command
      .add_option("--relink", request->relink,
                  "links of the program by turns, each with its code elsewhere (default: 1)")
      ->check(CLI::Range(1, kLinks));
  command.add_option("--state", request->state, "a file; goes on where it was interrupted");
  return [request](const CommonOptions& common) { return MeasureReplicate(*request, common); };
}

}  // namespace duetbench::lab
