#include "tools/duet/code/part_comparison.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "tools/duet/code/unwinding.h"

namespace duetbench::duet {
bool IsMutable(const Section& section) {
  return section.writable && !absl::StartsWith(section.name, ".data.rel.ro") &&
         !absl::StartsWith(section.name, ".got");
}

PartComparison::PartComparison(const ProgramCode& old_code, const ProgramCode& new_code,
                               Lines lines)
    : codes_{&old_code, &new_code},
      lines_(std::move(lines)),
      same_thread_storage_(old_code.image().thread_storage() == new_code.image().thread_storage()) {
}

const uint8_t* PartComparison::BytesAt(int side, uint64_t address, uint64_t size) const {
  static const std::vector<uint8_t>* const zeros = new std::vector<uint8_t>(size_t{1} << 16);
  const Section* const section = codes_[side]->image().SectionAt(address);
  if (section == nullptr || size > section->address + section->size - address) return nullptr;
  if (section->bytes != nullptr) return section->bytes + (address - section->address);
  return size <= zeros->size() ? zeros->data() : nullptr;
}

PartComparison::Pair PartComparison::PairOf(const NamedPart& old_part, const NamedPart& new_part) {
  Pair pair;
  pair.kind = old_part.is_code ? Kind::kFunction : Kind::kObject;
  pair.address[0] = old_part.address;
  pair.address[1] = new_part.address;
  pair.size[0] = old_part.size;
  pair.size[1] = new_part.size;
  return pair;
}

std::string PartComparison::NameOf(const Pair& pair) const {
  const NamedPart* part = codes_[1]->image().PartAt(pair.address[1]);
  if (part == nullptr) part = pair.by[1];
  return part == nullptr ? "data without a name" : Demangled(part->names.front());
}

void PartComparison::Refer(const Pair& pair, Found* found) {
  found->referred.push_back(Canonical(pair));
}

const PartComparison::Found& PartComparison::Compare(const Pair& pair) {
  Found& found = pairs_[pair];
  if (found.is_done) return found;
  found.is_done = true;
  if (pair.kind == Kind::kFunction) {
    CompareFunctions(pair, &found);
  } else {
    CompareData(pair, &found);
  }
  return found;
}

void PartComparison::CompareFunctions(const Pair& pair, Found* found) {
  const NamedPart* const functions[2] = {codes_[0]->image().PartAt(pair.address[0]),
                                         codes_[1]->image().PartAt(pair.address[1])};
  found->takes_state = TakesState(*functions[0]) && TakesState(*functions[1]);
  if (IsOfStartUp(*functions[0]) && functions[0]->names == functions[1]->names) return;
  const DecodedFunction* const decoded[2] = {&codes_[0]->decoded(*functions[0]),
                                             &codes_[1]->decoded(*functions[1])};
  const uint64_t size = pair.size[0];
  const auto& references = decoded[0]->references;
  if (size != pair.size[1] || references.size() != decoded[1]->references.size()) {
    found->difference = "has other instructions";
    return;
  }
  if (!decoded[0]->is_understood || !decoded[1]->is_understood) {
    found->difference = "has instructions that are not understood";
    return;
  }
  if (functions[0]->is_chosen_at_load || functions[1]->is_chosen_at_load) {
    found->difference = "is chosen when the program is loaded";
    return;
  }
  if (decoded[0]->uses_thread_storage && !same_thread_storage_) {
    found->difference = "uses thread-local variables, whose storage differs";
    return;
  }
  const std::vector<uint8_t> new_bytes = WithLinesOfOld(pair, *functions[1]);
  const uint8_t* const bytes[2] = {BytesAt(0, pair.address[0], size), new_bytes.data()};
  uint64_t same_until = 0;
  for (size_t i = 0; i < references.size(); ++i) {
    const CodeReference& mine = references[i];
    const CodeReference& other = decoded[1]->references[i];
    if (mine.offset != other.offset || mine.size != other.size || mine.access != other.access ||
        mine.is_branch != other.is_branch ||
        std::memcmp(bytes[0] + same_until, bytes[1] + same_until, mine.offset - same_until) != 0) {
      found->difference = "has other instructions";
      return;
    }
    same_until = mine.offset + mine.size;
    CompareTargets({codes_[0]->TargetAt(mine.target), codes_[1]->TargetAt(other.target)},
                   mine.access, functions, found);
    if (!found->difference.empty()) return;
  }
  if (std::memcmp(bytes[0] + same_until, bytes[1] + same_until, size - same_until) != 0) {
    found->difference = "has other instructions";
    return;
  }
  CompareLandingPads(functions, found);
}

std::vector<uint8_t> PartComparison::WithLinesOfOld(const Pair& pair,
                                                    const NamedPart& function) const {
  const uint64_t size = pair.size[1];
  const uint8_t* const mine = BytesAt(0, pair.address[0], size);
  const uint8_t* const other = BytesAt(1, pair.address[1], size);
  std::vector<uint8_t> bytes(other, other + size);
  const auto& initializers = codes_[1]->image().initializers();
  const bool is_initializer =
      std::find(initializers.begin(), initializers.end(), function.address) != initializers.end() ||
      absl::StrContains(function.names.front(), "__static_initialization_and_destruction_");
  if (!is_initializer) return bytes;
  for (const uint64_t at : ConstantsIn(other, size)) {
    uint32_t words[2];
    std::memcpy(&words[0], mine + at, 4);
    std::memcpy(&words[1], other + at, 4);
    if (lines_.count({words[0], words[1]}) == 0) continue;
    std::memcpy(&bytes[at], mine + at, 4);
  }
  return bytes;
}

void PartComparison::CompareLandingPads(const NamedPart* const (&functions)[2], Found* found) {
  const uint64_t tables[2] = {codes_[0]->image().LandingPadsOf(functions[0]->address),
                              codes_[1]->image().LandingPadsOf(functions[1]->address)};
  if (tables[0] == 0 && tables[1] == 0) return;
  if (tables[0] == 0 || tables[1] == 0) {
    found->difference = "handles other exceptions";
    return;
  }
  LandingPads parsed[2];
  const uint8_t* bytes[2];
  for (int side = 0; side < 2; ++side) {
    const uint64_t size = codes_[side]->image().EndOfLandingPads(tables[side]) - tables[side];
    bytes[side] = BytesAt(side, tables[side], size);
    if (bytes[side] == nullptr || !ParseLandingPads(bytes[side], size, &parsed[side])) {
      found->difference = "handles exceptions in a way that is not understood";
      return;
    }
  }
  const size_t length = parsed[0].end - parsed[0].begin;
  if (length != parsed[1].end - parsed[1].begin ||
      parsed[0].types.size() != parsed[1].types.size() ||
      std::memcmp(bytes[0] + parsed[0].begin, bytes[1] + parsed[1].begin, length) != 0) {
    found->difference = "handles other exceptions";
    return;
  }
  for (size_t i = 0; i < parsed[0].types.size(); ++i) {
    int32_t words[2];
    Target targets[2];
    for (int side = 0; side < 2; ++side) {
      const size_t at = parsed[side].types[i];
      std::memcpy(&words[side], bytes[side] + at, 4);
      targets[side] =
          codes_[side]->TargetAt(tables[side] + at + static_cast<uint64_t>(int64_t{words[side]}));
    }
    // 0: all exceptions.
    if ((words[0] == 0) != (words[1] == 0)) found->difference = "handles other exceptions";
    if (words[0] != 0) CompareTargets(targets, 8, functions, found);
    if (!found->difference.empty()) return;
  }
}

}  // namespace duetbench::duet
