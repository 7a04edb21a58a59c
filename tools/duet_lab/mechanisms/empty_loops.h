#ifndef DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_EMPTY_LOOPS_H_
#define DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_EMPTY_LOOPS_H_

#include "duetbench/variant/move_code.h"

// Benchmarks of nothing: what is left is the loop of the State. The body is an empty instruction
// that the compiler must keep, so the loop stays, and that clobbers nothing, so that whatever the
// loop keeps in registers stays there.
//
// Each function starts on a cache line and is made for several `kBytesBefore` the loop (MoveCode),
// which both libraries then go through alike.
namespace duetbench::lab {

template <class State, int kBytesBefore>
__attribute__((noinline, aligned(64))) void EmptyRangeFor(State& state) {
  internal::MoveCode<kBytesBefore>();
  for ([[maybe_unused]] auto _ : state) asm volatile("");
}

template <class State, int kBytesBefore>
__attribute__((noinline, aligned(64))) void EmptyKeepRunning(State& state) {
  internal::MoveCode<kBytesBefore>();
  while (state.KeepRunning()) asm volatile("");
}

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_EMPTY_LOOPS_H_
