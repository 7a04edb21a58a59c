#include "tools/duet_lab/rendezvous.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/platform/affinity.h"
#include "duetbench/platform/pages.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/stats/quantile.h"
#include "tools/duet_lab/meeting_place.h"
#include "tools/duet_lab/meeting_summary.h"
#include "tools/duet_lab/place.h"

namespace duetbench::lab {
namespace {

// The targets of the aligned start.
constexpr double kMostSkewP50Ns = 10;
constexpr double kMostSkewP99Ns = 100;
constexpr double kTimesBelowStdBarrier = 20;

// One of the ways to meet, and what was measured of it.
struct Contender {
  std::string name;
  std::unique_ptr<MeetingPlace> (*make)(double ns_per_tick);
  std::vector<MeetingSummary> repetitions;
};

std::vector<Contender> MakeContenders() {
  std::vector<Contender> contenders;
  contenders.push_back({"duetbench, aligned start", MakeAlignedRendezvous, {}});
  contenders.push_back({"duetbench, flags only", MakeFlagRendezvous, {}});
  contenders.push_back({"std::barrier", [](double) { return MakeStdBarrier(); }, {}});
  contenders.push_back({"pthread_barrier_t", [](double) { return MakePthreadBarrier(); }, {}});
  return contenders;
}

// One repetition of one contender: two fresh threads, each pinned and with its stamps on pages of
// its own. The first `warm_up` meetings are not counted.
absl::StatusOr<MeetingSummary> MeasureOnce(MeetingPlace& place, const Machine& machine,
                                           MeetingSeries series, size_t warm_up) {
  series.meetings += warm_up;
  Pages pages[2];
  for (Pages& page : pages) {
    page = Pages(series.meetings * sizeof(MeetingStamps));
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
    place.MeetManyTimes(side, series, static_cast<MeetingStamps*>(pages[side].data()));
  };
  std::thread other(run, 1);
  std::thread one(run, 0);
  one.join();
  other.join();
  for (const absl::Status& status : pinned) {
    if (!status.ok()) return status;
  }
  const auto stamps = [&](int side) {
    return absl::MakeConstSpan(static_cast<const MeetingStamps*>(pages[side].data()),
                               series.meetings)
        .subspan(warm_up);
  };
  return SummarizeMeetings(stamps(0), stamps(1), machine.ns_per_tick);
}

// The values of one member over the repetitions.
std::vector<double> Collect(const Contender& contender, double MeetingSummary::*member) {
  std::vector<double> values;
  for (const MeetingSummary& summary : contender.repetitions) values.push_back(summary.*member);
  return values;
}

double MedianOf(const Contender& contender, double MeetingSummary::*member) {
  return Spread(Collect(contender, member))["median"].get<double>();
}

void AddChecks(const std::vector<Contender>& contenders, double clock_step_ns, LabReport* report) {
  const double p50 = MedianOf(contenders[0], &MeetingSummary::skew_p50_ns);
  const double p99 = MedianOf(contenders[0], &MeetingSummary::skew_p99_ns);
  const double barrier_p50 = MedianOf(contenders[2], &MeetingSummary::skew_p50_ns);
  // A skew below the clock's step reads 0: what is known of it is that it is not above the step.
  const double times = barrier_p50 / std::max(p50, clock_step_ns);
  report->checks.push_back({absl::StrFormat("start skew p50 <= %g ns", kMostSkewP50Ns),
                            absl::StrFormat("%.1f ns", p50), p50 <= kMostSkewP50Ns});
  report->checks.push_back({absl::StrFormat("start skew p99 <= %g ns", kMostSkewP99Ns),
                            absl::StrFormat("%.1f ns", p99), p99 <= kMostSkewP99Ns});
  report->checks.push_back(
      {absl::StrFormat("start skew p50 >= %g times below std::barrier's", kTimesBelowStdBarrier),
       absl::StrFormat("%.1f times", times), times >= kTimesBelowStdBarrier});
}

}  // namespace

absl::StatusOr<LabReport> MeasureRendezvous(Arguments& arguments) {
  const auto meetings = static_cast<size_t>(arguments.Whole("meetings", 10'000, 1, 10'000'000));
  const int64_t repetitions = arguments.Whole("repetitions", 21, 1, 100'000);
  const double delay_ns = arguments.Number("delay_ns", 1'000, 0, 1e9);
  const auto seed = static_cast<uint64_t>(arguments.Whole("seed", 1, 0, int64_t{1} << 62));
  LabReport report;
  report.measurement = "rendezvous";
  const absl::StatusOr<Machine> machine = DescribePlace(arguments, &report);
  if (!machine.ok()) return machine.status();
  if (const absl::Status status = arguments.Finish(); !status.ok()) return status;
  if (machine->cpus.relation == CpuRelation::kOneCpu) {
    return absl::FailedPreconditionError("a rendezvous needs two CPUs; this process may use one");
  }
  report.context["meetings"] = meetings;
  report.context["repetitions"] = repetitions;
  report.context["delay_ns"] = delay_ns;
  report.context["seed"] = seed;
  report.summary.push_back(
      absl::StrFormat("%d meetings x %d repetitions; each side comes 0 to %g ns late; medians over "
                      "the repetitions (least-largest)",
                      meetings, repetitions, delay_ns));

  std::vector<Contender> contenders = MakeContenders();
  std::mt19937_64 random(seed);
  for (int64_t repetition = 0; repetition < repetitions; ++repetition) {
    std::vector<Contender*> order;
    order.reserve(contenders.size());
    for (Contender& contender : contenders) order.push_back(&contender);
    std::shuffle(order.begin(), order.end(), random);
    for (Contender* contender : order) {
      const std::unique_ptr<MeetingPlace> place = contender->make(machine->ns_per_tick);
      const MeetingSeries series{meetings, static_cast<uint64_t>(delay_ns / machine->ns_per_tick),
                                 random()};
      absl::StatusOr<MeetingSummary> summary =
          MeasureOnce(*place, *machine, series, std::min<size_t>(meetings, 500));
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
        {"skew_p50_ns", Spread(Collect(contender, &MeetingSummary::skew_p50_ns))},
        {"skew_p99_ns", Spread(Collect(contender, &MeetingSummary::skew_p99_ns))},
        {"cost_p50_ns", Spread(Collect(contender, &MeetingSummary::cost_p50_ns))},
        {"cost_p99_ns", Spread(Collect(contender, &MeetingSummary::cost_p99_ns))},
    });
  }
  AddChecks(contenders, machine->clock_step_ns, &report);
  return report;
}

}  // namespace duetbench::lab
