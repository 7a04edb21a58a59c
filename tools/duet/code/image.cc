#include "tools/duet/code/image.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/duet/code/image_reader.h"

namespace duetbench::duet {
namespace {

const NamedPart* Find(const std::vector<NamedPart>& parts, uint64_t address) {
  auto after =
      std::upper_bound(parts.begin(), parts.end(), address,
                       [](uint64_t value, const NamedPart& part) { return value < part.address; });
  if (after == parts.begin()) return nullptr;
  const NamedPart& part = *std::prev(after);
  return address < part.end() ? &part : nullptr;
}

}  // namespace

Image::~Image() {
  if (elf_ != nullptr) elf_end(static_cast<Elf*>(elf_));
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<std::unique_ptr<Image>> Image::Read(const std::string& path) {
  elf_version(EV_CURRENT);
  std::unique_ptr<Image> image(new Image);
  image->path_ = path;
  image->fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (image->fd_ < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
  image->elf_ = elf_begin(image->fd_, ELF_C_READ_MMAP, nullptr);
  if (image->elf_ == nullptr) return absl::FailedPreconditionError("it is no ELF file");
  const absl::Status read = ReadImage(image.get());
  if (!read.ok()) return read;
  return image;
}

const Section* Image::SectionAt(uint64_t address) const {
  const auto after = std::upper_bound(
      sections_.begin(), sections_.end(), address,
      [](uint64_t value, const Section& section) { return value < section.address; });
  if (after == sections_.begin() || !std::prev(after)->Contains(address)) return nullptr;
  return &*std::prev(after);
}

const NamedPart* Image::PartAt(uint64_t address) const {
  if (const NamedPart* const function = Find(functions_, address)) return function;
  return Find(objects_, address);
}

const NamedPart* Image::FunctionNamed(absl::string_view name) const {
  const auto found = function_by_name_.find(std::string(name));
  if (found == function_by_name_.end() || found->second < 0) return nullptr;
  return &functions_[static_cast<size_t>(found->second)];
}

uint64_t Image::LandingPadsOf(uint64_t function) const {
  const auto found = landing_pads_.find(function);
  return found == landing_pads_.end() ? 0 : found->second;
}

uint64_t Image::EndOfLandingPads(uint64_t table) const {
  const Section* const section = SectionAt(table);
  if (section == nullptr) return table;
  const auto next = landing_pad_tables_.upper_bound(table);
  const uint64_t end = section->address + section->size;
  return next == landing_pad_tables_.end() ? end : std::min(end, *next);
}

std::set<std::string> DynamicNamesOf(const std::string& path) {
  std::set<std::string> names;
  elf_version(EV_CURRENT);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Elf* const elf = fd < 0 ? nullptr : elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  for (Elf_Scn* scn = nullptr; elf != nullptr && (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr shdr;
    if (gelf_getshdr(scn, &shdr) == nullptr || shdr.sh_type != SHT_DYNSYM) continue;
    Elf_Data* const data = elf_getdata(scn, nullptr);
    for (size_t i = 0; data != nullptr && i < shdr.sh_size / sizeof(Elf64_Sym); ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* const name = elf_strptr(elf, shdr.sh_link, symbol.st_name);
      if (name != nullptr && *name != 0) names.insert(name);
    }
  }
  if (elf != nullptr) elf_end(elf);
  if (fd >= 0) close(fd);
  return names;
}

void SettleParts(const std::vector<Section>& sections, std::vector<NamedPart>* parts) {
  std::stable_sort(parts->begin(), parts->end(),
                   [](const NamedPart& a, const NamedPart& b) { return a.address < b.address; });
  std::vector<NamedPart> merged;
  for (NamedPart& part : *parts) {
    if (merged.empty() || merged.back().address != part.address) {
      merged.push_back(std::move(part));
      continue;
    }
    NamedPart& same = merged.back();
    same.size = std::max(same.size, part.size);
    same.is_chosen_at_load = same.is_chosen_at_load || part.is_chosen_at_load;
    same.names.push_back(std::move(part.names.front()));
  }
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].size > 0) continue;
    for (const Section& section : sections) {
      if (!section.Contains(merged[i].address)) continue;
      uint64_t end = section.address + section.size;
      if (i + 1 < merged.size()) end = std::min(end, merged[i + 1].address);
      merged[i].size = end - merged[i].address;
    }
  }
  *parts = std::move(merged);
}

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
