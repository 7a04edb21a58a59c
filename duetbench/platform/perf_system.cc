#include "duetbench/platform/perf_system.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace duetbench {
namespace {

class Perf final : public PerfSystem {
 public:
  int Open(const EventCode& code, int leader) override {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = code.type;
    attributes.config = code.config;
    attributes.config1 = code.config1;
    attributes.config2 = code.config2;
    attributes.exclude_user = code.exclude_user;
    attributes.exclude_kernel = code.exclude_kernel;
    attributes.exclude_hv = code.exclude_hypervisor;
    attributes.precise_ip = code.precise & 3u;
    attributes.disabled = leader < 0 ? 1 : 0;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    constexpr int kThisThread = 0;
    constexpr int kAnyCpu = -1;
    const long event = syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyCpu, leader,
                               PERF_FLAG_FD_CLOEXEC);
    return event < 0 ? -errno : static_cast<int>(event);
  }

  void Close(int event) override { close(event); }

  // Only the leader: members are always enabled, and count while their leader does. Disabled and
  // enabled as a whole group (PERF_IOC_FLAG_GROUP), the clocks among the software events stood
  // still from the second time on (Linux 6.18).
  void Enable(int leader) override { ioctl(leader, PERF_EVENT_IOC_ENABLE, 0); }
  void Disable(int leader) override { ioctl(leader, PERF_EVENT_IOC_DISABLE, 0); }

  long Read(int leader, void* buffer, size_t size) override {
    const ssize_t bytes = read(leader, buffer, size);
    return bytes < 0 ? -errno : static_cast<long>(bytes);
  }

  void Exercise() override {
    for (int i = 0; i < 10'000; ++i) asm volatile("" : "+r"(i));
  }
};

}  // namespace

bool IsSoftware(const EventCode& code) { return code.type == PERF_TYPE_SOFTWARE; }

PerfSystem& LinuxPerf() {
  static Perf* const system = new Perf;  // never destroyed: threads may outlive main
  return *system;
}

}  // namespace duetbench
