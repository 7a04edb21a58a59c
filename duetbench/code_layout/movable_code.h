#ifndef DUETBENCH_CODE_LAYOUT_MOVABLE_CODE_H_
#define DUETBENCH_CODE_LAYOUT_MOVABLE_CODE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/code_layout/unwind_table.h"

namespace duetbench {

// The functions of a position-independent executable or shared library of x86-64, and everything in
// its file that refers to them. In such a file code refers to code by displacements of 32 bits, and
// data refer to code by words that the loader relocates, and by its tables of symbols. The
// exception are jump tables: differences of addresses in read-only data.
//
// A reference that is not found does no harm: it leads to the original function, which stays in
// its place in a copy of the file. A reference that is none does: so a function is moved only if it
// is decoded to its last byte.
struct MovableCode {
  enum class ReferenceKind : uint8_t {
    kBranch,   // call or jump
    kAddress,  // lea
    kOperand,  // a word in memory
  };
  // Four bytes of a function: the distance to `target` from the byte `end` of the function.
  struct Reference {
    uint32_t at = 0, end = 0;  // offsets in the function
    uint64_t target = 0;
    int32_t to = -1;     // the function that contains the target; -1: none
    int32_t table = -1;  // the jump table there; -1: none
    ReferenceKind kind = ReferenceKind::kBranch;
  };
  struct Function : UnwoundCode {
    uint64_t offset = 0;      // in the file
    uint32_t alignment = 16;  // of its begin; a power of two
    // Bytes that its copy has more, since its last instruction is a short jump to another function.
    uint32_t extra = 0;
    bool is_decoded = false;
    const char* stays_because = nullptr;  // null: it moves
    bool is_entered = false;              // by a short jump of another function, to the original
    uint32_t first_reference = 0, last_reference = 0;  // the one behind it
    std::vector<int32_t> tables;                       // its jump tables

    bool moves() const { return stays_because == nullptr; }
    uint64_t size() const { return end - begin; }
  };
  // Eight bytes of the file that hold the address of code.
  struct Pointer {
    uint64_t offset = 0;  // of the bytes in the file
    uint64_t value = 0;
    int32_t to = 0;         // the function that contains the value
    uint64_t location = 0;  // address that has the pointer in the process; 0: none, a symbol
  };

  // Eight bytes of the process that the loader fills with the address of a symbol.
  struct Import {
    uint64_t location = 0;
    std::string symbol;
  };
  // A shared library that the file demands by `name`: the offsets of the references to this text,
  // of eight bytes (DT_NEEDED) and of four (the versions of its symbols). A copy demands it by
  // `path`, or by that of its copy.
  struct LibraryName {
    std::string name;
    std::vector<uint64_t> wide_at, narrow_at;
    std::string path;
  };
  // The texts of the dynamic section (DT_STRTAB), and the offsets of its entries.
  struct DynamicTexts {
    uint64_t offset = 0, size = 0;
    uint64_t address_at = 0, size_at = 0;
  };

  // Sorted by address. -1: no function contains it.
  int32_t FunctionAt(uint64_t address) const;

  std::vector<uint8_t> image;  // the file up to the end of what is loaded
  std::vector<Function> functions;
  std::vector<Reference> references;
  std::vector<std::vector<uint64_t>> tables;  // targets of each jump table
  std::vector<Pointer> pointers;              // sorted by location
  std::vector<UnwindTable::Entry> unwind_entries;
  uint64_t end_address = 0;  // the page behind the last segment
  // Its shared libraries are found from the folder of the file ($ORIGIN).
  bool needs_its_folder = false;

  // References to and from other files.
  std::vector<Import> imports;              // sorted by location
  std::map<std::string, uint64_t> exports;  // the address of a symbol
  // Code that jumps to the import at a location (the procedure linkage table), by address.
  std::map<uint64_t, uint64_t> stubs;
  std::string interpreter;   // the loader; empty: it has none
  std::string library_name;  // DT_SONAME
  std::vector<LibraryName> libraries;
  DynamicTexts dynamic_texts;
};

// Reads the bytes of an executable or a shared library. FailedPrecondition, with the reason as a
// predicate ("is not position-independent"), if no function of it can be moved. About 5 ms for each
// MB of code.
absl::StatusOr<MovableCode> ReadMovableCode(absl::Span<const uint8_t> file);

// A key for each function, by which another build of the program has it too: its name, local ones
// with that of their source file; without a symbol its bytes but for displacements. Keys are
// unique. `file` is that of `code`.
std::vector<std::string> KeysOfFunctions(const MovableCode& code, absl::Span<const uint8_t> file);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_MOVABLE_CODE_H_
