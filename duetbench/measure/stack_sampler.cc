#include "duetbench/measure/stack_sampler.h"

#include <execinfo.h>
#include <link.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "duetbench/platform/process.h"

namespace duetbench {
namespace callgrind {

// Requests of a program to Callgrind, without Valgrind's headers: an instruction sequence that does
// nothing on a processor and that Valgrind knows (Valgrind manual, 3.1, "client requests"; their
// numbers are stable). Elsewhere than on x86-64 they do nothing.

// 'C', 'T' and the number of the request (Callgrind manual, 6.5).
constexpr uint64_t kToggleCollect = 0x43540002;
constexpr uint64_t kStartInstrumentation = 0x43540004;

// The answer of Valgrind; 0 without it.
uint64_t Request(uint64_t request) {
#if defined(__x86_64__)
  const volatile uint64_t arguments[6] = {request, 0, 0, 0, 0, 0};
  uint64_t answer = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(&arguments[0])
      : "cc", "memory");
  return answer;
#else
  (void)request;
  return 0;
#endif
}

}  // namespace callgrind

// Written by the handler of its signal, read by the thread itself.
struct SampledThread {
  static constexpr size_t kDepth = 64;       // of a stack; callers beyond are cut off
  static constexpr size_t kWords = 1 << 18;  // 2 MiB: 10,000 stacks of 25 calls

  timer_t timer;
  uintptr_t unwinder[2];  // begin and end of the code of libgcc_s; 0, 0: it is not loaded
  uint64_t random;
  double interval_ns;
  volatile sig_atomic_t timed;
  volatile sig_atomic_t stopped;
  size_t used;
  // For each stack its number of places, and then these, innermost first.
  uintptr_t words[kWords];
};

namespace {

// The model is fixed at load time: no allocation when the signal handler reads it.
__attribute__((tls_model("initial-exec"))) thread_local SampledThread* sampled_thread = nullptr;

int SamplingSignal() { return SIGRTMAX - 3; }

// The next one-shot expiry.
void Arm(SampledThread* thread) {
  uint64_t& random = thread->random;  // xorshift
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  const double share = static_cast<double>(random >> 11) * 0x1p-53;
  itimerspec time{};
  time.it_value.tv_nsec = static_cast<int64_t>(thread->interval_ns * (0.5 + share));
  timer_settime(thread->timer, 0, &time, nullptr);
}

uintptr_t InterruptedAddress(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(machine.pc);
#else
  (void)machine;
  return 0;
#endif
}

void RecordStack(SampledThread* thread, const void* context) {
  constexpr int kOwnFrames = 4;  // of this function, the handler and the kernel's return from it
  void* frames[SampledThread::kDepth + kOwnFrames];
  const uintptr_t interrupted = InterruptedAddress(context);
  // An unwinder that throws moves the stack pointer before it leaves its frame: no stack there.
  const bool unwinds = thread->unwinder[0] <= interrupted && interrupted < thread->unwinder[1];
  const int count = unwinds ? 0 : backtrace(frames, SampledThread::kDepth + kOwnFrames);
  int first = 0;
  while (first < count && reinterpret_cast<uintptr_t>(frames[first]) != interrupted) ++first;
  const auto places = static_cast<size_t>(first < count ? count - first : 1);
  if (thread->used + 1 + places > SampledThread::kWords) return;
  uintptr_t* words = thread->words + thread->used;
  *words++ = places;
  *words++ = interrupted;
  // A return address follows its call, which may be the last instruction of the function.
  for (size_t i = 1; i < places; ++i) {
    *words++ = reinterpret_cast<uintptr_t>(frames[static_cast<size_t>(first) + i]) - 1;
  }
  thread->used += 1 + places;
}

void OnTimer(int /*signal*/, siginfo_t* /*info*/, void* context) {
  SampledThread* const thread = sampled_thread;
  if (thread == nullptr || thread->stopped != 0) return;
  const int error = errno;
  if (thread->timed != 0) RecordStack(thread, context);
  Arm(thread);
  errno = error;
}

// The files of this process whose code is mapped, and where.
struct MappedFile {
  std::string path;
  uintptr_t bias = 0;
  std::vector<std::pair<uintptr_t, uintptr_t>> code;  // begin and end
};

int AddMappedFile(dl_phdr_info* info, size_t /*size*/, void* files) {
  MappedFile file;
  file.path = info->dlpi_name;
  file.bias = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = file.bias + header.p_vaddr;
    file.code.emplace_back(begin, begin + header.p_memsz);
  }
  static_cast<std::vector<MappedFile>*>(files)->push_back(std::move(file));
  return 0;
}

