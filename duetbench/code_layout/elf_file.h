#ifndef DUETBENCH_CODE_LAYOUT_ELF_FILE_H_
#define DUETBENCH_CODE_LAYOUT_ELF_FILE_H_

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace duetbench {

inline uint64_t RoundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// A value at any alignment.
template <class T>
T LoadFrom(const uint8_t* at) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void StoreTo(uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// A view of the bytes of an ELF file of x86-64, which outlive it. Whatever the bytes are, nothing
// outside of them is read: what does not lie within them is absent.
class ElfFile {
 public:
  // FailedPrecondition, with the reason, for another kind of file and if the tables of segments and
  // sections do not lie in it.
  static absl::StatusOr<ElfFile> Parse(absl::Span<const uint8_t> bytes);

  absl::Span<const uint8_t> bytes() const { return bytes_; }
  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  // The first segment of this type; null: there is none.
  const Elf64_Phdr* SegmentOf(uint32_t type) const;
  absl::string_view NameOf(const Elf64_Shdr& section) const;
  // The bytes of a section; empty if they are not in the file.
  absl::Span<const uint8_t> BytesOf(const Elf64_Shdr& section) const;
  // The text at `offset` of a section of texts, up to its zero.
  absl::string_view TextAt(const Elf64_Shdr& section, uint64_t offset) const;

  // The offset in the file behind the last byte that is loaded.
  uint64_t LoadedEnd() const;
  // The offset in the file of what is loaded to `address`, `size` bytes; nothing: it is not in it.
  std::optional<uint64_t> OffsetOf(uint64_t address, uint64_t size) const;
  // Its bytes; empty if they are not in the file.
  absl::Span<const uint8_t> At(uint64_t address, uint64_t size) const;
  // From `address` to the end of its segment in the file.
  absl::Span<const uint8_t> From(uint64_t address) const;
  template <class T>
  std::optional<T> LoadAt(uint64_t address) const {
    const absl::Span<const uint8_t> at = At(address, sizeof(T));
    if (at.empty()) return std::nullopt;
    return LoadFrom<T>(at.data());
  }
  // True for the addresses of a segment, its zeros and its end included.
  bool IsLoaded(uint64_t address) const;

  // The entries of the dynamic section up to its end.
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }
  // The value of one; nothing: there is none.
  std::optional<uint64_t> DynamicValue(int64_t tag) const;
  // The text at `offset` of the texts of the dynamic section, up to its zero.
  std::string DynamicText(uint64_t offset) const;

 private:
  absl::Span<const uint8_t> bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_, loaded_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Dyn> dynamic_;
};

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_ELF_FILE_H_
