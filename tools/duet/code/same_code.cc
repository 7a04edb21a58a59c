#include "tools/duet/code/same_code.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace duetbench::duet {
namespace {

// In bytes: a line of a cache; and two, which processors fetch together.
constexpr uint64_t kLine = 64;
constexpr uint64_t kFetched = 2 * kLine;

// Compilers align arrays by up to 32 bytes by themselves, so that any of them changes the alignment
// of its section.
constexpr uint64_t kMaxByItself = 32;

// The alignment that sources or options demand of something in the section.
uint64_t DemandedAlignment(const Image& image, const std::string& section) {
  for (const Section& each : image.sections()) {
    if (each.name == section) return std::max(each.alignment, kMaxByItself);
  }
  return kMaxByItself;
}

}  // namespace

SameCode::SameCode(const ProgramCode& old_code, const ProgramCode& new_code, Lines lines)
    : codes_{&old_code, &new_code}, parts_(old_code, new_code, std::move(lines)) {}

absl::Status SameCode::Follow(const Pair& root, bool stops_at_state, Reached* reached) {
  std::vector<const Pair*> open = {parts_.Canonical(root)};
  while (!open.empty()) {
    const Pair* const pair = open.back();
    open.pop_back();
    if (reached->pairs.count(pair) != 0) continue;
    const PartComparison::Found& found = parts_.Compare(*pair);
    if (stops_at_state && found.takes_state) continue;
    reached->pairs.insert(pair);
    if (!found.difference.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat(parts_.NameOf(*pair), " ", found.difference));
    }
    if (pair->kind == PartComparison::Kind::kFunction) {
      for (int side = 0; side < 2; ++side) reached->functions[side].insert(pair->address[side]);
    } else if (IsMutable(*codes_[0]->image().SectionAt(pair->address[0]))) {
      for (int side = 0; side < 2; ++side) {
        const auto [at, is_new] =
            reached->objects[side].emplace(pair->address[side], pair->address[1 - side]);
        if (at->second != pair->address[1 - side]) {
          return absl::FailedPreconditionError(
              absl::StrCat(parts_.NameOf(*pair), " corresponds to two objects"));
        }
      }
    }
    open.insert(open.end(), found.referred.begin(), found.referred.end());
  }
  return absl::OkStatus();
}

absl::Status SameCode::CompareFiles() const {
  const Image* const images[2] = {&codes_[0]->image(), &codes_[1]->image()};
  if (images[0]->needed() != images[1]->needed()) {
    return absl::FailedPreconditionError(
        "the programs need other shared libraries, or in another order");
  }
  for (const Section& section : images[0]->sections()) {
    if (DemandedAlignment(*images[0], section.name) !=
        DemandedAlignment(*images[1], section.name)) {
      return absl::FailedPreconditionError(
          absl::StrCat("something in ", section.name, " has another alignment"));
    }
  }
  return absl::OkStatus();
}

absl::Status SameCode::CompareDistances(const Reached& reached) const {
  for (int side = 0; side < 2; ++side) {
    const std::pair<const uint64_t, uint64_t>* last = nullptr;
    for (const auto& object : reached.objects[side]) {
      const bool begins_line_in_one = (object.first % kLine == 0) != (object.second % kLine == 0);
      if (last != nullptr && begins_line_in_one && object.first - last->first <= kFetched &&
          object.first - last->first != object.second - last->second) {
        const NamedPart* const part = codes_[side]->image().PartAt(object.first);
        return absl::FailedPreconditionError(
            absl::StrCat(part == nullptr ? "data without a name" : Demangled(part->names.front()),
                         " begins a line of the cache in one program only"));
      }
      last = &object;
    }
  }
  return absl::OkStatus();
}

