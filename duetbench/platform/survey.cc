#include "duetbench/platform/survey.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

constexpr char kDevices[] = "/sys/bus/event_source/devices";

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

std::string WhyRefused(const EventCode& code, int error, const PerfSurroundings& surroundings) {
  const std::string paranoid =
      surroundings.paranoid.has_value()
          ? absl::StrCat("kernel.perf_event_paranoid is ", *surroundings.paranoid)
          : "the kernel has no kernel.perf_event_paranoid";
  // The level at which an unprivileged process may count this.
  const std::string sysctl =
      absl::StrCat("sysctl kernel.perf_event_paranoid=", code.exclude_kernel != 0 ? 2 : 1);
  std::string reason = "it cannot be opened";
  std::string remedy;
  switch (error) {
    case EACCES:
      reason = absl::StrCat("not allowed to this user: ", paranoid);
      remedy = absl::StrCat("; ", sysctl, ", or run with CAP_PERFMON");
      break;
    case EPERM:
      reason = absl::StrCat(
          "forbidden to this process, by a container's seccomp filter or because ", paranoid);
      remedy = absl::StrCat(
          "; start the container with --cap-add=PERFMON (or a seccomp profile that allows "
          "perf_event_open), or ",
          sysctl);
      break;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
      if (IsSoftware(code)) {
        reason = "this kernel does not count it";
      } else if (surroundings.has_pmu) {
        reason = "the PMU of this machine does not count it";
      } else {
        reason = "this machine has no performance monitoring unit (PMU)";
        remedy =
            "; run on hardware, or give the VM a virtual PMU (KVM: -cpu host,pmu=on; cloud: a bare "
            "metal or whole-socket instance)";
      }
      break;
  }
  return absl::StrCat(reason, " (perf_event_open: ", std::strerror(error), ")", remedy);
}

std::vector<std::string> MissingLines(const std::vector<MissingEvent>& missing) {
  std::vector<std::string> lines;
  std::map<std::string, std::string> names;  // by cause
  for (const MissingEvent& event : missing) {
    std::string& of_cause = names[event.cause];
    absl::StrAppend(&of_cause, of_cause.empty() ? "" : ", ", event.name);
  }
  for (const MissingEvent& event : missing) {
    const auto named = names.find(event.cause);
    if (named == names.end()) continue;
    lines.push_back(absl::StrCat("not counted: ", named->second, ": ", event.cause));
    names.erase(named);
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
      survey.missing.push_back({name, std::string(code.status().message())});
    } else if (resolved.size() == kMaxEvents) {
      survey.missing.push_back(
          {name, absl::StrCat("a duet counts at most ", kMaxEvents, " events; name fewer")});
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
                                "the PMU has no counter left for it beside the events before it; "
                                "name fewer at once"});
    } else if (counters.error(i) != 0) {
      survey.missing.push_back(
          {resolved[i].name, WhyRefused(codes[i], counters.error(i), surroundings)});
    } else if (!counters.count(i).counted) {
      survey.missing.push_back({resolved[i].name,
                                "the kernel accepted it, but never put it on the PMU; end whatever "
                                "else uses its counters"});
    } else {
      survey.events.push_back(std::move(resolved[i]));
    }
  }
  return survey;
}

}  // namespace duetbench
