// The part of PartComparison that compares data.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/duet/code/part_comparison.h"

namespace duetbench::duet {
namespace {

// Functions that bring code into the process which no reference leads to, or start another program.
bool BringsCode(absl::string_view symbol) {
  const absl::string_view name = symbol.substr(0, symbol.find_first_of("@+"));
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
  // Further away only what has the same name: other objects come and go between them.
  constexpr uint64_t kMaxFoldedFar = 4096;
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
    const bool is_near =
        part.address <= target.address + kMaxFolded && part.end() + kMaxFolded >= target.address;
    if ((is_text || !is_near) && part.names != other->names) return;
    Refer(PairOf(part, *other), found);
  };
  for (auto at = after; at != objects.end() && at->address <= target.address + kMaxFoldedFar;
       ++at) {
    refer(*at);
  }
  for (auto at = after;
       at != objects.begin() && std::prev(at)->end() + kMaxFoldedFar >= target.address; --at) {
    refer(*std::prev(at));
  }
}

}  // namespace duetbench::duet
