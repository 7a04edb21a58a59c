#include "duetbench/platform/survey.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

// libpfm's header declares what linux/perf_event.h declares too: never both in one file.
#ifdef DUETBENCH_HAVE_PFM
#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>
#endif

namespace duetbench {

std::vector<std::string> SplitEventNames(absl::string_view list) {
  std::vector<std::string> names;
  for (absl::string_view name : absl::StrSplit(list, ',')) {
    name = absl::StripAsciiWhitespace(name);
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.emplace_back(name);
  }
  return names;
}

#ifdef DUETBENCH_HAVE_PFM

namespace {

// Sets `function` to the one of that name. False: the library lacks it; dlerror() says why.
template <class Function>
bool LookUp(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

// libpfm4, loaded when the first event is resolved: the dynamic linker relocates 41,000 pointers of
// it, which takes 2 ms, and would do so in each process that executes a run.
struct Libpfm {
  decltype(&pfm_initialize) initialize = nullptr;
  decltype(&pfm_get_os_event_encoding) get_os_event_encoding = nullptr;
  decltype(&pfm_strerror) strerror = nullptr;

  std::string ErrorOf(int status) const { return absl::StrCat("libpfm4: ", strerror(status)); }
};

absl::StatusOr<Libpfm> LoadLibpfm() {
  void* const library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
  Libpfm pfm;
  const bool loaded = library != nullptr && LookUp(library, "pfm_initialize", &pfm.initialize) &&
                      LookUp(library, "pfm_get_os_event_encoding", &pfm.get_os_event_encoding) &&
                      LookUp(library, "pfm_strerror", &pfm.strerror);
  if (!loaded) {
    return absl::FailedPreconditionError(absl::StrCat("libpfm4 cannot be loaded: ", dlerror(),
                                                      "; install libpfm4 (Debian: libpfm4)"));
  }
  const int status = pfm.initialize();
  if (status != PFM_SUCCESS) return absl::InternalError(pfm.ErrorOf(status));
  return pfm;
}

int Encode(const Libpfm& pfm, const std::string& name, int default_modes,
           perf_event_attr* attributes) {
  *attributes = {};
  attributes->size = sizeof(*attributes);
  pfm_perf_encode_arg_t argument{};
  argument.attr = attributes;
  argument.size = sizeof(argument);
  return pfm.get_os_event_encoding(name.c_str(), default_modes, PFM_OS_PERF_EVENT, &argument);
}

bool HappensInTheKernel(const perf_event_attr& attributes) {
  return attributes.type == PERF_TYPE_SOFTWARE &&
         (attributes.config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
          attributes.config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

}  // namespace

absl::StatusOr<EventCode> ResolveEvent(const std::string& name) {
  static const auto* const pfm = new absl::StatusOr<Libpfm>(LoadLibpfm());
  if (!pfm->ok()) return pfm->status();
  perf_event_attr attributes;
  int error = Encode(**pfm, name, PFM_PLM3, &attributes);
  if (error == PFM_SUCCESS && HappensInTheKernel(attributes)) {
    error = Encode(**pfm, name, PFM_PLM0 | PFM_PLM3, &attributes);
    if (error == PFM_SUCCESS && attributes.exclude_kernel != 0) {
      return absl::InvalidArgumentError(
          "in user mode alone it is always 0: it happens in the kernel; leave ':u' out");
    }
  }
  if (error == PFM_ERR_NOTFOUND || error == PFM_ERR_NOTSUPP) {
    return absl::NotFoundError(
        "libpfm4 knows no such event on this machine; `showevtinfo` (libpfm4) and `perf list` show "
        "what there is");
  }
  if (error != PFM_SUCCESS) return absl::InvalidArgumentError((*pfm)->ErrorOf(error));
  EventCode code;
  code.type = attributes.type;
  code.config = attributes.config;
  code.config1 = attributes.config1;
  code.config2 = attributes.config2;
  code.exclude_user = attributes.exclude_user;
  code.exclude_kernel = attributes.exclude_kernel;
  code.exclude_hypervisor = attributes.exclude_hv;
  code.precise = attributes.precise_ip;
  return code;
}

#else

absl::StatusOr<EventCode> ResolveEvent(const std::string& name) {
  return absl::UnavailableError(
      absl::StrCat("duetbench was built without libpfm4, which knows what '", name,
                   "' stands for; install it (Debian: libpfm4-dev) and build duetbench again"));
}

#endif

PerfSurroundings ReadPerfSurroundings(const std::string& root) {
  PerfSurroundings surroundings;
  if (const auto level = ReadNumberFile(root + "/proc/sys/kernel/perf_event_paranoid")) {
    surroundings.paranoid = static_cast<int>(*level);
  }
  const std::vector<std::string> devices = ListFolder(root + "/sys/bus/event_source/devices");
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
