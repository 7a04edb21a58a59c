#ifndef DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_CODE_COPIES_H_
#define DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_CODE_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// Small functions whose machine code works at any address: they call nothing and use no constants
// in memory. So copies of the same bytes can be measured at many addresses, in one process.
struct MovableCode {
  // Changes at most `count` numbers at `data`; returns a value that depends on the work.
  using Function = uint64_t (*)(uint64_t* data, uint64_t count);

  const char* name;
  Function function;
  const unsigned char* begin;  // its machine code
  const unsigned char* end;
};

// add (the sum of 100 numbers), sort (insertion sort of 64), probe (a hash table), words (splits a
// text) and branches (a chain of them that depends on data).
const std::vector<MovableCode>& MovableCodes();

// The numbers that a call of any of them takes, the same for each call.
inline constexpr size_t kMovableData = 64;
std::vector<uint64_t> DataForMovableCode();

// Copies of a function at given distances from the start of a page.
class CodeCopies {
 public:
  // `offsets` in bytes; copies must not overlap. FailedPrecondition if this system executes no
  // memory that a program has written, and in builds with a sanitizer.
  static absl::StatusOr<std::unique_ptr<CodeCopies>> Make(const MovableCode& code,
                                                          const std::vector<size_t>& offsets);
  ~CodeCopies();
  CodeCopies(const CodeCopies&) = delete;
  CodeCopies& operator=(const CodeCopies&) = delete;

  // In the order of the offsets.
  const std::vector<MovableCode::Function>& functions() const { return functions_; }

 private:
  CodeCopies(void* memory, size_t bytes) : memory_(memory), bytes_(bytes) {}

  void* const memory_;
  const size_t bytes_;
  std::vector<MovableCode::Function> functions_;
};

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MECHANISMS_CODE_COPIES_H_
