#include "duetbench/code_layout/program_copy.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "duetbench/code_layout/elf_file.h"
#include "duetbench/platform/memory.h"

namespace duetbench {
namespace {

constexpr uint8_t kTrap = 0xcc;             // int3
constexpr uint64_t kFarthest = 0x70000000;  // less than what displacements reach
constexpr uint64_t kUnwindHeader = 12;      // bytes before the entries of .eh_frame_hdr
constexpr uint64_t kUnwindEntry = 8;

// The copies of the FDEs, with a zero as the end of all, as linkers write it.
uint64_t SizeOfFdes(const MovableCode& code, const Placement& placement) {
  uint64_t size = 0;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    if (placement.function_at[i] != 0) size += code.functions[i].fde_size;
  }
  return RoundUp(size + 4, 16);
}

// The texts of the dynamic section, if names of libraries are replaced.
uint64_t SizeOfTexts(const MovableCode& code) {
  if (code.libraries.empty()) return 0;
  uint64_t size = code.dynamic_texts.size;
  for (const MovableCode::LibraryName& library : code.libraries) {
    size += std::max(library.path.size(), kMostPathOfCopy) + 1;
  }
  return size;
}

uint64_t CountOfEntries(const MovableCode& code, const Placement& placement) {
  const auto stay = static_cast<uint64_t>(
      std::count(placement.function_at.begin(), placement.function_at.end(), 0));
  return code.unwind_entries.size() + placement.function_at.size() - stay;
}

class CopyWriter {
 public:
  CopyWriter(const MovableCode& code, const Placement& placement, const CopyOptions& options)
      : code_(code), placement_(placement), options_(options) {}

  std::vector<uint8_t> Write() {
    new_offset_ = RoundUp(code_.image.size(), kPageBytes);
    copy_.reserve(new_offset_ + (placement_.end - placement_.begin));
    copy_ = code_.image;
    copy_.resize(new_offset_);
    copy_.resize(new_offset_ + (placement_.tables_end - placement_.begin), kTrap);
    copy_.resize(new_offset_ + (placement_.end - placement_.begin));
    for (size_t i = 0; i < code_.functions.size(); ++i) WriteFunction(i);
    for (size_t i = 0; i < code_.tables.size(); ++i) WriteTable(i);
    for (const MovableCode::Pointer& pointer : code_.pointers) {
      StoreTo(&copy_[pointer.offset], NewAddress(pointer.value, pointer.to));
    }
    WriteUnwindTable();
    WriteNamesOfLibraries();
    WriteSegments();
    return std::move(copy_);
  }

 private:
  uint8_t* At(uint64_t address) { return &copy_[new_offset_ + (address - placement_.begin)]; }

  // The new place of an address in the function `to`; -1: in none.
  uint64_t NewAddress(uint64_t old, int32_t to) const {
    if (to < 0 || placement_.function_at[static_cast<size_t>(to)] == 0) return old;
    const auto number = static_cast<size_t>(to);
    return placement_.function_at[number] + (old - code_.functions[number].begin);
  }

  void WriteFunction(size_t number) {
    const MovableCode::Function& function = code_.functions[number];
    const uint64_t place = placement_.function_at[number];
    const bool moves = place != 0;
    const uint8_t* const original = code_.image.data() + function.offset;
    uint8_t* const bytes = moves ? At(place) : &copy_[function.offset];
    if (moves) {
      std::memcpy(bytes, original, function.size());
      constexpr uint8_t kLongJump = 0xe9;
      if (function.extra != 0) bytes[function.size() - 2] = kLongJump;
      if (options_.traps && !function.is_entered) {
        std::memset(&copy_[function.offset], kTrap, function.size());
      }
    }
    const uint64_t begin = moves ? place : function.begin;
    for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
      const MovableCode::Reference& reference = code_.references[r];
      const uint64_t target = moves && reference.table >= 0
                                  ? placement_.table_at[static_cast<size_t>(reference.table)]
                                  : NewAddress(reference.target, reference.to);
      // A short jump at the end of a function that stays is one still.
      if (!moves && (target == reference.target || reference.end > function.size())) continue;
      StoreTo(bytes + reference.at, static_cast<int32_t>(target - (begin + reference.end)));
    }
  }

  void WriteTable(size_t number) {
    const uint64_t place = placement_.table_at[number];
    if (place == 0) return;  // of a function that stays
    uint64_t at = place;
    for (const uint64_t target : code_.tables[number]) {
      const uint64_t address = NewAddress(target, code_.FunctionAt(target));
      StoreTo(At(at), static_cast<int32_t>(address - place));
      at += 4;
    }
  }

  // Copies the FDE of a function to `at`.
  void WriteFde(const MovableCode::Function& function, uint64_t place, uint64_t at) {
    uint8_t* const fde = At(at);
    std::memcpy(fde, code_.image.data() + function.fde_offset, function.fde_size);
    const uint64_t moved = at - function.fde;
    StoreTo(fde + 4, LoadFrom<uint32_t>(fde + 4) + static_cast<uint32_t>(moved));  // its CIE
    StoreTo(fde + 8, static_cast<int32_t>(place - (at + 8)));
    StoreTo(fde + 12, static_cast<uint32_t>(function.size() + function.extra));
    if (function.lsda_at == 0) return;
    uint8_t* const lsda = fde + function.lsda_at;
    if (function.is_lsda_wide) {
      StoreTo(lsda, LoadFrom<uint64_t>(lsda) - moved);
    } else {
      StoreTo(lsda, LoadFrom<uint32_t>(lsda) - static_cast<uint32_t>(moved));
    }
  }

