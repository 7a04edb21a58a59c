// `layout`: the difference between copies of the same function.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/stats/random.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/mechanisms/code_copies.h"

namespace duetbench::lab {
namespace {

constexpr double kSampleNs = 20e3;
constexpr size_t kSlotBytes = 4096;  // of a copy; it begins in the first half

// In ticks, of `calls` calls.
double TimeOf(MovableCode::Function function, uint64_t calls, const std::vector<uint64_t>& data) {
  std::vector<uint64_t> work = data;
  const uint64_t start = ticks::Start();
  for (uint64_t i = 0; i < calls; ++i) {
    // Each call has the same data, or sort would have nothing to do.
    std::copy(data.begin(), data.end(), work.begin());
    uint64_t result = function(work.data(), work.size());
    __asm__ volatile("" : "+r"(result) : : "memory");
  }
  return static_cast<double>(ticks::Stop() - start);
}

// Logarithms of the times of the copies, measured twice: in the rounds of even and of odd number.
struct CopyTimes {
  std::vector<double> log_times[2];
};

CopyTimes MeasureCopies(const std::vector<MovableCode::Function>& functions, int rounds,
                        double ns_per_tick, stats::Random& random) {
  const std::vector<uint64_t> data = DataForMovableCode();
  const double call_ns = TimeOf(functions[0], 1000, data) * ns_per_tick / 1000;
  const auto calls = static_cast<uint64_t>(std::max(1.0, kSampleNs / std::max(call_ns, 1.0)));
  std::vector<std::vector<double>> times[2];
  for (auto& half : times) half.resize(functions.size());
  std::vector<size_t> order(functions.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = 0; round < rounds; ++round) {
    random.Shuffle(order);
    for (const size_t i : order) {
      times[round % 2][i].push_back(TimeOf(functions[i], calls, data));
    }
  }
  CopyTimes result;
  for (int half = 0; half < 2; ++half) {
    for (std::vector<double>& of_copy : times[half]) {
      result.log_times[half].push_back(std::log(stats::Median(std::move(of_copy))));
    }
  }
  return result;
}

// In per cent, of |log-ratios|.
double Apart(const std::vector<double>& sorted, double p) {
  return 100 * std::expm1(stats::QuantileType7(sorted, p));
}

nlohmann::ordered_json RowOf(const char* name, int alignment, const CopyTimes& times) {
  std::vector<double> pairs;
  std::vector<double> again;
  const std::vector<double>& first = times.log_times[0];
  const std::vector<double>& second = times.log_times[1];
  for (size_t i = 0; i < first.size(); ++i) {
    again.push_back(std::fabs(first[i] - second[i]));
    for (size_t j = i + 1; j < first.size(); ++j) {
      pairs.push_back(std::fabs(first[i] + second[i] - first[j] - second[j]) / 2);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::sort(again.begin(), again.end());
  return {{"workload", name},
          {"alignment", alignment},
          {"median_percent", Apart(pairs, 0.5)},
          {"p95_percent", Apart(pairs, 0.95)},
          {"largest_percent", Apart(pairs, 1)},
          {"same_copy_percent", Apart(again, 0.95)}};
}

}  // namespace

absl::StatusOr<LabReport> MeasureLayout(Arguments& arguments) {
  LabReport report;
  report.measurement = "layout";
  const int64_t copies = arguments.Whole("copies", 64, 3, 1000);
  const int64_t rounds = arguments.Whole("rounds", 1000, 4, 100'000);
  const auto seed = static_cast<uint64_t>(arguments.Whole("seed", 1, 0, 1'000'000'000));
  const absl::StatusOr<Machine> machine = DescribeMachine(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;
  if (machine->cpus.cpus[0] >= 0) {
    if (const absl::Status pinned = PinThisThread(machine->cpus.cpus[0]); !pinned.ok()) {
      return pinned;
    }
  }
  report.context["copies"] = copies;
  report.context["rounds"] = rounds;
  report.context["seed"] = seed;
  report.columns = {{"workload", "workload"},
                    {"alignment", "alignment"},
                    {"median_percent", "apart, median [%]", 2},
                    {"p95_percent", "95 % [%]", 2},
                    {"largest_percent", "largest [%]", 2},
                    {"same_copy_percent", "one copy, twice [%]", 2}};
  stats::Random random(seed);
  double worst = 0;
  for (const MovableCode& code : MovableCodes()) {
    for (const int alignment : {16, 64}) {
      std::vector<size_t> offsets;
      const auto step = static_cast<size_t>(alignment);
      for (int64_t copy = 0; copy < copies; ++copy) {
        offsets.push_back(static_cast<size_t>(copy) * kSlotBytes +
                          step * random.Below(kSlotBytes / 2 / step));
      }
      const auto made = CodeCopies::Make(code, offsets);
      if (!made.ok()) return made.status();
      const CopyTimes times = MeasureCopies((*made)->functions(), static_cast<int>(rounds),
                                            machine->ns_per_tick, random);
      report.rows.push_back(RowOf(code.name, alignment, times));
      if (alignment == 16) worst = std::max(worst, report.rows.back()["p95_percent"].get<double>());
    }
  }
  report.context["layout_noise"] = worst / 100;
  report.summary.push_back(absl::StrFormat(
      "%d copies of each function at random addresses, multiples of the alignment; how far apart "
      "two of them lie, and the two halves of the measurement of one (95 %%)",
      copies));
  report.summary.push_back(absl::StrFormat(
      "a difference of programs with one layout below %.2g %% may be that of their layouts: so far "
      "apart are 5 %% of the pairs of copies of the workload that depends on it most",
      worst));
  return report;
}

}  // namespace duetbench::lab
