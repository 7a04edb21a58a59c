#ifndef TOOLS_DUET_CODE_SYMBOL_VERSIONS_H_
#define TOOLS_DUET_CODE_SYMBOL_VERSIONS_H_

#include <libelf.h>

#include <map>
#include <string>

namespace duetbench::duet {

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

#endif  // TOOLS_DUET_CODE_SYMBOL_VERSIONS_H_