absl::Status SameCode::CompareStart(const std::set<std::string>& exported) {
  if (const absl::Status same = CompareFiles(); !same.ok()) return same;
  std::vector<std::pair<uint64_t, uint64_t>> roots;
  const NamedPart* const mains[2] = {codes_[0]->image().FunctionNamed("main"),
                                     codes_[1]->image().FunctionNamed("main")};
  if (mains[0] == nullptr || mains[1] == nullptr) {
    return absl::FailedPreconditionError("there is no main");
  }
  roots.emplace_back(mains[0]->address, mains[1]->address);
  const auto& initializers = codes_[0]->image().initializers();
  const auto& others = codes_[1]->image().initializers();
  if (initializers.size() != others.size()) {
    return absl::FailedPreconditionError("there is another number of static initializers");
  }
  for (size_t i = 0; i < others.size(); ++i) roots.emplace_back(initializers[i], others[i]);
  for (const std::string& name : exported) {
    uint64_t addresses[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
      const auto& exports = codes_[side]->image().exports();
      const auto found = exports.find(name);
      // A copy of an object of a library is what it would be without the copy.
      if (found != exports.end() &&
          codes_[side]->TargetAt(found->second).kind != Target::Kind::kSymbol) {
        addresses[side] = found->second;
      }
    }
    if ((addresses[0] == 0) != (addresses[1] == 0)) {
      return absl::FailedPreconditionError(
          absl::StrCat(Demangled(name), " is defined by one program only"));
    }
    if (addresses[0] != 0) roots.emplace_back(addresses[0], addresses[1]);
  }
  for (const auto& [mine, other] : roots) {
    PartComparison::Found found;
    parts_.CompareTargets({codes_[0]->TargetAt(mine), codes_[1]->TargetAt(other)}, 0,
                          {nullptr, nullptr}, &found);
    if (!found.difference.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat("main, an initializer or an exported symbol ", found.difference));
    }
    for (const Pair* const pair : found.referred) {
      const absl::Status same = Follow(*pair, /*stops_at_state=*/true, &start_);
      if (!same.ok()) return same;
    }
  }
  return absl::OkStatus();
}

absl::Status SameCode::CompareExecuted(const std::vector<uint64_t>& old_functions,
                                       const std::vector<uint64_t>& new_functions) {
  // Functions with a State, by name, in the order in which they were first executed: of several
  // with one name, any correspondence will do that proves them to be the same.
  std::map<std::string, std::vector<const NamedPart*>> roots[2];
  const std::vector<uint64_t>* const executed[2] = {&old_functions, &new_functions};
  for (int side = 0; side < 2; ++side) {
    for (const uint64_t address : *executed[side]) {
      const NamedPart* const part = codes_[side]->image().PartAt(address);
      if (part == nullptr)
        return absl::FailedPreconditionError("code without a symbol is executed");
      if (TakesState(*part)) {
        roots[side][*std::min_element(part->names.begin(), part->names.end())].push_back(part);
      }
    }
  }
  Reached reached;
  for (const auto& [name, mine] : roots[0]) {
    const auto other = roots[1].find(name);
    if (other == roots[1].end() || other->second.size() != mine.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat(Demangled(name), " is executed by one program only"));
    }
    for (size_t i = 0; i < mine.size(); ++i) {
      const absl::Status same = Follow(PartComparison::PairOf(*mine[i], *other->second[i]),
                                       /*stops_at_state=*/false, &reached);
      if (!same.ok()) return same;
    }
  }
  if (roots[0].empty() || roots[0].size() != roots[1].size()) {
    return absl::FailedPreconditionError("each program executes other benchmarks");
  }
  if (const absl::Status same = CompareDistances(reached); !same.ok()) return same;
  for (int side = 0; side < 2; ++side) {
    for (const auto& [mine, other] : reached.objects[side]) {
      const auto at = start_.objects[side].find(mine);
      if (at != start_.objects[side].end() && at->second != other) {
        return absl::FailedPreconditionError("an object corresponds to two others");
      }
    }
    for (const uint64_t address : *executed[side]) {
      const NamedPart& part = *codes_[side]->image().PartAt(address);
      if (start_.functions[side].count(part.address) == 0 &&
          reached.functions[side].count(part.address) == 0 && !IsOfStartUp(part)) {
        return absl::FailedPreconditionError(absl::StrCat(Demangled(part.names.front()),
                                                          " is executed, by way of a pointer that "
                                                          "no reference leads to"));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> SameCode::CompareFunctions(const uint64_t (&addresses)[2]) {
  const NamedPart* functions[2];
  for (int side = 0; side < 2; ++side) {
    functions[side] = codes_[side]->image().PartAt(addresses[side]);
    if (functions[side] == nullptr || !functions[side]->is_code ||
        !codes_[side]->decoded(*functions[side]).is_understood) {
      return absl::FailedPreconditionError("the code of a function is not understood");
    }
  }
  return parts_.Compare(PartComparison::PairOf(*functions[0], *functions[1])).difference.empty();
}

}  // namespace duetbench::duet
