#include "tools/duet/same_program.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace duetbench::duet {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);

// The part of `bytes`, as far as there is one.
absl::string_view Part(absl::string_view bytes, uint64_t offset, uint64_t size) {
  return offset < bytes.size() ? bytes.substr(offset, size) : absl::string_view();
}

bool IsForDebuggers(const Section& section, absl::string_view name) {
  return section.sh_type == SHT_SYMTAB || section.sh_type == SHT_STRTAB ||
         absl::StartsWith(name, ".debug") || absl::StartsWith(name, ".zdebug") ||
         absl::StartsWith(name, ".gnu_debug") || name == ".gdb_index";
}

std::string CanonicalPath(const std::string& path) {
  std::error_code error;
  return std::filesystem::canonical(path, error);
}

// The file name and the bytes of each shared library, sorted; nothing if the program that answered
// is not the file that was started.
std::optional<std::vector<std::pair<std::string, std::string>>> LibrariesOf(
    const ProgramCommand& program, const Offer& offer) {
  const std::string executable = CanonicalPath(program.text);
  std::vector<std::pair<std::string, std::string>> libraries;
  for (const std::string& file : offer.files) {
    if (CanonicalPath(file) == executable) continue;
    libraries.emplace_back(std::filesystem::path(file).filename(), BytesWithoutDebugging(file));
  }
  if (libraries.size() == offer.files.size()) return std::nullopt;
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

}  // namespace

std::string BytesWithoutDebugging(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Header header;
  if (bytes.size() < sizeof(header)) return bytes;
  std::memcpy(&header, bytes.data(), sizeof(header));
  constexpr unsigned char kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  const uint64_t headers_size = uint64_t{header.e_shnum} * sizeof(Section);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != kClass ||
      header.e_shentsize != sizeof(Section) || header.e_shstrndx >= header.e_shnum ||
      Part(bytes, header.e_shoff, headers_size).size() < headers_size) {
    return bytes;
  }
  std::vector<Section> sections(header.e_shnum);
  std::memcpy(sections.data(), bytes.data() + header.e_shoff, headers_size);
  uint64_t end = header.e_shoff + headers_size;
  const uint64_t names = sections[header.e_shstrndx].sh_offset;
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(bytes.data(), &header, sizeof(header));
  // The program headers, then all sections.
  std::string kept = bytes.substr(0, header.e_phoff);
  for (size_t i = 0; i < header.e_phnum; ++i) {
    absl::StrAppend(&kept,
                    Part(bytes, header.e_phoff + i * sizeof(ElfW(Phdr)), sizeof(ElfW(Phdr))));
  }
  for (const Section& section : sections) {
    if (section.sh_type == SHT_NOBITS) continue;
    end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
    const absl::string_view rest = Part(bytes, names + section.sh_name, bytes.size());
    const absl::string_view name = rest.substr(0, rest.find('\0'));
    const bool is_loaded = (section.sh_flags & SHF_ALLOC) != 0;
    if (name == ".note.gnu.build-id" || (!is_loaded && IsForDebuggers(section, name))) continue;
    absl::StrAppend(&kept, name, "@", is_loaded ? section.sh_addr : 0, ":", section.sh_size, "\n",
                    Part(bytes, section.sh_offset, section.sh_size));
  }
  return absl::StrCat(kept, Part(bytes, end, bytes.size()));
}

bool AreSameProgram(const std::vector<ProgramCommand>& programs, const std::vector<Offer>& offers) {
  const auto first = LibrariesOf(programs[0], offers[0]);
  if (programs[0].is_shell || !first.has_value()) return false;
  const std::string bytes = BytesWithoutDebugging(programs[0].text);
  for (size_t i = 1; i < programs.size(); ++i) {
    if (programs[i].is_shell || programs[i].folder != programs[0].folder ||
        LibrariesOf(programs[i], offers[i]) != first ||
        BytesWithoutDebugging(programs[i].text) != bytes) {
      return false;
    }
  }
  return true;
}

}  // namespace duetbench::duet
