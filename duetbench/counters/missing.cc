#include "duetbench/counters/missing.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/counters/kernel_abi.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

constexpr char kFolder[] = "/sys/bus/event_source/devices";

// strerror may share its buffer among threads; the words of these are fixed.
std::string Words(int error) { return absl::StrCat(std::strerror(error)); }

std::string ParanoidText(const PerfSurroundings& surroundings) {
  return surroundings.paranoid.has_value()
             ? absl::StrCat("kernel.perf_event_paranoid is ", *surroundings.paranoid)
             : "the kernel has no kernel.perf_event_paranoid";
}

// The level at which an unprivileged process may count this.
int WantedLevel(const EventCode& code) { return code.exclude_kernel != 0 ? 2 : 1; }

}  // namespace

PerfSurroundings ReadPerfSurroundings(const std::string& root) {
  PerfSurroundings surroundings;
  if (const auto level = ReadNumberFile(root + "/proc/sys/kernel/perf_event_paranoid")) {
    surroundings.paranoid = static_cast<int>(*level);
  }
  const std::vector<std::string> devices = ListFolder(root + kFolder);
  surroundings.has_pmu = std::any_of(devices.begin(), devices.end(), [](const std::string& name) {
    // x86; hybrid x86; Arm.
    return name == "cpu" || absl::StartsWith(name, "cpu_") || absl::StartsWith(name, "armv8");
  });
  return surroundings;
}

MissingEvent ExplainRefusal(const std::string& name, const EventCode& code, int error,
                            const PerfSurroundings& surroundings) {
  MissingEvent missing;
  missing.name = name;
  const auto because = [&missing, error](const std::string& what) {
    missing.reason = absl::StrCat(what, " (perf_event_open: ", Words(error), ")");
  };
  switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
      if (IsSoftware(code)) {
        because("this kernel does not count it");
      } else if (surroundings.has_pmu) {
        because("the PMU of this machine does not count it");
        missing.remedy = "name an event that it has";
      } else {
        because("this machine has no performance monitoring unit (PMU)");
        missing.remedy =
            "run on hardware, or give the VM a virtual PMU (KVM: -cpu host,pmu=on; cloud: a bare "
            "metal or whole-socket instance)";
      }
      break;
    case EACCES:
      because(absl::StrCat("not allowed to this user: ", ParanoidText(surroundings)));
      missing.remedy = absl::StrCat("sysctl kernel.perf_event_paranoid=", WantedLevel(code),
                                    ", or run with CAP_PERFMON");
      break;
    case EPERM:
      because(absl::StrCat("forbidden to this process, by a container's seccomp filter or since ",
                           ParanoidText(surroundings)));
      missing.remedy = absl::StrCat(
          "start the container with --cap-add=PERFMON (or a seccomp profile that allows "
          "perf_event_open), or sysctl kernel.perf_event_paranoid=",
          WantedLevel(code));
      break;
    case ENOSYS:
      because("the kernel, or the sandbox in its place, has no perf_event_open");
      missing.remedy = "run on a Linux kernel with CONFIG_PERF_EVENTS";
      break;
    case EMFILE:
    case ENFILE:
      because("too many files are open");
      missing.remedy = "raise ulimit -n";
      break;
    case EBUSY:
      because("another process has the PMU to itself");
      missing.remedy = "end the other profiler";
      break;
    case EINVAL:
    case ENOSPC:
    case E2BIG:
      because("the kernel cannot count it like this");
      missing.remedy = "check its modifiers and code";
      break;
    default:
      because("it cannot be opened");
  }
  return missing;
}

std::vector<std::string> MissingLines(const std::vector<MissingEvent>& missing) {
  std::vector<std::string> lines;
  std::vector<bool> said(missing.size(), false);
  for (size_t i = 0; i < missing.size(); ++i) {
    if (said[i]) continue;
    std::string names = missing[i].name;
    for (size_t j = i + 1; j < missing.size(); ++j) {
      if (missing[j].reason != missing[i].reason || missing[j].remedy != missing[i].remedy)
        continue;
      said[j] = true;
      absl::StrAppend(&names, ", ", missing[j].name);
    }
    lines.push_back(absl::StrCat("not counted: ", names, ": ", missing[i].reason,
                                 missing[i].remedy.empty() ? "" : "; ", missing[i].remedy));
  }
  return lines;
}

}  // namespace duetbench
