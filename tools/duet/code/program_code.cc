#include "tools/duet/code/program_code.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace duetbench::duet {
namespace {

bool AnyName(const NamedPart& part, bool (*is_wanted)(absl::string_view)) {
  return std::any_of(part.names.begin(), part.names.end(),
                     [&](const std::string& name) { return is_wanted(name); });
}

bool IsPartOf(const NamedPart& part, const NamedPart& function) {
  if (&part == &function) return true;
  for (const std::string& name : function.names) {
    for (const std::string& other : part.names) {
      if (absl::StartsWith(other, name + ".cold")) return true;
    }
  }
  return false;
}

// True for a function in namespace duetbench that is no instance of a template, into which code of
// the user may be inlined (Itanium C++ ABI, 5.1.3: names of a known length, up to E).
bool IsPlainNameOfDuetbench(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "_ZN9duetbench") &&
      !absl::ConsumePrefix(&name, "_ZNK9duetbench") &&
      !absl::ConsumePrefix(&name, "_ZZN9duetbench")) {
    return false;
  }
  while (!absl::ConsumePrefix(&name, "E")) {
    if (absl::ConsumePrefix(&name, "L") || absl::ConsumePrefix(&name, "B")) continue;
    if (absl::ConsumePrefix(&name, "C1") || absl::ConsumePrefix(&name, "C2") ||
        absl::ConsumePrefix(&name, "D0") || absl::ConsumePrefix(&name, "D1") ||
        absl::ConsumePrefix(&name, "D2")) {
      continue;
    }
    size_t digits = 0;
    while (digits < name.size() && name[digits] >= '0' && name[digits] <= '9') ++digits;
    size_t length = 0;
    if (!absl::SimpleAtoi(name.substr(0, digits), &length) || length > name.size() - digits) {
      return false;
    }
    name.remove_prefix(digits + length);
  }
  return true;
}

// A byte of text in UTF-8.
bool IsTextByte(uint8_t byte) {
  if (byte == 0xc0 || byte == 0xc1 || byte >= 0xf5) return false;  // in no UTF-8
  return byte >= 0x20 ? byte != 0x7f : byte == '\n' || byte == '\t' || byte == '\r' || byte == 0x1b;
}

}  // namespace

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text == nullptr ? name : text.get();
}

ProgramCode::ProgramCode(std::unique_ptr<Image> image) : image_(std::move(image)) {
  const auto take = [&](uint64_t address, const NamedPart* by) {
    const Section* const section = image_->SectionAt(address);
    if (section == nullptr || section->executable || image_->PartAt(address) != nullptr) return;
    taken_.emplace(address, by);
  };
  for (const NamedPart& function : image_->functions()) {
    const Section* const section = image_->SectionAt(function.address);
    DecodedFunction decoded;
    if (section->bytes != nullptr &&
        function.size <= section->address + section->size - function.address) {
      decoded = Decode(section->bytes + (function.address - section->address), function.size,
                       function.address);
    }
    for (const CodeReference& reference : decoded.references) {
      if (!reference.is_branch && reference.access == 0) take(reference.target, &function);
    }
    decoded_.push_back(std::move(decoded));
  }
  for (const auto& [at, relocation] : image_->relocations()) {
    if (relocation.symbol.empty()) take(relocation.address, nullptr);
  }
}

Target ProgramCode::TargetAt(uint64_t address) const {
  Target target;
  target.address = address;
  target.section = image_->SectionAt(address);
  if (target.section == nullptr) return target;
  const Section& section = *target.section;
  if (section.executable && absl::StartsWith(section.name, ".plt")) {
    const uint64_t offset = address - section.address;
    const uint64_t slot = SlotOfStub(section.bytes + offset, section.size - offset, address);
    const auto relocation = image_->relocations().find(slot);
    if (slot == 0 || relocation == image_->relocations().end()) return target;
    return TargetOf(relocation->second);
  }
  target.part = image_->PartAt(address);
  if (section.executable) {
    if (target.part != nullptr && target.part->is_code) target.kind = Target::Kind::kFunction;
    return target;
  }
  target.kind = target.part != nullptr ? Target::Kind::kObject : Target::Kind::kUnnamed;
  if (target.part == nullptr) return target;
  const auto copied = image_->relocations().find(target.part->address);
  if (copied == image_->relocations().end()) return target;
  absl::string_view symbol = copied->second.symbol;
  if (!absl::ConsumePrefix(&symbol, kCopied)) return target;
  target.kind = Target::Kind::kSymbol;
  target.symbol = absl::StrCat(symbol, "+", address - target.part->address);
  return target;
}