  void WriteUnwindTable() {
    std::vector<UnwindTable::Entry> entries = code_.unwind_entries;
    uint64_t at = placement_.tables_end;
    for (size_t i = 0; i < code_.functions.size(); ++i) {
      const uint64_t place = placement_.function_at[i];
      if (place == 0) continue;
      WriteFde(code_.functions[i], place, at);
      entries.push_back({place, at});
      at += code_.functions[i].fde_size;
    }
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.code < b.code; });
    unwind_header_ = placement_.tables_end + SizeOfFdes(code_, placement_);
    constexpr uint8_t kFormats[] = {1, kPointerFromHere, 0x03, 0x3b};
    uint8_t* header = At(unwind_header_);
    std::copy_n(kFormats, sizeof kFormats, header);
    StoreTo(header + 4, static_cast<int32_t>(placement_.tables_end - (unwind_header_ + 4)));
    StoreTo(header + 8, static_cast<uint32_t>(entries.size()));
    header += kUnwindHeader;
    for (const UnwindTable::Entry& entry : entries) {
      StoreTo(header, static_cast<int32_t>(entry.code - unwind_header_));
      StoreTo(header + 4, static_cast<int32_t>(entry.fde - unwind_header_));
      header += kUnwindEntry;
    }
    unwind_end_ = unwind_header_ + kUnwindHeader + kUnwindEntry * entries.size();
  }

  // Texts share their ends, so that none can be replaced in its place.
  void WriteNamesOfLibraries() {
    if (code_.libraries.empty()) return;
    const MovableCode::DynamicTexts& texts = code_.dynamic_texts;
    std::memcpy(At(unwind_end_), &code_.image[texts.offset], texts.size);
    uint64_t end = texts.size;
    for (const MovableCode::LibraryName& library : code_.libraries) {
      const auto copy = options_.libraries.find(library.name);
      const std::string& path = copy != options_.libraries.end() ? copy->second : library.path;
      if (path.empty()) continue;
      std::memcpy(At(unwind_end_ + end), path.c_str(), path.size() + 1);
      for (const uint64_t at : library.wide_at) StoreTo(&copy_[at], end);
      for (const uint64_t at : library.narrow_at) StoreTo(&copy_[at], static_cast<uint32_t>(end));
      end += path.size() + 1;
    }
    StoreTo(&copy_[texts.address_at], unwind_end_);
    StoreTo(&copy_[texts.size_at], end);
  }

  // The loader wants segments in the order of their addresses. The new one has the entry of the
  // last note (that of the build, or of the ABI), or of a property that repeats a note.
  void WriteSegments() {
    auto header = LoadFrom<Elf64_Ehdr>(copy_.data());
    header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    const size_t bytes = segments.size() * sizeof(Elf64_Phdr);
    std::memcpy(segments.data(), &copy_[header.e_phoff], bytes);
    for (const uint32_t type : {PT_NOTE, PT_GNU_PROPERTY}) {
      const auto spare = std::find_if(segments.rbegin(), segments.rend(),
                                      [&](const Elf64_Phdr& each) { return each.p_type == type; });
      if (spare == segments.rend()) continue;
      segments.erase(std::next(spare).base());
      break;
    }
    Elf64_Phdr added{};
    added.p_type = PT_LOAD;
    added.p_flags = PF_R | PF_X;
    added.p_offset = new_offset_;
    added.p_vaddr = added.p_paddr = placement_.begin;
    added.p_filesz = added.p_memsz = placement_.end - placement_.begin;
    added.p_align = kPageBytes;
    const auto last = std::find_if(segments.rbegin(), segments.rend(),
                                   [](const Elf64_Phdr& each) { return each.p_type == PT_LOAD; });
    segments.insert(last.base(), added);
    for (Elf64_Phdr& segment : segments) {
      if (segment.p_type == PT_LOAD) {
        segment.p_align = std::max<uint64_t>(segment.p_align, options_.base_alignment);
      }
      if (segment.p_type != PT_GNU_EH_FRAME) continue;
      segment.p_vaddr = segment.p_paddr = unwind_header_;
      segment.p_offset = new_offset_ + (unwind_header_ - placement_.begin);
      segment.p_filesz = segment.p_memsz = unwind_end_ - unwind_header_;
    }
    StoreTo(copy_.data(), header);
    std::memcpy(&copy_[header.e_phoff], segments.data(), bytes);
  }

  const MovableCode& code_;
  const Placement& placement_;
  const CopyOptions& options_;
  std::vector<uint8_t> copy_;
  uint64_t new_offset_ = 0, unwind_header_ = 0, unwind_end_ = 0;
};

}  // namespace

std::vector<uint8_t> WriteCopy(const MovableCode& code, const Placement& placement,
                               const CopyOptions& options) {
  if (placement.end > kFarthest) return {};
  return CopyWriter(code, placement, options).Write();
}

uint64_t EndOfCopy(const MovableCode& code, const Placement& placement) {
  return placement.tables_end + SizeOfFdes(code, placement) + kUnwindHeader +
         kUnwindEntry * CountOfEntries(code, placement) + SizeOfTexts(code);
}

}  // namespace duetbench
