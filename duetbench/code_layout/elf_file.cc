#include "duetbench/code_layout/elf_file.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/status/status.h"

namespace duetbench {
namespace {

// The records of a table in the file; nothing if they do not lie in it.
template <class T>
std::optional<std::vector<T>> ReadTable(absl::Span<const uint8_t> bytes, uint64_t offset,
                                        uint64_t count) {
  if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(T)) return std::nullopt;
  std::vector<T> table(count);
  if (count > 0) std::memcpy(table.data(), bytes.data() + offset, count * sizeof(T));
  return table;
}

}  // namespace

absl::StatusOr<ElfFile> ElfFile::Parse(absl::Span<const uint8_t> bytes) {
  ElfFile file;
  file.bytes_ = bytes;
  if (bytes.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) {
    return absl::FailedPreconditionError("is no ELF file");
  }
  const auto header = LoadFrom<Elf64_Ehdr>(bytes.data());
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    return absl::FailedPreconditionError("is not of x86-64");
  }
  auto segments = ReadTable<Elf64_Phdr>(bytes, header.e_phoff, header.e_phnum);
  auto sections = ReadTable<Elf64_Shdr>(bytes, header.e_shoff, header.e_shnum);
  if (!segments.has_value() || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return absl::FailedPreconditionError("has a damaged table of segments");
  }
  if (!sections.has_value() || sections->empty() || header.e_shentsize != sizeof(Elf64_Shdr)) {
    return absl::FailedPreconditionError("has no table of sections");
  }
  file.header_ = header;
  file.segments_ = *std::move(segments);
  file.sections_ = *std::move(sections);
  std::copy_if(file.segments_.begin(), file.segments_.end(), std::back_inserter(file.loaded_),
               [](const Elf64_Phdr& segment) { return segment.p_type == PT_LOAD; });
  if (const Elf64_Phdr* const dynamic = file.SegmentOf(PT_DYNAMIC)) {
    file.dynamic_ =
        ReadTable<Elf64_Dyn>(bytes, dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn))
            .value_or(std::vector<Elf64_Dyn>());
    file.dynamic_.erase(std::find_if(file.dynamic_.begin(), file.dynamic_.end(),
                                     [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; }),
                        file.dynamic_.end());
  }
  return file;
}

const Elf64_Phdr* ElfFile::SegmentOf(uint32_t type) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [&](const Elf64_Phdr& each) { return each.p_type == type; });
  return found == segments_.end() ? nullptr : &*found;
}

absl::string_view ElfFile::NameOf(const Elf64_Shdr& section) const {
  if (header_.e_shstrndx >= sections_.size()) return "";
  return TextAt(sections_[header_.e_shstrndx], section.sh_name);
}

absl::Span<const uint8_t> ElfFile::BytesOf(const Elf64_Shdr& section) const {
  const bool is_in_file = section.sh_type != SHT_NOBITS && section.sh_offset <= bytes_.size() &&
                          section.sh_size <= bytes_.size() - section.sh_offset;
  return is_in_file ? bytes_.subspan(section.sh_offset, section.sh_size)
                    : absl::Span<const uint8_t>();
}

absl::string_view ElfFile::TextAt(const Elf64_Shdr& section, uint64_t offset) const {
  const absl::Span<const uint8_t> texts = BytesOf(section);
  if (offset >= texts.size()) return "";
  const absl::Span<const uint8_t> rest = texts.subspan(offset);
  const auto end = std::find(rest.begin(), rest.end(), uint8_t{0});
  return absl::string_view(reinterpret_cast<const char*>(rest.data()),
                           static_cast<size_t>(end - rest.begin()));
}

std::optional<uint64_t> ElfFile::OffsetOf(uint64_t address, uint64_t size) const {
  for (const Elf64_Phdr& segment : loaded_) {
    if (address < segment.p_vaddr || address - segment.p_vaddr > segment.p_filesz ||
        size > segment.p_filesz - (address - segment.p_vaddr)) {
      continue;
    }
    const uint64_t offset = segment.p_offset + (address - segment.p_vaddr);
    if (offset < segment.p_offset || offset > bytes_.size() || size > bytes_.size() - offset) {
      return std::nullopt;
    }
    return offset;
  }
  return std::nullopt;
}

absl::Span<const uint8_t> ElfFile::At(uint64_t address, uint64_t size) const {
  const std::optional<uint64_t> offset = OffsetOf(address, size);
  return offset.has_value() ? bytes_.subspan(*offset, size) : absl::Span<const uint8_t>();
}

absl::Span<const uint8_t> ElfFile::From(uint64_t address) const {
  for (const Elf64_Phdr& segment : loaded_) {
    if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
      return At(address, segment.p_filesz - (address - segment.p_vaddr));
    }
  }
  return {};
}

bool ElfFile::IsLoaded(uint64_t address) const {
  return std::any_of(loaded_.begin(), loaded_.end(), [&](const Elf64_Phdr& segment) {
    return address >= segment.p_vaddr && address - segment.p_vaddr <= segment.p_memsz;
  });
}

std::optional<uint64_t> ElfFile::DynamicValue(int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  return std::nullopt;
}

std::string ElfFile::DynamicText(uint64_t offset) const {
  const absl::Span<const uint8_t> text = From(DynamicValue(DT_STRTAB).value_or(0) + offset);
  return std::string(text.begin(), std::find(text.begin(), text.end(), uint8_t{0}));
}

uint64_t ElfFile::LoadedEnd() const {
  uint64_t end = 0;
  for (const Elf64_Phdr& segment : loaded_) {
    end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

}  // namespace duetbench
