#include "duetbench/code_layout/unwind_table.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "absl/status/status.h"

namespace duetbench {
namespace {

// Reads a record from its start; from the first read past its end on, `ok` is false.
class RecordReader {
 public:
  explicit RecordReader(absl::Span<const uint8_t> bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t at() const { return at_; }
  void Skip(size_t bytes) {
    ok_ = ok_ && bytes <= bytes_.size() - at_;
    if (ok_) at_ += bytes;
  }
  template <class T>
  T Read() {
    const size_t at = at_;
    Skip(sizeof(T));
    return ok_ ? LoadFrom<T>(bytes_.data() + at) : T();
  }
  uint64_t ReadUleb() {
    uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const auto byte = Read<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

 private:
  absl::Span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

// The properties that a common information entry gives its FDEs.
struct CommonInformation {
  bool is_understood = false;  // addresses of code are relative words
  bool has_augmentation = false;
  uint8_t lsda_format = kNoPointer;
  bool has_lsda() const { return has_augmentation && lsda_format != kNoPointer; }
};

// The record at an address, with the length at its start; empty: not in the file.
absl::Span<const uint8_t> RecordAt(const ElfFile& file, uint64_t address) {
  constexpr uint32_t kMostBytes = 0x10000000;  // a larger one is of the 64-bit format
  const std::optional<uint32_t> length = file.LoadAt<uint32_t>(address);
  if (!length.has_value() || *length > kMostBytes) return {};
  return file.At(address, uint64_t{4} + *length);
}

bool SkipPersonality(RecordReader* reader) {
  constexpr uint8_t kWords[] = {0x0b, 0x03}, kDoubleWords[] = {0x00, 0x0c};
  const uint8_t format = reader->Read<uint8_t>() & 0xf;
  if (std::count(kWords, kWords + 2, format) != 0) {
    reader->Skip(4);
  } else if (std::count(kDoubleWords, kDoubleWords + 2, format) != 0) {
    reader->Skip(8);
  } else {
    return false;
  }
  return true;
}

CommonInformation ReadCommonInformation(absl::Span<const uint8_t> record) {
  RecordReader reader(record);
  reader.Skip(8);  // length, number 0
  const auto version = reader.Read<uint8_t>();
  const size_t augmentation = reader.at();
  while (reader.ok() && reader.Read<char>() != '\0') continue;
  reader.ReadUleb();  // unit of code
  reader.ReadUleb();  // unit of data
  if (version == 1) {
    reader.Skip(1);  // register of the return address
  } else {
    reader.ReadUleb();
  }
  CommonInformation information;
  if (!reader.ok()) return information;
  uint8_t code_format = 0;
  for (size_t letter = augmentation; record[letter] != 0; ++letter) {
    switch (record[letter]) {
      case 'z':
        information.has_augmentation = true;
        reader.ReadUleb();
        break;
      case 'R':
        code_format = reader.Read<uint8_t>();
        break;
      case 'L':
        information.lsda_format = reader.Read<uint8_t>();
        break;
      case 'P':
        if (!SkipPersonality(&reader)) return {};
        break;
      case 'S':
        break;
      default:
        return {};
    }
  }
  const uint8_t lsda = information.lsda_format;
  information.is_understood =
      reader.ok() && code_format == kPointerFromHere &&
      (lsda == kNoPointer || lsda == kPointerFromHere || lsda == kWidePointerFromHere);
  return information;
}

uint64_t Moved(uint64_t address, int64_t distance) {
  return address + static_cast<uint64_t>(distance);
}

class UnwindTableReader {
 public:
  explicit UnwindTableReader(const ElfFile& file) : file_(file) {}

  absl::StatusOr<UnwindTable> Read() {
    const Elf64_Phdr* const segment = file_.SegmentOf(PT_GNU_EH_FRAME);
    if (segment == nullptr)
      return absl::FailedPreconditionError("has no table of unwinding (.eh_frame_hdr)");
    RecordReader reader(file_.At(segment->p_vaddr, segment->p_filesz));
    constexpr uint8_t kCountFormat = 0x03, kTableFormat = 0x3b;
    const auto version = reader.Read<uint8_t>();
    reader.Skip(1);
    const auto count_format = reader.Read<uint8_t>();
    const auto table_format = reader.Read<uint8_t>();
    reader.Skip(4);
    const auto count = reader.Read<uint32_t>();
    if (!reader.ok() || version != 1 || count_format != kCountFormat ||
        table_format != kTableFormat || count > segment->p_filesz / 8) {
      return absl::FailedPreconditionError("has a table of unwinding of another format");
    }
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t code = Moved(segment->p_vaddr, reader.Read<int32_t>());
      const uint64_t fde = Moved(segment->p_vaddr, reader.Read<int32_t>());
      table_.entries.push_back({code, fde});
      ReadFde(code, fde);
    }
    if (!reader.ok()) return absl::FailedPreconditionError("has a damaged table of unwinding");
    for (size_t i = 1; i < table_.codes.size(); ++i) {
      if (table_.codes[i - 1].end > table_.codes[i].begin) {
        return absl::FailedPreconditionError("has functions that overlap");
      }
    }
    return std::move(table_);
  }

 private:
  const CommonInformation& InformationAt(uint64_t address) {
    const auto [it, is_new] = information_.try_emplace(address);
    if (is_new) it->second = ReadCommonInformation(RecordAt(file_, address));
    return it->second;
  }

  void ReadFde(uint64_t code, uint64_t fde) {
    const absl::Span<const uint8_t> record = RecordAt(file_, fde);
    RecordReader reader(record);
    reader.Skip(4);
    const auto back = reader.Read<uint32_t>();
    const uint64_t begin = Moved(fde + 8, reader.Read<int32_t>());
    const auto size = reader.Read<uint32_t>();
    if (!reader.ok() || size == 0 || begin != code) return;
    const CommonInformation& information = InformationAt(fde + 4 - back);
    if (!information.is_understood) return;
    const uint64_t offset = static_cast<uint64_t>(record.data() - file_.bytes().data());
    UnwoundCode read{code, code + size, fde, offset, record.size()};
    if (information.has_lsda()) {
      reader.ReadUleb();  // size of what follows
      const uint64_t at = reader.at();
      read.is_lsda_wide = information.lsda_format == kWidePointerFromHere;
      const int64_t distance = read.is_lsda_wide ? reader.Read<int64_t>() : reader.Read<int32_t>();
      if (!reader.ok()) return;
      if (distance != 0) {
        read.lsda_at = at;
        // The first byte is the format of their start, which is that of the function without one.
        read.has_own_landing_pads = file_.LoadAt<uint8_t>(Moved(fde + at, distance)) == kNoPointer;
      }
    }
    table_.codes.push_back(read);
  }

  const ElfFile& file_;
  std::map<uint64_t, CommonInformation> information_;
  UnwindTable table_;
};

}  // namespace

absl::StatusOr<UnwindTable> ReadUnwindTable(const ElfFile& file) {
  return UnwindTableReader(file).Read();
}

}  // namespace duetbench
