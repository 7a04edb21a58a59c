#include "tools/duet/code/image_reader.h"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/duet/code/image.h"
#include "tools/duet/code/unwinding.h"

namespace duetbench::duet {
namespace {

// Since glibc 2.36 and binutils 2.38; older headers lack the number.
constexpr uint32_t kSectionOfRelr = 19;

}  // namespace

// Fills an image from its file.
class ImageReader {
 public:
  explicit ImageReader(Image* image) : image_(*image) {}

  absl::Status Read() {
    Elf* const elf = static_cast<Elf*>(image_.elf_);
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
      return absl::FailedPreconditionError("it is no ELF file");
    }
    if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64) {
      return absl::FailedPreconditionError("it is not for x86-64");
    }
    if (header.e_type != ET_DYN) {
      return absl::FailedPreconditionError(
          "it is linked with -no-pie: pointers in it have no relocations");
    }
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
      if (const absl::Status read = ReadSection(header, scn); !read.ok()) return read;
    }
    if (symbols_ == nullptr) {
      return absl::FailedPreconditionError("it has no symbols (it was stripped)");
    }
    std::sort(image_.sections_.begin(), image_.sections_.end(),
              [](const Section& a, const Section& b) { return a.address < b.address; });
    ReadSymbols(symbols_, /*dynamic=*/false);
    if (dynamic_symbols_ != nullptr) ReadSymbols(dynamic_symbols_, /*dynamic=*/true);
    SettleParts(image_.sections_, &image_.functions_);
    SettleParts(image_.sections_, &image_.objects_);
    for (size_t i = 0; i < image_.functions_.size(); ++i) {
      for (const std::string& name : image_.functions_[i].names) {
        const auto [at, is_new] = image_.function_by_name_.emplace(name, static_cast<int>(i));
        if (!is_new && at->second != static_cast<int>(i)) at->second = -1;
      }
    }
    if (const absl::Status read = ReadDynamic(header.e_entry); !read.ok()) return read;
    const SymbolVersions versions(elf, version_numbers_, needed_versions_);
    for (Elf_Scn* const scn : relocations_) {
      if (const absl::Status read = ReadRelocations(scn, versions); !read.ok()) return read;
    }
    for (const auto& [address, size] : arrays_) {
      for (uint64_t at = address; at < address + size; at += 8) {
        const auto relocation = image_.relocations_.find(at);
        if (relocation == image_.relocations_.end() || !relocation->second.symbol.empty()) {
          return absl::FailedPreconditionError("the list of its initializers is not understood");
        }
        image_.initializers_.push_back(relocation->second.address);
      }
    }
    DescribeThreadStorage();
    if (unwinding_ != nullptr) {
      GElf_Shdr section;
      Elf_Data* const data = elf_getdata(unwinding_, nullptr);
      if (data == nullptr || gelf_getshdr(unwinding_, &section) == nullptr ||
          !ReadLandingPads(header.e_ident, data, section.sh_addr, &image_.landing_pads_)) {
        return absl::FailedPreconditionError("its .eh_frame is not understood");
      }
      for (const auto& [function, table] : image_.landing_pads_) {
        image_.landing_pad_tables_.insert(table);
      }
    }
    return absl::OkStatus();
  }

 private:
  absl::Status ReadSection(const GElf_Ehdr& header, Elf_Scn* scn) {
    Elf* const elf = static_cast<Elf*>(image_.elf_);
    GElf_Shdr shdr;
    if (gelf_getshdr(scn, &shdr) == nullptr) {
      return absl::FailedPreconditionError("a section cannot be read");
    }
    size_t names = 0;
    elf_getshdrstrndx(elf, &names);
    const char* const name = elf_strptr(elf, names, shdr.sh_name);
    const std::string text = name == nullptr ? "" : name;
    if (shdr.sh_type == SHT_SYMTAB) symbols_ = scn;
    if (shdr.sh_type == SHT_DYNSYM) dynamic_symbols_ = scn;
    if (shdr.sh_type == SHT_DYNAMIC) dynamic_ = scn;
    if (shdr.sh_type == SHT_GNU_versym) version_numbers_ = scn;
    if (shdr.sh_type == SHT_GNU_verneed) needed_versions_ = scn;
    // The linker's --emit-relocs leaves others, which the loader does not see.
    if (shdr.sh_type == SHT_RELA && (shdr.sh_flags & SHF_ALLOC) != 0) relocations_.push_back(scn);
    if (shdr.sh_type == kSectionOfRelr) relocations_.push_back(scn);
    if (shdr.sh_type == SHT_REL && (shdr.sh_flags & SHF_ALLOC) != 0) {
      return absl::FailedPreconditionError("its relocations have another form");
    }
    if ((shdr.sh_flags & SHF_ALLOC) == 0 || shdr.sh_size == 0) return absl::OkStatus();
    if (text == ".eh_frame") unwinding_ = scn;
    if (shdr.sh_type == SHT_INIT_ARRAY || shdr.sh_type == SHT_FINI_ARRAY ||
        shdr.sh_type == SHT_PREINIT_ARRAY) {
      arrays_.emplace_back(shdr.sh_addr, shdr.sh_size);
    }
    if (text == ".ctors" || text == ".dtors") {
      return absl::FailedPreconditionError("its initializers are in .ctors");
    }
    Section section;
    section.name = text;
    section.address = shdr.sh_addr;
    section.size = shdr.sh_size;
    section.alignment = shdr.sh_addralign;
    section.writable = (shdr.sh_flags & SHF_WRITE) != 0;
    section.executable = (shdr.sh_flags & SHF_EXECINSTR) != 0;
    if (shdr.sh_type != SHT_NOBITS) {
      size_t size = 0;
      const char* const file = elf_rawfile(elf, &size);
      if (file == nullptr || shdr.sh_offset > size || shdr.sh_size > size - shdr.sh_offset) {
        return absl::FailedPreconditionError(absl::StrCat("its section ", text, " is cut off"));
      }
      section.bytes = reinterpret_cast<const uint8_t*>(file) + shdr.sh_offset;
    }
    if ((shdr.sh_flags & SHF_TLS) != 0) {
      thread_sections_.push_back(section);
      if (shdr.sh_type == SHT_NOBITS) return absl::OkStatus();  // has no addresses
    }
    (void)header;
    image_.sections_.push_back(std::move(section));
    return absl::OkStatus();
  }

  void ReadSymbols(Elf_Scn* scn, bool dynamic) {
    Elf* const elf = static_cast<Elf*>(image_.elf_);
    GElf_Shdr shdr;
    Elf_Data* const data = elf_getdata(scn, nullptr);
    if (data == nullptr || gelf_getshdr(scn, &shdr) == nullptr || shdr.sh_entsize == 0) return;
    for (size_t i = 0; i < shdr.sh_size / shdr.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* const name = elf_strptr(elf, shdr.sh_link, symbol.st_name);
      if (name == nullptr || *name == 0 || symbol.st_shndx == SHN_UNDEF) continue;
      const int type = GELF_ST_TYPE(symbol.st_info);
      if (type == STT_TLS) {
        thread_symbols_.push_back(absl::StrCat(symbol.st_value, " ", symbol.st_size));
        continue;
      }
      if (symbol.st_shndx >= SHN_LORESERVE) continue;
      const Section* const section = image_.SectionAt(symbol.st_value);
      if (section == nullptr) continue;
      if (dynamic) {
        image_.exports_.emplace(name, symbol.st_value);
        continue;
      }
      if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT && type != STT_NOTYPE) {
        continue;
      }
      NamedPart part;
      part.address = symbol.st_value;
      // It is of crtbegin.o, and has no size there.
      part.size = std::strcmp(name, "__dso_handle") == 0 ? 8 : symbol.st_size;
      part.names = {name};
      part.is_code = section->executable;
      part.is_chosen_at_load = type == STT_GNU_IFUNC;
      if (section->executable && (type != STT_NOTYPE || symbol.st_size > 0)) {
        image_.functions_.push_back(std::move(part));
      } else if (!section->executable && part.size > 0) {
        image_.objects_.push_back(std::move(part));
      }
    }
  }

  // The functions that the loader calls first are those of crt1.o and crti.o.
  absl::Status ReadDynamic(uint64_t entry) {
    GElf_Shdr shdr;
    Elf_Data* const data = dynamic_ == nullptr ? nullptr : elf_getdata(dynamic_, nullptr);
    if (data == nullptr || gelf_getshdr(dynamic_, &shdr) == nullptr) {
      return absl::FailedPreconditionError("it is linked statically");
    }
    bool is_usual = IsAt(entry, "_start");
    GElf_Dyn each;
    for (int i = 0; gelf_getdyn(data, i, &each) != nullptr; ++i) {
      if (each.d_tag == DT_INIT) is_usual &= IsAt(each.d_un.d_ptr, "_init");
      if (each.d_tag == DT_FINI) is_usual &= IsAt(each.d_un.d_ptr, "_fini");
      if (each.d_tag != DT_NEEDED) continue;
      const char* const name =
          elf_strptr(static_cast<Elf*>(image_.elf_), shdr.sh_link, each.d_un.d_val);
      image_.needed_.emplace_back(name == nullptr ? "" : name);
    }
    return is_usual ? absl::OkStatus()
                    : absl::FailedPreconditionError("it has its own entry or -init function");
  }

  bool IsAt(uint64_t address, const char* name) const {
    const NamedPart* const part = image_.FunctionNamed(name);
    return part != nullptr && part->address == address;
  }

  absl::Status ReadRelocations(Elf_Scn* scn, const SymbolVersions& versions) {
    GElf_Shdr shdr;
    Elf_Data* const data = elf_getdata(scn, nullptr);
    if (data == nullptr || gelf_getshdr(scn, &shdr) == nullptr) {
      return absl::FailedPreconditionError("its relocations cannot be read");
    }
    if (shdr.sh_type == kSectionOfRelr) return ReadRelative(*data);
    Elf* const elf = static_cast<Elf*>(image_.elf_);
    GElf_Shdr strings_header{};
    if (dynamic_symbols_ != nullptr) gelf_getshdr(dynamic_symbols_, &strings_header);
    Elf_Data* const symbols =
        dynamic_symbols_ == nullptr ? nullptr : elf_getdata(dynamic_symbols_, nullptr);
    for (size_t i = 0; i < shdr.sh_size / sizeof(Elf64_Rela); ++i) {
      GElf_Rela rela;
      if (gelf_getrela(data, static_cast<int>(i), &rela) == nullptr) break;
      const auto type = static_cast<uint32_t>(GELF_R_TYPE(rela.r_info));
      const auto index = static_cast<int>(GELF_R_SYM(rela.r_info));
      GElf_Sym symbol{};
      std::string name;
      if (index > 0) {
        if (symbols == nullptr || gelf_getsym(symbols, index, &symbol) == nullptr) {
          return absl::FailedPreconditionError("a relocation has no symbol");
        }
        const char* const text = elf_strptr(elf, strings_header.sh_link, symbol.st_name);
        name = absl::StrCat(text == nullptr ? "" : text, versions.Of(index));
      }
      Relocation relocation;
      const bool is_here = index > 0 && symbol.st_shndx != SHN_UNDEF;
      const auto addend = static_cast<uint64_t>(rela.r_addend);
      if (type == R_X86_64_RELATIVE) {
        relocation.address = addend;
      } else if (type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT || type == R_X86_64_64) {
        const uint64_t offset = type == R_X86_64_64 ? addend : 0;
        if (is_here && GELF_ST_TYPE(symbol.st_info) != STT_TLS) {
          relocation.address = symbol.st_value + offset;
          relocation.error = GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC;
        } else {
          relocation.symbol = absl::StrCat(name, "+", offset);
          relocation.error = is_here || name.empty();
        }
      } else if (type == R_X86_64_COPY) {
        relocation.symbol = absl::StrCat(kCopied, name);
        relocation.size = std::min<uint64_t>(8, std::max<uint64_t>(1, symbol.st_size));
      } else if (type == R_X86_64_TPOFF64 || type == R_X86_64_DTPMOD64 ||
                 type == R_X86_64_DTPOFF64) {
        relocation.symbol = absl::StrCat(kThreadLocal, type, " ", name, "+", addend);
      } else {
        relocation.symbol = absl::StrCat("type ", type);
        relocation.error = true;
      }
      const absl::Status added = Add(rela.r_offset, std::move(relocation));
      if (!added.ok()) return added;
    }
    return absl::OkStatus();
  }

  // An address, and then bits for the 63 words after it.
  absl::Status ReadRelative(const Elf_Data& data) {
    uint64_t next = 0;
    for (size_t i = 0; i + 8 <= data.d_size; i += 8) {
      uint64_t entry = 0;
      std::memcpy(&entry, static_cast<const char*>(data.d_buf) + i, 8);
      const bool is_bits = (entry & 1) != 0;
      const uint64_t first = is_bits ? next : entry;
      const uint64_t bits = is_bits ? entry >> 1 : 1;
      for (uint64_t bit = 0; bit < 63; ++bit) {
        if (((bits >> bit) & 1) == 0) continue;
        const uint64_t at = first + 8 * bit;
        const Section* const section = image_.SectionAt(at);
        Relocation relocation;
        if (section == nullptr || section->bytes == nullptr ||
            at + 8 > section->address + section->size) {
          return absl::FailedPreconditionError("its relative relocations are not understood");
        }
        std::memcpy(&relocation.address, section->bytes + (at - section->address), 8);
        if (const absl::Status added = Add(at, std::move(relocation)); !added.ok()) return added;
      }
      next = is_bits ? next + uint64_t{63} * 8 : entry + 8;
    }
    return absl::OkStatus();
  }

  absl::Status Add(uint64_t at, Relocation relocation) {
    const Section* const section = image_.SectionAt(at);
    if (section != nullptr && section->executable) {
      return absl::FailedPreconditionError("its code has relocations");
    }
    if (!image_.relocations_.emplace(at, std::move(relocation)).second) {
      return absl::FailedPreconditionError("two of its relocations are for one address");
    }
    return absl::OkStatus();
  }

  void DescribeThreadStorage() {
    std::string& text = image_.thread_storage_;
    std::sort(thread_symbols_.begin(), thread_symbols_.end());
    for (const std::string& symbol : thread_symbols_) absl::StrAppend(&text, symbol, "\n");
    for (const Section& section : thread_sections_) {
      absl::StrAppend(&text, section.name, " ", section.size, "\n");
      if (section.bytes != nullptr) {
        text.append(reinterpret_cast<const char*>(section.bytes), section.size);
      }
      const auto first = image_.relocations_.lower_bound(section.address);
      if (section.bytes != nullptr && first != image_.relocations_.end() &&
          first->first < section.address + section.size) {
        // Pointers in it are not compared: no other program has the same.
        absl::StrAppend(&text, "pointers in ", image_.path_);
      }
    }
  }

  Image& image_;
  Elf_Scn* symbols_ = nullptr;
  Elf_Scn* dynamic_symbols_ = nullptr;
  Elf_Scn* dynamic_ = nullptr;
  Elf_Scn* version_numbers_ = nullptr;
  Elf_Scn* needed_versions_ = nullptr;
  Elf_Scn* unwinding_ = nullptr;
  std::vector<Elf_Scn*> relocations_;
  std::vector<std::pair<uint64_t, uint64_t>> arrays_;
  std::vector<Section> thread_sections_;
  std::vector<std::string> thread_symbols_;
};

absl::Status ReadImage(Image* image) { return ImageReader(image).Read(); }

}  // namespace duetbench::duet
