#include "duetbench/platform/event_names.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

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

bool CanResolveEvents() { return true; }

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

bool CanResolveEvents() { return false; }

absl::StatusOr<EventCode> ResolveEvent(const std::string& name) {
  return absl::UnavailableError(
      absl::StrCat("duetbench was built without libpfm4, which knows what '", name,
                   "' stands for; install it (Debian: libpfm4-dev) and build duetbench again"));
}

#endif

}  // namespace duetbench
