#ifndef DUETBENCH_MEASURE_CALLGRIND_REQUESTS_H_
#define DUETBENCH_MEASURE_CALLGRIND_REQUESTS_H_

#include <cstdint>

// Requests of a program to Callgrind, without Valgrind's headers: an instruction sequence that does
// nothing on a processor and that Valgrind knows (Valgrind manual, 3.1, "client requests"; their
// numbers are stable). Elsewhere than on x86-64 they do nothing.
namespace duetbench::callgrind {

// 'C', 'T' and the number of the request (Callgrind manual, 6.5).
inline constexpr uint64_t kToggleCollect = 0x43540002;
inline constexpr uint64_t kStartInstrumentation = 0x43540004;

// The answer of Valgrind; 0 without it.
inline uint64_t Request(uint64_t request) {
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

}  // namespace duetbench::callgrind

#endif  // DUETBENCH_MEASURE_CALLGRIND_REQUESTS_H_
