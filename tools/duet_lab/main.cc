// Measures what duetbench promises about itself, beside the alternatives.
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/version.h"
#include "tools/duet_lab/arguments.h"
#include "tools/duet_lab/lab_report.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

constexpr int kNotMet = 1;
constexpr int kError = 2;
constexpr int kNotHere = 77;  // what ctest takes as "skipped"

struct Measurement {
  const char* name;
  absl::StatusOr<LabReport> (*measure)(Arguments&);
};

constexpr Measurement kMeasurements[] = {
    {"rendezvous", MeasureRendezvous},
    {"overhead", MeasureOverhead},
    {"loops", MeasureLoops},
    {"aa", MeasureAccuracy},
    {"counters", MeasureCounting},
    {"gates", MeasureGates},
    {"accuracy", MeasurePaperAccuracy},
    {"shuffle", MeasureShuffle},
    {"load", MeasureLoad},
    {"known-ratio", MeasureKnownRatio},
    {"power", MeasurePower},
    {"instances", MeasureInstances},
    {"precision", MeasurePrecision},
    {"replicate", MeasureReplicate},
};

constexpr char kHelp[] =
    "usage: duet_lab MEASUREMENT [--format=console|json|csv] [--cpus=A,B] [--seed=N] [--check] …\n"
    "  rendezvous   start skew and cost of the rendezvous, std::barrier and pthread_barrier_t\n"
    "      --meetings=N  --repetitions=K  --delay_ns=D (each thread arrives 0 to D ns late)\n"
    "  overhead     time per empty iteration of duetbench's loops and Google Benchmark's\n"
    "      --repetitions=K\n"
    "  loops        time per iteration of the same functions in both loops\n"
    "      --repetitions=K\n"
    "  aa           how accurate the intervals and verdicts of duet programs are\n"
    "      --binary=PROGRAM (once for each)  --workload=REGEX (benchmarks to run; default all)\n"
    "      --experiments=N  --load=K (busy processes beside it)\n"
    "      --truth=NAME=RATIO (of a benchmark or its family; default 1)  --margin=D\n"
    "      -- ARGUMENTS for every program, such as --benchmark_min_time=0.5\n"
    "  gates        outcomes of gates, and the time of a decision\n"
    "      --max_ratio=R (of all gates; default 1.05)  --fixed (also the time without gates)\n"
    "      --binary  --workload  --experiments  --load  --truth  -- ARGUMENTS as above\n"
    "  counters     the effect of counting events: duets with counters against the same without\n"
    "      --repetitions=K  --run_ms=T  --events=NAME,NAME\n"
    "  replicate    whether intervals of unlike code hold when the measurement is repeated\n"
    "      (30 pairs; a default run measures for about 9 minutes)\n"
    "      --over=TIME (spread over it at random moments: 1h; default: no pauses)\n"
    "      --replications=N (default 10)  --schedules=NAME,... (auto: that of duetbench)\n"
    "      --form=suite|single|both (all pairs in one program, or each in a program)\n"
    "      --plain=N (visits to plain loops of Google Benchmark; default 20)\n"
    "      --plain_time=SECONDS (of a plain loop)  --pairs=REGEX  --load=K\n"
    "      --set=all|tuning|hold-out (tune with tuning alone)\n"
    "      --set=group (four unlike variants measured together, with simultaneous intervals)\n"
    "      --state=FILE (goes on where it was interrupted)  --summary (only reports FILE)\n"
    "      --check (the goals of the project)  -- ARGUMENTS for the program of duets\n"
    "The questions of the papers, with the lab's own workloads. All take\n"
    "  --quick (each in less than a minute, roughly)  --workloads=NAME,...  --loads=NAME,...\n"
    "  --runs=R  --run_seconds=T  --iteration_ms=D\n"
    "Workloads: integer, float, cache, memory, sort, hash, string, allocation, memcpy,\n"
    "interpreter, syscall, long. Loads: none, one, both, bursts, quota, memory.\n"
    "  accuracy     RQ1: how wide intervals of A/A comparisons are, beside the standard method\n"
    "  shuffle      RQ2: the same without the pairing, duet : shuffled : standard\n"
    "  load         RQ3: paired and shuffled under each load\n"
    "  known-ratio  RQ4: a true ratio of 2, with and without fill, beside the prediction\n"
    "      --ratio=R  --durations_ms=D,...  --schedule=NAME\n"
    "  precision    widths at equal wall time, beside plain ABBA and Google Benchmark (--runs "
    "trials)\n"
    "      --ratio=R (the true one; default 1)\n"
    "  power        false alarms and detected differences over many experiments\n"
    "      --experiments=K  --schedules=NAME,...  --kinds=KIND,... (and paper)\n"
    "      --state=FILE (goes on where it was interrupted)\n"
    "  instances    false alarms by numbers of instances and trials (Laaber et al.)\n"
    "      --instances=N  --trials=N  --resamplings=N  --mds  --out=FILE (the times, for\n"
    "      duet_stat --grid)\n"
    "Exit status: 0 measured, 1 a target was not met (with --check), 2 an error, 77 this machine\n"
    "cannot do it.\n";

int Run(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "help") {
    std::fputs(kHelp, words.empty() ? stderr : stdout);
    return words.empty() ? kError : 0;
  }
  if (words[0] == "--version") {
    std::puts("duet_lab " DUETBENCH_VERSION_TEXT);
    return 0;
  }
  for (const Measurement& measurement : kMeasurements) {
    if (words[0] != measurement.name) continue;
    Arguments arguments({words.begin() + 1, words.end()});
    const std::string format = arguments.Text("format", "console");
    const bool check = arguments.Switch("check");
    if (format != "console" && format != "json" && format != "csv") {
      std::fprintf(stderr, "duet_lab: --format: '%s' should be console, json or csv\n",
                   format.c_str());
      return kError;
    }
    const absl::StatusOr<LabReport> report = measurement.measure(arguments);
    if (!report.ok()) {
      std::fprintf(stderr, "duet_lab: %s\n", std::string(report.status().message()).c_str());
      return absl::IsFailedPrecondition(report.status()) ? kNotHere : kError;
    }
    const std::string text = format == "json"  ? ToJson(*report)
                             : format == "csv" ? ToCsv(*report)
                                               : ToConsole(*report);
    std::fputs(text.c_str(), stdout);
    bool met = true;
    for (const LabReport::Check& promise : report->checks) met = met && promise.met;
    return check && !met ? kNotMet : 0;
  }
  std::fprintf(stderr, "duet_lab: there is no measurement '%s'\n%s", words[0].c_str(), kHelp);
  return kError;
}

}  // namespace
}  // namespace duetbench::lab

int main(int argc, char** argv) {
  if (const std::optional<int> status = duetbench::lab::RunRole(argc, argv)) return *status;
  return duetbench::lab::Run({argv + 1, argv + argc});
}
