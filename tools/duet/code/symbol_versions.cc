#include "tools/duet/code/symbol_versions.h"

#include <gelf.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace duetbench::duet {

SymbolVersions::SymbolVersions(Elf* elf, Elf_Scn* numbers, Elf_Scn* needed) : numbers_(numbers) {
  GElf_Shdr shdr;
  Elf_Data* const data = needed == nullptr ? nullptr : elf_getdata(needed, nullptr);
  if (data == nullptr || gelf_getshdr(needed, &shdr) == nullptr) return;
  GElf_Verneed library;
  for (int at = 0; gelf_getverneed(data, at, &library) != nullptr;
       at += static_cast<int>(library.vn_next)) {
    GElf_Vernaux version;
    for (int aux = at + static_cast<int>(library.vn_aux);
         gelf_getvernaux(data, aux, &version) != nullptr;
         aux += static_cast<int>(version.vna_next)) {
      const char* const name = elf_strptr(elf, shdr.sh_link, version.vna_name);
      names_[version.vna_other] = name == nullptr ? "" : name;
      if (version.vna_next == 0) break;
    }
    if (library.vn_next == 0) break;
  }
}

std::string SymbolVersions::Of(int symbol) const {
  Elf_Data* const data = numbers_ == nullptr ? nullptr : elf_getdata(numbers_, nullptr);
  GElf_Versym number = 0;
  if (data == nullptr || gelf_getversym(data, symbol, &number) == nullptr) return "";
  const auto name = names_.find(number & 0x7fff);
  return name == names_.end() ? "" : absl::StrCat("@", name->second);
}

}  // namespace duetbench::duet
