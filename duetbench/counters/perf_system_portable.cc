#include "duetbench/counters/perf_system.h"
#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS

#include <cerrno>

namespace duetbench {
namespace {

// A kernel without counters: no event can be opened, so that nothing else is asked for.
class NoPerf final : public PerfSystem {
 public:
  int Open(const EventCode& /*code*/, int /*leader*/) override { return -ENOSYS; }
  void Close(int /*event*/) override {}
  void Enable(int /*leader*/) override {}
  void Disable(int /*leader*/) override {}
  long Read(int /*leader*/, void* /*buffer*/, size_t /*size*/) override { return -ENOSYS; }
  const volatile perf_event_mmap_page* Map(int /*event*/) override { return nullptr; }
  void Unmap(const volatile perf_event_mmap_page* /*page*/) override {}
  uint64_t ReadPmc(uint32_t /*counter*/) override { return 0; }
  void Exercise() override {}
};

}  // namespace

PerfSystem& LinuxPerf() {
  static NoPerf system;
  return system;
}

}  // namespace duetbench

#endif
