#ifndef DUETBENCH_TOOLS_DUET_LAB_EMPTY_LOOPS_H_
#define DUETBENCH_TOOLS_DUET_LAB_EMPTY_LOOPS_H_

// Benchmarks of nothing: what is left is the loop of the State. The body is an empty instruction
// that the compiler must keep, so the loop stays, and that clobbers nothing, so that whatever the
// loop keeps in registers stays there.
//
// Where a loop of two instructions lies in its cache line can be worth more than all there is to
// measure. So each function starts on a cache line and is made for several `kBytesBefore` the loop,
// which both libraries then go through alike.
namespace duetbench::lab {

// Executed once, before the loop: moves it by `kBytesBefore`, a multiple of 4.
template <int kBytesBefore>
__attribute__((always_inline)) inline void MoveCode() {
#if defined(__x86_64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore));
#elif defined(__aarch64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore / 4));
#endif
}

template <class State, int kBytesBefore>
__attribute__((noinline, aligned(64))) void EmptyRangeFor(State& state) {
  MoveCode<kBytesBefore>();
  for ([[maybe_unused]] auto _ : state) asm volatile("");
}

template <class State, int kBytesBefore>
__attribute__((noinline, aligned(64))) void EmptyKeepRunning(State& state) {
  MoveCode<kBytesBefore>();
  while (state.KeepRunning()) asm volatile("");
}

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_EMPTY_LOOPS_H_
