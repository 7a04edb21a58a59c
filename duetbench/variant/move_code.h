#ifndef DUETBENCH_VARIANT_MOVE_CODE_H_
#define DUETBENCH_VARIANT_MOVE_CODE_H_

namespace duetbench::internal {

// Executed once, before a loop: moves the loop by `kBytesBefore`, a multiple of 4. Where a loop of
// two instructions lies in its cache line can be worth more than all there is to measure.
template <int kBytesBefore>
__attribute__((always_inline)) inline void MoveCode() {
#if defined(__x86_64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore));
#elif defined(__aarch64__)
  asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(kBytesBefore / 4));
#endif
}

}  // namespace duetbench::internal

#endif  // DUETBENCH_VARIANT_MOVE_CODE_H_
