#include "duetbench/platform/survey.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

constexpr char kDevices[] = "/sys/bus/event_source/devices";

std::string ParanoidText(const PerfSurroundings& surroundings) {
  return surroundings.paranoid.has_value()
             ? absl::StrCat("kernel.perf_event_paranoid is ", *surroundings.paranoid)
             : "the kernel has no kernel.perf_event_paranoid";
}

constexpr char kNotCounted[] = "the PMU of this machine does not count it";
constexpr char kOtherEvent[] = "name an event that it has";
constexpr char kManyFiles[] = "too many files are open";
constexpr char kNotLikeThis[] = "the kernel cannot count it like this";
constexpr char kCheck[] = "check its modifiers and code";

constexpr struct {
  int error;
  const char* reason;
  const char* remedy;
} kRefusals[] = {
    {ENOENT, kNotCounted, kOtherEvent},
    {ENODEV, kNotCounted, kOtherEvent},
    {ENXIO, kNotCounted, kOtherEvent},
    {EOPNOTSUPP, kNotCounted, kOtherEvent},
    {ENOSYS, "the kernel, or the sandbox in its place, has no perf_event_open",
     "run on a Linux kernel with CONFIG_PERF_EVENTS"},
    {EMFILE, kManyFiles, "raise ulimit -n"},
    {ENFILE, kManyFiles, "raise ulimit -n"},
    {EBUSY, "another process has the PMU to itself", "end the other profiler"},
    {EINVAL, kNotLikeThis, kCheck},
    {ENOSPC, kNotLikeThis, kCheck},
    {E2BIG, kNotLikeThis, kCheck},
};

// The level at which an unprivileged process may count this.
int WantedLevel(const EventCode& code) { return code.exclude_kernel != 0 ? 2 : 1; }

MissingEvent ExplainName(const std::string& name, const absl::Status& status) {
  MissingEvent missing;
  missing.name = name;
  missing.reason = std::string(status.message());
  if (absl::IsNotFound(status)) {
    missing.remedy = "`showevtinfo` (libpfm4) and `perf list` show what there is";
  } else if (absl::IsUnavailable(status)) {
    missing.remedy = "install libpfm4 (Debian: libpfm4-dev) and build duetbench again";
  } else if (absl::IsFailedPrecondition(status)) {
    missing.remedy = "install libpfm4 (Debian: libpfm4)";
  }
  return missing;
}

}  // namespace

PerfSurroundings ReadPerfSurroundings(const std::string& root) {
  PerfSurroundings surroundings;
  if (const auto level = ReadNumberFile(root + "/proc/sys/kernel/perf_event_paranoid")) {
    surroundings.paranoid = static_cast<int>(*level);
  }
  const std::vector<std::string> devices = ListFolder(root + kDevices);
  surroundings.has_pmu = std::any_of(devices.begin(), devices.end(), [](const std::string& name) {
    // x86; hybrid x86; Arm.
    return name == "cpu" || absl::StartsWith(name, "cpu_") || absl::StartsWith(name, "armv8");
  });
  return surroundings;
}

MissingEvent ExplainRefusal(const std::string& name, const EventCode& code, int error,
                            const PerfSurroundings& surroundings) {
  std::string reason = "it cannot be opened";
  std::string remedy;
  for (const auto& refusal : kRefusals) {
    if (refusal.error == error) reason = refusal.reason, remedy = refusal.remedy;
  }
  const std::string sysctl = absl::StrCat("sysctl kernel.perf_event_paranoid=", WantedLevel(code));
  if (error == EACCES) {
    reason = absl::StrCat("not allowed to this user: ", ParanoidText(surroundings));
    remedy = absl::StrCat(sysctl, ", or run with CAP_PERFMON");
  } else if (error == EPERM) {
    reason = absl::StrCat("forbidden to this process, by a container's seccomp filter or because ",
                          ParanoidText(surroundings));
    remedy = absl::StrCat(
        "start the container with --cap-add=PERFMON (or a seccomp profile that allows "
        "perf_event_open), or ",
        sysctl);
  } else if (reason == kNotCounted && IsSoftware(code)) {
    reason = "this kernel does not count it";
    remedy.clear();
  } else if (reason == kNotCounted && !surroundings.has_pmu) {
    reason = "this machine has no performance monitoring unit (PMU)";
    remedy =
        "run on hardware, or give the VM a virtual PMU (KVM: -cpu host,pmu=on; cloud: a bare metal "
        "or whole-socket instance)";
  }
  return {name, absl::StrCat(reason, " (perf_event_open: ", std::strerror(error), ")"), remedy};
}

std::vector<std::string> MissingLines(const std::vector<MissingEvent>& missing) {
  std::vector<std::string> lines;
  std::vector<bool> done(missing.size(), false);
  for (size_t i = 0; i < missing.size(); ++i) {
    if (done[i]) continue;
    std::string names = missing[i].name;
    for (size_t j = i + 1; j < missing.size(); ++j) {
      if (missing[j].reason != missing[i].reason || missing[j].remedy != missing[i].remedy)
        continue;
      done[j] = true;
      absl::StrAppend(&names, ", ", missing[j].name);
    }
    lines.push_back(absl::StrCat("not counted: ", names, ": ", missing[i].reason,
                                 missing[i].remedy.empty() ? "" : "; ", missing[i].remedy));
  }
  return lines;
}

EventSurvey SurveyEvents(const std::vector<std::string>& names, const EventResolver& resolve,
                         PerfSystem* system, const PerfSurroundings& surroundings) {
  EventSurvey survey;
  std::vector<Event> resolved;
  std::vector<EventCode> codes;
  for (const std::string& name : names) {
    const absl::StatusOr<EventCode> code = resolve(name);
    if (!code.ok()) {
      survey.missing.push_back(ExplainName(name, code.status()));
    } else if (resolved.size() == kMaxEvents) {
      survey.missing.push_back(
          {name, absl::StrCat("a duet counts at most ", kMaxEvents, " events"), "name fewer"});
    } else {
      resolved.push_back({name, *code});
      codes.push_back(*code);
    }
  }
  CounterSet counters(system, codes.data(), codes.size());
  counters.Enable();
  counters.Start();
  system->Exercise();
  counters.Stop();
  counters.Disable();
  for (size_t i = 0; i < resolved.size(); ++i) {
    if (counters.error(i) == CounterSet::kNoCounterLeft) {
      survey.missing.push_back({resolved[i].name,
                                "the PMU has no counter left for it beside the events before it",
                                "name fewer at once"});
    } else if (counters.error(i) != 0) {
      survey.missing.push_back(
          ExplainRefusal(resolved[i].name, codes[i], counters.error(i), surroundings));
    } else if (!counters.count(i).counted) {
      survey.missing.push_back({resolved[i].name,
                                "the kernel accepted it, but never put it on the PMU",
                                "end whatever else uses its counters"});
    } else {
      survey.events.push_back(std::move(resolved[i]));
    }
  }
  return survey;
}

}  // namespace duetbench
