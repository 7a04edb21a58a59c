#include "tools/duet/code/unwinding.h"

#include <elfutils/libdw.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace duetbench::duet {
namespace {

// Encodings of pointers (DWARF, as in LSB 5.0, 10.5).
constexpr uint8_t kOmitted = 0xff;
constexpr uint8_t kRelative4 = 0x1b;          // DW_EH_PE_pcrel | DW_EH_PE_sdata4
constexpr uint8_t kIndirectRelative4 = 0x9b;  // the same, of a pointer
constexpr uint8_t kUleb = 0x01;

class Bytes {
 public:
  Bytes(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}

  bool ok() const { return ok_; }
  const uint8_t* at() const { return at_; }

  uint8_t Byte() {
    if (at_ >= end_) {
      ok_ = false;
      return 0;
    }
    return *at_++;
  }
  uint64_t Uleb() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  int64_t Sleb() {
    int64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      const uint8_t byte = Byte();
      value |= static_cast<int64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0) value -= int64_t{1} << (shift + 7);
      return value;
    }
    ok_ = false;
    return 0;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

int32_t Word(const uint8_t* at) {
  int32_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// The form of the FDEs of a CIE: "zPLR" with an encoding for each of P, L and R.
struct Form {
  bool has_table = false;
  bool is_understood = false;
};

Form FormOf(const Dwarf_CIE& cie) {
  Form form;
  const char* letter = cie.augmentation;
  if (*letter != 'z') return form;
  Bytes bytes(cie.augmentation_data, cie.augmentation_data + cie.augmentation_data_size);
  form.is_understood = true;
  for (++letter; *letter != 0; ++letter) {
    if (*letter == 'R') {
      form.is_understood = form.is_understood && bytes.Byte() == kRelative4;
    } else if (*letter == 'L') {
      form.has_table = true;
      form.is_understood = form.is_understood && bytes.Byte() == kRelative4;
    } else if (*letter == 'P') {
      const uint8_t encoding = bytes.Byte();
      form.is_understood =
          form.is_understood && (encoding == kRelative4 || encoding == kIndirectRelative4);
      for (int i = 0; i < 4; ++i) bytes.Byte();
    } else if (*letter != 'S' && *letter != 'B') {
      form.is_understood = false;
    }
  }
  form.is_understood = form.is_understood && bytes.ok();
  return form;
}

}  // namespace

bool ReadLandingPads(const unsigned char* ident, Elf_Data* data, uint64_t address,
                     std::map<uint64_t, uint64_t>* tables) {
  std::map<Dwarf_Off, Form> forms;
  const auto* const begin = static_cast<const uint8_t*>(data->d_buf);
  Dwarf_Off next = 0;
  for (Dwarf_Off at = 0;; at = next) {
    Dwarf_CFI_Entry entry;
    const int result = dwarf_next_cfi(ident, data, /*eh_frame_p=*/true, at, &next, &entry);
    if (result != 0) return result == 1;
    if (dwarf_cfi_cie_p(&entry)) {
      forms[at] = FormOf(entry.cie);
      continue;
    }
    const auto form = forms.find(entry.fde.CIE_pointer);
    if (form == forms.end() || !form->second.is_understood) return false;
    if (!form->second.has_table) continue;
    // The start and the length of the function, the length of the rest, and the table.
    const uint8_t* const start = entry.fde.start;
    if (entry.fde.end - start < 13 || start[8] < 4) return false;
    const auto address_of = [&](const uint8_t* at) {
      return address + static_cast<uint64_t>(at - begin) + static_cast<uint64_t>(Word(at));
    };
    if (Word(start + 9) != 0) (*tables)[address_of(start)] = address_of(start + 9);
  }
}

bool ParseLandingPads(const uint8_t* bytes, size_t size, LandingPads* parsed) {
  Bytes reader(bytes, bytes + size);
  if (reader.Byte() != kOmitted) return false;  // landing pads relative to something else
  const uint8_t types_form = reader.Byte();
  size_t types_end = 0;
  if (types_form != kOmitted) {
    if (types_form != kIndirectRelative4 && types_form != kRelative4) return false;
    const uint64_t distance = reader.Uleb();
    types_end = static_cast<size_t>(reader.at() - bytes) + distance;
    if (distance > size || types_end > size) return false;
  }
  if (reader.Byte() != kUleb) return false;
  const uint64_t sites_size = reader.Uleb();
  const auto sites_begin = static_cast<size_t>(reader.at() - bytes);
  if (!reader.ok() || sites_size > size - sites_begin) return false;
  const size_t actions_begin = sites_begin + sites_size;
  Bytes sites(bytes + sites_begin, bytes + actions_begin);
  uint64_t most = 0;  // types that the actions refer to
  size_t end = actions_begin;
  while (sites.ok() && sites.at() < bytes + actions_begin) {
    for (int i = 0; i < 3; ++i) sites.Uleb();
    uint64_t action = sites.Uleb();
    // The numbers of actions begin with 1; each has a filter and the distance to the next one.
    for (int steps = 0; action != 0; ++steps) {
      if (action - 1 >= size - actions_begin || steps > 1000) return false;
      const uint8_t* const at = bytes + actions_begin + action - 1;
      Bytes record(at, bytes + size);
      const int64_t filter = record.Sleb();
      const auto distance_at = static_cast<int64_t>(record.at() - (bytes + actions_begin));
      const int64_t distance = record.Sleb();
      if (!record.ok() || filter < 0) return false;  // an exception specification
      most = std::max(most, static_cast<uint64_t>(filter));
      end = std::max(end, static_cast<size_t>(record.at() - bytes));
      if (distance == 0) break;
      const int64_t following = distance_at + distance;
      if (following < 0) return false;
      action = static_cast<uint64_t>(following) + 1;
    }
  }
  if (!sites.ok() || most * 4 > types_end) return false;
  parsed->begin = sites_begin;
  parsed->end = end;
  for (uint64_t type = 1; type <= most; ++type) parsed->types.push_back(types_end - 4 * type);
  return parsed->types.empty() || parsed->types.back() >= end;
}

std::vector<Mapping> ParseMappings(absl::string_view text) {
  std::vector<Mapping> mappings;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    if (words.size() < 5) continue;
    const std::vector<absl::string_view> ends = absl::StrSplit(words[0], '-');
    Mapping mapping;
    if (ends.size() != 2 || !absl::SimpleHexAtoi(ends[0], &mapping.begin) ||
        !absl::SimpleHexAtoi(ends[1], &mapping.end) ||
        !absl::SimpleHexAtoi(words[2], &mapping.offset)) {
      continue;
    }
    mapping.executable = absl::StrContains(words[1], 'x');
    if (words.size() > 5) {
      absl::string_view file = words[5];
      while (absl::ConsumePrefix(&file, " ")) {
      }
      mapping.file = std::string(file);
    }
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

std::vector<Mapping> MappingsOf(pid_t process) {
  std::stringstream text;
  text << std::ifstream(absl::StrCat("/proc/", process, "/maps")).rdbuf();
  return ParseMappings(text.str());
}

}  // namespace duetbench::duet
