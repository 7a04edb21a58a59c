#ifndef TOOLS_DUET_CODE_PROGRAM_CODE_H_
#define TOOLS_DUET_CODE_PROGRAM_CODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/duet/code/image.h"
#include "tools/duet/code/instructions.h"

// A program as a graph: its parts are functions and pieces of data, and its edges the references
// between them.
namespace duetbench::duet {

// In bytes. Compilers fold small constants into an address that they take.
inline constexpr uint64_t kMaxFolded = 64;

// The object, or the function, that an address is of.
struct Target {
  enum class Kind {
    kFunction,  // `part`
    kObject,    // `part`
    kUnnamed,   // of data without a symbol, `section`
    kSymbol,    // of another file: `symbol`
    kUnknown,   // none of them
  };
  Kind kind = Kind::kUnknown;
  const NamedPart* part = nullptr;
  const Section* section = nullptr;
  uint64_t address = 0;
  std::string symbol;
};

class ProgramCode {
 public:
  // Decodes all functions.
  explicit ProgramCode(std::unique_ptr<Image> image);

  const Image& image() const { return *image_; }
  const DecodedFunction& decoded(const NamedPart& function) const {
    return decoded_[static_cast<size_t>(&function - image_->functions().data())];
  }
  // Follows stubs of procedure linkage tables. An object of a shared library that the loader copies
  // into the program is the symbol of the library.
  Target TargetAt(uint64_t address) const;
  Target TargetOf(const Relocation& relocation) const;
  // The end of an unnamed piece of data that begins at `address`, of which that address was taken
  // by `by` (null: by data). Compilers give objects names; they have none for literals, constants,
  // tables of switches and copies of initializer lists. Such a piece ends where a named one starts,
  // or one whose address is taken by another function. A text goes on to its NUL at least: linkers
  // let a text be the end of another one. The address may have been taken with an offset to what
  // follows: the end of a text has the next text too, and what is no text 64 bytes at least.
  uint64_t EndOfUnnamed(uint64_t address, const NamedPart* by) const;
  // A table of a switch has words of four bytes: addresses relative to its begin, all of places in
  // the function, or in the part of it that is cold. The part that the word at `at` leads to, and
  // the offset in it; null: it is no such word.
  const NamedPart* EntryOfTable(uint64_t table, uint64_t at, const NamedPart& function,
                                uint64_t* offset) const;
  // There is a text or the end of one, maybe empty.
  bool HasText(uint64_t address) const { return EndOfText(address) != 0; }
  // A text begins there: one with a character at least, after a NUL or data with a symbol.
  bool StartsText(uint64_t address) const;

 private:
  bool IsTableOf(uint64_t table, const NamedPart& function) const;
  // After the NUL of the text at the address; 0: there is none.
  uint64_t EndOfText(uint64_t address) const;

  // Addresses that are taken, of data without a symbol, with the function that takes them; null:
  // data, or several.
  std::multimap<uint64_t, const NamedPart*> taken_;
  std::unique_ptr<Image> image_;
  std::vector<DecodedFunction> decoded_;
};

// A function that takes a State by reference, by its mangled name: a benchmark, a fixture's Setup,
// or a wrapper of one.
bool TakesState(const NamedPart& function);

// A name as in the source.
std::string Demangled(const std::string& name);

// A function of duetbench itself, in which no code of the user is.
bool IsOfDuetbench(const NamedPart& function);

// A part of crt1.o, crti.o and crtbegin.o, which all programs of one compiler have.
bool IsOfStartUp(const NamedPart& function);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_PROGRAM_CODE_H_
