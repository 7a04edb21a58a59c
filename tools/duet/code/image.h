#ifndef TOOLS_DUET_CODE_IMAGE_H_
#define TOOLS_DUET_CODE_IMAGE_H_

#include <libelf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::duet {

// A section that is loaded. Addresses are those of the file, without the base of the process.
struct Section {
  std::string name;
  uint64_t address = 0;
  uint64_t size = 0;
  bool writable = false;
  uint64_t alignment = 1;  // the largest one of what is in it
  bool executable = false;
  const uint8_t* bytes = nullptr;  // null: zeros (.bss)

  bool Contains(uint64_t at) const { return at >= address && at - address < size; }
};

// A function or an object that has a symbol. Symbols of the same address are one.
struct NamedPart {
  uint64_t address = 0;
  uint64_t size = 0;
  std::vector<std::string> names;  // as in the file (mangled)
  bool is_code = false;
  bool is_chosen_at_load = false;  // STT_GNU_IFUNC

  uint64_t end() const { return address + size; }
};

// Begins Relocation::symbol of an object of a shared library that the loader copies.
inline constexpr char kCopied[] = "copy of ";
// The same of a thread-local variable.
inline constexpr char kThreadLocal[] = "thread-local ";

// A word that the loader writes: a pointer to `address` of this file, or something of another file,
// which `symbol` names with its version; with `error` it is not understood.
struct Relocation {
  uint64_t size = 8;
  uint64_t address = 0;
  std::string symbol;
  bool error = false;
};

// An executable of x86-64 in memory, as the loader sees it.
class Image {
 public:
  // FailedPrecondition, with the reason: it is no position-independent ELF file of x86-64, it has
  // no symbols, its code has relocations, or it begins elsewhere than programs of C++ do. Reads the
  // file once.
  static absl::StatusOr<std::unique_ptr<Image>> Read(const std::string& path);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<Section>& sections() const { return sections_; }
  // The section of an address; null: none.
  const Section* SectionAt(uint64_t address) const;
  // Functions, or objects, in order of their addresses.
  const std::vector<NamedPart>& functions() const { return functions_; }
  const std::vector<NamedPart>& objects() const { return objects_; }
  // The function or object that has the address; null: none.
  const NamedPart* PartAt(uint64_t address) const;
  // The function with this name that is unique in the file; null: none.
  const NamedPart* FunctionNamed(absl::string_view name) const;
  const std::map<uint64_t, Relocation>& relocations() const { return relocations_; }
  // Names that the file exports, by address; and all names of its dynamic symbols.
  const std::map<std::string, uint64_t>& exports() const { return exports_; }
  // Functions of .preinit_array, .init_array and .fini_array, in order.
  const std::vector<uint64_t>& initializers() const { return initializers_; }
  // Names of the shared libraries that it needs, in the order in which the loader looks up symbols.
  const std::vector<std::string>& needed() const { return needed_; }
  // The layout and the first content of thread-local variables. Equal texts: equal storage.
  const std::string& thread_storage() const { return thread_storage_; }
  // The table of the landing pads of a function (.gcc_except_table); 0: it has none.
  uint64_t LandingPadsOf(uint64_t function) const;
  // Ends of these tables: each table ends where the next one starts, or its section does.
  uint64_t EndOfLandingPads(uint64_t table) const;

 private:
  friend class ImageReader;
  Image() = default;

  std::string path_;
  int fd_ = -1;
  void* elf_ = nullptr;  // Elf
  std::vector<Section> sections_;
  std::vector<NamedPart> functions_, objects_;
  std::map<std::string, int> function_by_name_;  // -1: several
  std::map<uint64_t, Relocation> relocations_;
  std::map<std::string, uint64_t> exports_;
  std::vector<uint64_t> initializers_;
  std::vector<std::string> needed_;
  std::string thread_storage_;
  std::map<uint64_t, uint64_t> landing_pads_;
  std::set<uint64_t> landing_pad_tables_;
};

// All names of the dynamic symbols of a shared library. Empty if it cannot be read.
std::set<std::string> DynamicNamesOf(const std::string& path);

// Sorts the parts, makes one of those with the same address, and ends those without a size where
// the next part, or their section, does.
void SettleParts(const std::vector<Section>& sections, std::vector<NamedPart>* parts);

// Names of the versions that a file needs of symbols of shared libraries.
class SymbolVersions {
 public:
  // `numbers` is the section .gnu.version of `elf` and `needed` is .gnu.version_r; null: there is
  // none. They outlive this.
  SymbolVersions(Elf* elf, Elf_Scn* numbers, Elf_Scn* needed);

  // "@GLIBC_2.14", or empty. `symbol` is its number in .dynsym.
  std::string Of(int symbol) const;

 private:
  Elf_Scn* const numbers_;
  std::map<int, std::string> names_;  // by number
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_IMAGE_H_
