#include "tools/duet/code/part_comparison.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/duet/code/unwinding.h"

namespace duetbench::duet {
namespace {

// Functions that bring code into the process which no reference leads to, or start another program.
bool BringsCode(absl::string_view symbol) {
  const absl::string_view name = symbol.substr(0, symbol.find('+'));
  for (const absl::string_view other :
       {"dlopen", "dlmopen", "dlsym", "dlvsym", "execve", "execv", "execvp", "execvpe", "execl",
        "execlp", "execle", "fexecve", "execveat", "posix_spawn", "posix_spawnp", "system",
        "popen"}) {
    if (name == other) return true;
  }
  return false;
}

std::vector<std::pair<uint64_t, const Relocation*>> RelocationsIn(const Image& image,
                                                                  uint64_t begin, uint64_t end) {
  std::vector<std::pair<uint64_t, const Relocation*>> found;
  const auto& all = image.relocations();
  auto at = all.lower_bound(begin < 8 ? 0 : begin - 7);
  for (; at != all.end() && at->first < end; ++at) {
    if (at->first + at->second.size > begin) found.emplace_back(at->first, &at->second);
  }
  return found;
}

}  // namespace

bool IsMutable(const Section& section) {
  return section.writable && !absl::StartsWith(section.name, ".data.rel.ro") &&
         !absl::StartsWith(section.name, ".got");
}

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text == nullptr ? name : text.get();
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
    if (lines_.count({words[0], words[1]}) != 0) std::memcpy(&bytes[at], mine + at, 4);
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

void PartComparison::CompareData(const Pair& pair, Found* found) {
  uint64_t size = pair.size[0];
  const Section* const sections[2] = {codes_[0]->image().SectionAt(pair.address[0]),
                                      codes_[1]->image().SectionAt(pair.address[1])};
  if (sections[0]->writable != sections[1]->writable ||
      IsMutable(*sections[0]) != IsMutable(*sections[1])) {
    found->difference = "is data of another kind";
    return;
  }
  // A table of a switch ends where its entries do.
  bool is_table = false;
  const uint64_t least = std::min(pair.size[0], pair.size[1]);
  const bool may_be_table =
      pair.kind == Kind::kUnnamed && pair.by[0] != nullptr && pair.by[1] != nullptr;
  for (uint64_t at = 0; may_be_table && at + 4 <= least; at += 4) {
    const NamedPart* parts[2];
    uint64_t offsets[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
      parts[side] = codes_[side]->EntryOfTable(pair.address[side], pair.address[side] + at,
                                               *pair.by[side], &offsets[side]);
    }
    if (parts[0] == nullptr && parts[1] == nullptr) break;
    if (parts[0] == nullptr || parts[1] == nullptr || offsets[0] != offsets[1]) {
      found->difference = "has another table of a switch";
      return;
    }
    Refer(PairOf(*parts[0], *parts[1]), found);
    is_table = true;
  }
  if (is_table) return;
  const bool is_text =
      codes_[0]->StartsText(pair.address[0]) && codes_[1]->StartsText(pair.address[1]);
  if (pair.kind == Kind::kUnnamed && !is_text) {
    CompareNeighbors({codes_[0]->TargetAt(pair.address[0]), codes_[1]->TargetAt(pair.address[1])},
                     found);
    if (!found->difference.empty()) return;
  }
  if (pair.size[0] != pair.size[1]) {
    if (pair.kind != Kind::kUnnamed) {
      found->difference = "has another size";
      return;
    }
    // Either size has the whole piece in it, and maybe others after it. Where all of the smaller
    // one is the same, the same code reads no more of the larger one.
    size = least;
  }
  CompareBytes(pair, size, found);
}

void PartComparison::CompareBytes(const Pair& pair, uint64_t size, Found* found) {
  std::vector<std::pair<uint64_t, const Relocation*>> relocations[2];
  for (int side = 0; side < 2; ++side) {
    relocations[side] =
        RelocationsIn(codes_[side]->image(), pair.address[side], pair.address[side] + size);
  }
  const bool has_bytes[2] = {codes_[0]->image().SectionAt(pair.address[0])->bytes != nullptr,
                             codes_[1]->image().SectionAt(pair.address[1])->bytes != nullptr};
  if (relocations[0].size() != relocations[1].size() || has_bytes[0] != has_bytes[1]) {
    found->difference = "has another content";
    return;
  }
  std::set<uint64_t> relocated;
  for (size_t i = 0; i < relocations[0].size(); ++i) {
    const auto& [old_at, mine] = relocations[0][i];
    const auto& [new_at, other] = relocations[1][i];
    const uint64_t offset = old_at - pair.address[0];
    if (offset != new_at - pair.address[1] || mine->size != other->size ||
        old_at < pair.address[0] || offset + mine->size > size) {
      found->difference = "has other pointers";
      return;
    }
    if (absl::StartsWith(mine->symbol, kThreadLocal) && !same_thread_storage_) {
      found->difference = "is a thread-local variable, whose storage differs";
      return;
    }
    for (uint64_t byte = 0; byte < mine->size; ++byte) relocated.insert(offset + byte);
    CompareTargets({codes_[0]->TargetOf(*mine), codes_[1]->TargetOf(*other)}, 0, pair.by, found);
    if (!found->difference.empty()) return;
  }
  if (!has_bytes[0]) return;  // zeros
  const uint8_t* const bytes[2] = {BytesAt(0, pair.address[0], size),
                                   BytesAt(1, pair.address[1], size)};
  if (bytes[0] == nullptr || bytes[1] == nullptr) {
    found->difference = "reaches beyond its section";
    return;
  }
  for (uint64_t at = 0; at < size; ++at) {
    if (bytes[0][at] == bytes[1][at] || relocated.count(at) != 0) continue;
    found->difference = "has another content";
    return;
  }
}

void PartComparison::CompareTargets(const Target (&targets)[2], uint32_t access,
                                    const NamedPart* const (&by)[2], Found* found) {
  const Target::Kind kind = targets[0].kind;
  if (kind != targets[1].kind) {
    found->difference = "refers to something else";
    return;
  }
  switch (kind) {
    case Target::Kind::kUnknown:
      found->difference = "refers to something that is not understood";
      return;
    case Target::Kind::kSymbol:
      if (targets[0].symbol != targets[1].symbol) {
        found->difference =
            absl::StrCat("calls ", targets[1].symbol, " in place of ", targets[0].symbol);
      } else if (BringsCode(targets[0].symbol) && (by[0] == nullptr || !IsOfDuetbench(*by[0]))) {
        found->difference = absl::StrCat("calls ", targets[0].symbol);
      }
      return;
    case Target::Kind::kFunction:
    case Target::Kind::kObject: {
      const uint64_t offset = targets[0].address - targets[0].part->address;
      if (offset != targets[1].address - targets[1].part->address ||
          access > targets[0].part->size - offset) {
        found->difference = "refers to another part of something";
        return;
      }
      Refer(PairOf(*targets[0].part, *targets[1].part), found);
      if (kind == Target::Kind::kObject && access == 0) CompareNeighbors(targets, found);
      return;
    }
    case Target::Kind::kUnnamed: {
      const bool is_exact = access > 0 && !IsMutable(*targets[0].section);
      Pair pair;
      pair.kind = is_exact ? Kind::kBytes : Kind::kUnnamed;
      for (int side = 0; side < 2; ++side) {
        const uint64_t address = targets[side].address;
        pair.address[side] = address;
        pair.size[side] =
            is_exact ? access : codes_[side]->EndOfUnnamed(address, by[side]) - address;
        pair.by[side] = by[side];
      }
      Refer(pair, found);
      return;
    }
  }
}

void PartComparison::CompareNeighbors(const Target (&targets)[2], Found* found) {
  // Without indices: tables of classes, guards, what crt1.o, crtbegin.o and <iostream> have.
  const auto is_of_abi = [](const NamedPart& part) {
    const std::string& name = part.names.front();
    return absl::StartsWith(name, "_ZT") || absl::StartsWith(name, "_ZGV") ||
           absl::StartsWith(name, "DW.ref.") || name == "__dso_handle" ||
           name == "_ZStL8__ioinit" || name == "_IO_stdin_used";
  };
  if (targets[0].part != nullptr && is_of_abi(*targets[0].part)) return;
  const Target& target = targets[0];
  const bool is_text = target.part == nullptr && codes_[0]->HasText(target.address);
  const auto& objects = codes_[0]->image().objects();
  const auto after =
      std::upper_bound(objects.begin(), objects.end(), target.address,
                       [](uint64_t value, const NamedPart& part) { return value < part.address; });
  // The offset is in the code, and the same in both programs.
  const auto refer = [&](const NamedPart& part) {
    const NamedPart* const other =
        codes_[1]->image().PartAt(part.address - target.address + targets[1].address);
    if (&part == target.part || is_of_abi(part) || other == nullptr || other->is_code ||
        other->address - targets[1].address != part.address - target.address) {
      return;
    }
    // Copies of objects of shared libraries lie anywhere.
    if (codes_[0]->TargetAt(part.address).kind == Target::Kind::kSymbol ||
        codes_[1]->TargetAt(other->address).kind == Target::Kind::kSymbol) {
      return;
    }
    // Texts lie beside objects of any other function.
    if (is_text && part.names != other->names) return;
    Refer(PairOf(part, *other), found);
  };
  for (auto at = after; at != objects.end() && at->address <= target.address + kMaxFolded; ++at) {
    refer(*at);
  }
  for (auto at = after;
       at != objects.begin() && std::prev(at)->end() + kMaxFolded >= target.address; --at) {
    refer(*std::prev(at));
  }
}

}  // namespace duetbench::duet