Target ProgramCode::TargetOf(const Relocation& relocation) const {
  Target target;
  if (relocation.error) return target;
  if (relocation.symbol.empty()) return TargetAt(relocation.address);
  target.kind = Target::Kind::kSymbol;
  target.symbol = relocation.symbol;
  return target;
}

uint64_t ProgramCode::EndOfText(uint64_t address) const {
  const Section* const section = image_->SectionAt(address);
  if (section == nullptr || section->bytes == nullptr) return 0;
  for (uint64_t at = address - section->address; at < section->size; ++at) {
    if (section->bytes[at] != 0 && IsTextByte(section->bytes[at])) continue;
    // The end of another text is an empty one.
    const bool is_text = section->bytes[at] == 0 && at > 0 &&
                         (section->address + at > address || IsTextByte(section->bytes[at - 1]));
    return is_text ? section->address + at + 1 : 0;
  }
  return 0;
}

bool ProgramCode::StartsText(uint64_t address) const {
  if (EndOfText(address) <= address + 1) return false;
  const Section& section = *image_->SectionAt(address);
  return address == section.address || !IsTextByte(section.bytes[address - 1 - section.address]) ||
         image_->PartAt(address - 1) != nullptr;
}

const NamedPart* ProgramCode::EntryOfTable(uint64_t table, uint64_t at, const NamedPart& function,
                                           uint64_t* offset) const {
  const Section* const section = image_->SectionAt(at);
  if (section == nullptr || section->bytes == nullptr ||
      section->size - (at - section->address) < 4) {
    return nullptr;
  }
  int32_t word = 0;
  std::memcpy(&word, section->bytes + (at - section->address), 4);
  const uint64_t target = table + static_cast<uint64_t>(int64_t{word});
  const NamedPart* const part = word == 0 ? nullptr : image_->PartAt(target);
  if (part == nullptr || !IsPartOf(*part, function)) return nullptr;
  *offset = target - part->address;
  return part;
}

bool ProgramCode::IsTableOf(uint64_t table, const NamedPart& function) const {
  uint64_t offset = 0;
  return EntryOfTable(table, table, function, &offset) != nullptr;
}

uint64_t ProgramCode::EndOfUnnamed(uint64_t address, const NamedPart* by) const {
  const Section& section = *image_->SectionAt(address);
  uint64_t limit = section.address + section.size;
  const auto& objects = image_->objects();
  const auto next =
      std::upper_bound(objects.begin(), objects.end(), address,
                       [](uint64_t value, const NamedPart& part) { return value < part.address; });
  if (next != objects.end()) limit = std::min(limit, next->address);
  uint64_t end = limit;
  const bool is_text = StartsText(address);
  for (auto at = taken_.upper_bound(address); at != taken_.end() && at->first < end;) {
    // All that take this address.
    bool is_shared = false;
    const uint64_t start = at->first;
    for (; at != taken_.end() && at->first == start; ++at) {
      is_shared |= is_text || by == nullptr || at->second != by;
    }
    if (is_shared) {
      end = start;
      break;
    }
  }
  const uint64_t text_end = EndOfText(address);
  if (is_text) return std::max(end, text_end);
  if (text_end != 0 && text_end < limit && StartsText(text_end)) {
    return std::max(end, EndOfText(text_end));
  }
  for (auto at = taken_.upper_bound(address); at != taken_.end() && at->first < limit; ++at) {
    if (at->second != nullptr && IsTableOf(at->first, *at->second)) limit = at->first;
  }
  return std::max(end, std::min(limit, address + kMaxFolded));
}

bool TakesState(const NamedPart& function) {
  return AnyName(function, [](absl::string_view name) {
    return absl::StrContains(name, "RN9benchmark5StateE") ||
           absl::StrContains(name, "RKN9benchmark5StateE") ||
           absl::StrContains(name, "RN9duetbench5StateE") ||
           absl::StrContains(name, "RKN9duetbench5StateE");
  });
}

bool IsOfDuetbench(const NamedPart& function) { return AnyName(function, IsPlainNameOfDuetbench); }

bool IsOfStartUp(const NamedPart& function) {
  return AnyName(function, [](absl::string_view name) {
    return name == "_start" || name == "_init" || name == "_fini" || name == "frame_dummy" ||
           name == "register_tm_clones" || name == "deregister_tm_clones" ||
           name == "__do_global_dtors_aux";
  });
}

}  // namespace duetbench::duet
