#include "tools/duet_lab/mechanisms/code_copies.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "duetbench/process/crash_report.h"

// A function in a separate section, whose ends the linker gives names to. No sanitizer may add
// calls to it.
#define MOVABLE(name)                                                                      \
  extern const unsigned char begin_of_##name[] __asm__("__start_duetbench_" #name);        \
  extern const unsigned char end_of_##name[] __asm__("__stop_duetbench_" #name);           \
  __attribute__((noinline, used, section("duetbench_" #name),                              \
                 no_sanitize("address", "thread",                                          \
                             "undefined"))) static uint64_t Movable_##name(uint64_t* data, \
                                                                           uint64_t count)

#define DESCRIBE(name) \
  { #name, Movable_##name, begin_of_##name, end_of_##name }

// Keeps the compiler from making a loop something else: vectors have constants in memory, and
// memmove would be a call.
#define AS_WRITTEN(value) __asm__ volatile("" : "+r"(value))

namespace duetbench::lab {

MOVABLE(add) {
  uint64_t sum = data[0] & count;
  for (uint64_t i = 0; i < 100; ++i) {
    sum += i;
    AS_WRITTEN(sum);
  }
  return sum;
}

MOVABLE(sort) {
  uint64_t moves = 0;
  for (uint64_t i = 0; i < count; ++i) {
    data[i] = (data[i] * 0x9e3779b97f4a7c15u) >> 3;
    AS_WRITTEN(i);
  }
  for (uint64_t i = 1; i < count; ++i) {
    const uint64_t value = data[i];
    uint64_t at = i;
    for (; at > 0 && data[at - 1] > value; --at) {
      data[at] = data[at - 1];
      ++moves;
      AS_WRITTEN(moves);
    }
    data[at] = value;
  }
  return moves;
}

MOVABLE(probe) {
  uint64_t found = 0;
  uint64_t key = 1;
  for (uint64_t i = 0; i < 50; ++i) {
    key = key * 6364136223846793005u + 1442695040888963407u;
    uint64_t at = (key >> 33) % count;
    for (uint64_t steps = 0; steps < 8 && (data[at] & 3) != 0; ++steps) {
      at = at + 1 == count ? 0 : at + 1;
      AS_WRITTEN(at);
    }
    found += data[at] & 7;
    AS_WRITTEN(found);
  }
  return found;
}

MOVABLE(words) {
  const auto* const text = reinterpret_cast<const unsigned char*>(data);
  uint64_t words = 0;
  uint64_t letters = 0;
  for (uint64_t i = 0; i < 2 * count; ++i) {
    if (text[i] < 64) {
      if (letters > 0) ++words;
      letters = 0;
    } else {
      ++letters;
    }
    AS_WRITTEN(letters);
  }
  return words;
}

MOVABLE(branches) {
  uint64_t x = 1;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t code = data[i] >> 7;
    if ((code & 1) != 0) {
      x += 12345;
      AS_WRITTEN(x);
    }
    if ((code & 2) != 0) {
      x ^= code;
      AS_WRITTEN(x);
    }
    if ((code & 4) != 0) {
      x = x << 7 | x >> 57;
      AS_WRITTEN(x);
    }
    AS_WRITTEN(x);
  }
  return x;
}

const std::vector<MovableCode>& MovableCodes() {
  static const auto* const codes = new std::vector<MovableCode>{
      DESCRIBE(add), DESCRIBE(sort), DESCRIBE(probe), DESCRIBE(words), DESCRIBE(branches)};
  return *codes;
}

std::vector<uint64_t> DataForMovableCode() {
  std::vector<uint64_t> data(kMovableData);
  uint64_t state = 88172645463325252u;
  for (uint64_t& number : data) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    number = state;
  }
  return data;
}

absl::StatusOr<std::unique_ptr<CodeCopies>> CodeCopies::Make(const MovableCode& code,
                                                             const std::vector<size_t>& offsets) {
  if (HasSanitizer()) {
    return absl::FailedPreconditionError("a sanitizer adds calls to functions that are copied");
  }
  const auto size = static_cast<size_t>(code.end - code.begin);
  const size_t bytes = *std::max_element(offsets.begin(), offsets.end()) + size;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return absl::ErrnoToStatus(errno, "no memory for copies of a function");
  std::unique_ptr<CodeCopies> copies(new CodeCopies(memory, bytes));
  auto* const start = static_cast<char*>(memory);
  for (const size_t offset : offsets) {
    std::memcpy(start + offset, code.begin, size);
    copies->functions_.push_back(reinterpret_cast<MovableCode::Function>(start + offset));
  }
  if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
    return absl::FailedPreconditionError(
        "this system does not execute memory that a program has written");
  }
  __builtin___clear_cache(start, start + bytes);
  return copies;
}

CodeCopies::~CodeCopies() { munmap(memory_, bytes_); }

}  // namespace duetbench::lab
