#ifndef DUETBENCH_PLATFORM_FUTEX_H_
#define DUETBENCH_PLATFORM_FUTEX_H_

#include <cstdint>

namespace duetbench {

// Sleeps while *word == expected, until FutexWake(word); may return early for no reason. The word
// may lie in memory that two processes share.
void FutexWait(const uint32_t* word, uint32_t expected);

// Wakes whoever sleeps on `word`.
void FutexWake(const uint32_t* word);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_FUTEX_H_