std::vector<MappedFile> MappedCode() {
  std::vector<MappedFile> files;
  dl_iterate_phdr(AddMappedFile, &files);
  // The executable is the first one, and has no name.
  if (!files.empty() && files[0].path.empty()) files[0].path = PathOfThisProgram();
  return files;
}

CodePlace PlaceOf(uintptr_t address, const std::vector<MappedFile>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    for (const auto& [begin, end] : files[i].code) {
      if (begin <= address && address < end) {
        return {i, address - files[i].bias};
      }
    }
  }
  return {files.size(), 0};  // code that was made at run time
}

}  // namespace

StackSampler::StackSampler(double interval_ns) : tells_callgrind_(interval_ns == kForCallgrind) {
  if (tells_callgrind_) callgrind::Request(callgrind::kStartInstrumentation);
  if (interval_ns <= 0) return;
  pages_ = Pages(sizeof(SampledThread));
  if (pages_.data() == nullptr) return;
  // Loads the unwinder, which allocates memory, before the handler may call it.
  void* frames[2];
  backtrace(frames, 2);
  struct sigaction action {};
  action.sa_sigaction = OnTimer;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SamplingSignal();
#ifdef sigev_notify_thread_id
  event.sigev_notify_thread_id = ThisThreadId();
#else
  event._sigev_un._tid = ThisThreadId();
#endif
  timer_t timer{};
  if (sigaction(SamplingSignal(), &action, nullptr) != 0 ||
      timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
    return;
  }
  thread_ = new (pages_.data()) SampledThread;
  thread_->timer = timer;
  thread_->unwinder[0] = thread_->unwinder[1] = 0;
  for (const MappedFile& file : MappedCode()) {
    if (!absl::StrContains(file.path, "/libgcc_s.so") || file.code.empty()) continue;
    thread_->unwinder[0] = file.code.front().first;
    thread_->unwinder[1] = file.code.back().second;
  }
  thread_->interval_ns = interval_ns;
  thread_->random = 0x9E3779B97F4A7C15u * static_cast<uint64_t>(ThisThreadId()) + 1;
  thread_->timed = 0;
  thread_->stopped = 0;
  thread_->used = 0;
  sampled_thread = thread_;
  Arm(thread_);
}

void StackSampler::Stop() {
  if (thread_ == nullptr || thread_->stopped != 0) return;
  thread_->stopped = 1;
  timer_delete(thread_->timer);
}

StackSampler::~StackSampler() {
  Stop();
  if (sampled_thread == thread_) sampled_thread = nullptr;
}

void StackSampler::SetTimed(bool timed) {
  if (thread_ != nullptr) thread_->timed = timed ? 1 : 0;
  if (!tells_callgrind_ || timed == callgrind_counts_) return;
  callgrind_counts_ = timed;
  callgrind::Request(callgrind::kToggleCollect);
}

CountedStacks StackSampler::Take() {
  Stop();
  CountedStacks result;
  if (thread_ == nullptr) return result;
  const std::vector<MappedFile> files = MappedCode();
  for (const MappedFile& file : files) result.files.push_back(file.path);
  result.files.emplace_back();
  std::map<std::vector<CodePlace>, uint64_t> counts;
  for (size_t i = 0; i < thread_->used; i += 1 + thread_->words[i]) {
    std::vector<CodePlace> places;
    for (size_t j = 1; j <= thread_->words[i]; ++j) {
      places.push_back(PlaceOf(thread_->words[i + j], files));
    }
    ++counts[std::move(places)];
  }
  for (const auto& [places, count] : counts) result.stacks.push_back({places, count});
  return result;
}

}  // namespace duetbench
