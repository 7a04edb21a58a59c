#include "tools/duet_lab/mechanisms/rendezvous.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/thread.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/measurements.h"

namespace duetbench::lab {
namespace {

// The targets of the aligned start.
constexpr double kMaxSkewP50Ns = 10;
constexpr double kMaxSkewP99Ns = 100;
constexpr double kTimesBelowStdBarrier = 20;

// One kind of barrier, and its measurements.
struct Contender {
  std::string name;
  std::unique_ptr<Barrier> (*make)(double ns_per_tick);
  std::vector<RendezvousSummary> repetitions;
};

std::vector<Contender> MakeContenders() {
  std::vector<Contender> contenders;
  contenders.push_back({"duetbench, aligned start", MakeAlignedRendezvous, {}});
  contenders.push_back({"duetbench, flags only", MakeFlagRendezvous, {}});
  contenders.push_back({"std::barrier", [](double) { return MakeStdBarrier(); }, {}});
  contenders.push_back({"pthread_barrier_t", [](double) { return MakePthreadBarrier(); }, {}});
  return contenders;
}

// One repetition of one contender: two new threads, each pinned and with its stamps on pages of its
// own. The first `warm_up` rendezvous are not counted.
absl::StatusOr<RendezvousSummary> MeasureOnce(Barrier& barrier, const Machine& machine,
                                              RendezvousSeries series, size_t warm_up) {
  series.count += warm_up;
  Pages pages[2];
  for (Pages& page : pages) {
    page = Pages(series.count * sizeof(RendezvousStamps));
    if (page.data() == nullptr) return absl::ResourceExhaustedError("no memory for the stamps");
  }
  absl::Status pinned[2];
  RendezvousBlock ready;
  const auto run = [&](int side) {
    pinned[side] = PinThisThread(machine.cpus.cpus[side]);
    Rendezvous rendezvous(&ready, side, 0, 0);
    rendezvous.Publish(0, pinned[side].ok() ? 1 : 0);
    rendezvous.Await(1, 0);
    if (!pinned[side].ok() || rendezvous.PartnerPayload(1) == 0) return;
    barrier.Repeat(side, series, static_cast<RendezvousStamps*>(pages[side].data()));
  };
  std::thread other(run, 1);
  std::thread one(run, 0);
  one.join();
  other.join();
  for (const absl::Status& status : pinned) {
    if (!status.ok()) return status;
  }
  const auto stamps = [&](int side) {
    return absl::MakeConstSpan(static_cast<const RendezvousStamps*>(pages[side].data()),
                               series.count)
        .subspan(warm_up);
  };
  return SummarizeRendezvous(stamps(0), stamps(1), machine.ns_per_tick);
}

// The values of one member over the repetitions.
std::vector<double> Collect(const Contender& contender, double RendezvousSummary::*member) {
  std::vector<double> values;
  for (const RendezvousSummary& summary : contender.repetitions) values.push_back(summary.*member);
  return values;
}

double MedianOf(const Contender& contender, double RendezvousSummary::*member) {
  return Spread(Collect(contender, member))["median"].get<double>();
}

void AddChecks(const std::vector<Contender>& contenders, double clock_step_ns, LabReport* report) {
  const double p50 = MedianOf(contenders[0], &RendezvousSummary::skew_p50_ns);
  const double p99 = MedianOf(contenders[0], &RendezvousSummary::skew_p99_ns);
  const double barrier_p50 = MedianOf(contenders[2], &RendezvousSummary::skew_p50_ns);
  // A skew below the clock's step reads 0: it is only known to be at most the step.
  const double times = barrier_p50 / std::max(p50, clock_step_ns);
  report->checks.push_back({absl::StrFormat("start skew p50 <= %g ns", kMaxSkewP50Ns),
                            absl::StrFormat("%.1f ns", p50), p50 <= kMaxSkewP50Ns});
  report->checks.push_back({absl::StrFormat("start skew p99 <= %g ns", kMaxSkewP99Ns),
                            absl::StrFormat("%.1f ns", p99), p99 <= kMaxSkewP99Ns});
  report->checks.push_back(
      {absl::StrFormat("start skew p50 >= %g times below std::barrier's", kTimesBelowStdBarrier),
       absl::StrFormat("%.1f times", times), times >= kTimesBelowStdBarrier});
}

}  // namespace

RendezvousSummary SummarizeRendezvous(absl::Span<const RendezvousStamps> first,
                                      absl::Span<const RendezvousStamps> second,
                                      double ns_per_tick) {
  std::vector<double> skews;
  std::vector<double> costs;
  for (size_t i = 0; i < first.size(); ++i) {
    const auto skew = static_cast<int64_t>(first[i].start - second[i].start);
    skews.push_back(static_cast<double>(std::abs(skew)) * ns_per_tick);
    const uint64_t arrival = std::max(first[i].arrival, second[i].arrival);
    const uint64_t start = std::max(first[i].start, second[i].start);
    // Signed: the clocks of two CPUs may differ by a few ticks.
    costs.push_back(static_cast<double>(static_cast<int64_t>(start - arrival)) * ns_per_tick);
  }
  std::sort(skews.begin(), skews.end());
  std::sort(costs.begin(), costs.end());
  return {stats::QuantileType7(skews, 0.5), stats::QuantileType7(skews, 0.99),
          stats::QuantileType7(costs, 0.5), stats::QuantileType7(costs, 0.99)};
}

absl::StatusOr<LabReport> MeasureRendezvous(Arguments& arguments) {
  const auto meetings = static_cast<size_t>(arguments.Whole("meetings", 10'000, 1, 10'000'000));
  const double delay_ns = arguments.Number("delay_ns", 1'000, 0, 1e9);
  LabReport report;
  report.measurement = "rendezvous";
  const absl::StatusOr<RepetitionPlan> plan = PlanRepetitions(arguments, 21, 1, &report);
  if (!plan.ok()) return plan.status();
  const Machine& machine = plan->machine;
  if (machine.cpus.relation == CpuRelation::kOneCpu) {
    return absl::FailedPreconditionError("a rendezvous needs two CPUs; this process may use one");
  }
  report.context["meetings"] = meetings;
  report.context["delay_ns"] = delay_ns;
  report.summary.push_back(absl::StrFormat(
      "%d rendezvous x %d repetitions; each thread arrives 0 to %g ns late; medians over "
      "the repetitions (smallest-largest)",
      meetings, plan->repetitions, delay_ns));

  std::vector<Contender> contenders = MakeContenders();
  std::mt19937_64 random(plan->seed);
  for (int64_t repetition = 0; repetition < plan->repetitions; ++repetition) {
    std::vector<Contender*> order;
    order.reserve(contenders.size());
    for (Contender& contender : contenders) order.push_back(&contender);
    std::shuffle(order.begin(), order.end(), random);
    for (Contender* contender : order) {
      const std::unique_ptr<Barrier> barrier = contender->make(machine.ns_per_tick);
      const RendezvousSeries series{meetings, static_cast<uint64_t>(delay_ns / machine.ns_per_tick),
                                    random()};
      absl::StatusOr<RendezvousSummary> summary =
          MeasureOnce(*barrier, machine, series, std::min<size_t>(meetings, 500));
      if (!summary.ok()) return summary.status();
      contender->repetitions.push_back(*summary);
    }
  }

  report.columns = {{"name", "rendezvous"},
                    {"skew_p50_ns", "skew p50 [ns]", 1},
                    {"skew_p99_ns", "skew p99 [ns]", 1},
                    {"cost_p50_ns", "cost p50 [ns]", 1},
                    {"cost_p99_ns", "cost p99 [ns]", 1}};
  for (const Contender& contender : contenders) {
    report.rows.push_back({
        {"name", contender.name},
        {"skew_p50_ns", Spread(Collect(contender, &RendezvousSummary::skew_p50_ns))},
        {"skew_p99_ns", Spread(Collect(contender, &RendezvousSummary::skew_p99_ns))},
        {"cost_p50_ns", Spread(Collect(contender, &RendezvousSummary::cost_p50_ns))},
        {"cost_p99_ns", Spread(Collect(contender, &RendezvousSummary::cost_p99_ns))},
    });
  }
  AddChecks(contenders, machine.clock_step_ns, &report);
  return report;
}

}  // namespace duetbench::lab
