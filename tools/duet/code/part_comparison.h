#ifndef TOOLS_DUET_CODE_PART_COMPARISON_H_
#define TOOLS_DUET_CODE_PART_COMPARISON_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/duet/code/program_code.h"

namespace duetbench::duet {

// Compares parts of two programs, each pair once, apart from what their references lead to.
class PartComparison {
 public:
  // The line in which a benchmark is registered, in the source of old and of new.
  using Lines = std::set<std::pair<uint32_t, uint32_t>>;

  enum class Kind { kFunction, kObject, kUnnamed, kBytes };
  // Two parts that are compared.
  struct Pair {
    Kind kind = Kind::kFunction;
    uint64_t address[2] = {0, 0};
    uint64_t size[2] = {0, 0};
    const NamedPart* by[2] = {nullptr, nullptr};  // the functions that refer to unnamed data

    bool operator<(const Pair& other) const {
      return std::tie(kind, address[0], address[1], size[0], size[1], by[0], by[1]) <
             std::tie(other.kind, other.address[0], other.address[1], other.size[0], other.size[1],
                      other.by[0], other.by[1]);
    }
  };
  // The result of comparing a pair, apart from the pairs that it refers to.
  struct Found {
    std::string difference;  // empty: none
    std::vector<const Pair*> referred;
    bool takes_state = false;
    bool is_done = false;
  };

  // Both programs outlive it.
  PartComparison(const ProgramCode& old_code, const ProgramCode& new_code, Lines lines);

  // The object that stands for equal pairs.
  const Pair* Canonical(const Pair& pair) { return &pairs_.emplace(pair, Found()).first->first; }
  const Found& Compare(const Pair& pair);
  // Compares the targets of two references; `access` as in CodeReference.
  void CompareTargets(const Target (&targets)[2], uint32_t access, const NamedPart* const (&by)[2],
                      Found* found);
  static Pair PairOf(const NamedPart& old_part, const NamedPart& new_part);
  std::string NameOf(const Pair& pair) const;

 private:
  void CompareFunctions(const Pair& pair, Found* found);
  void CompareData(const Pair& pair, Found* found);
  // `size` bytes, with relocations.
  void CompareBytes(const Pair& pair, uint64_t size, Found* found);
  void CompareLandingPads(const NamedPart* const (&functions)[2], Found* found);
  void CompareNeighbors(const Target (&targets)[2], Found* found);
  void Refer(const Pair& pair, Found* found);
  // The code of a function of new, with the lines of old in an initializer.
  std::vector<uint8_t> WithLinesOfOld(const Pair& pair, const NamedPart& function) const;
  const uint8_t* BytesAt(int side, uint64_t address, uint64_t size) const;

  const ProgramCode* const codes_[2];
  const Lines lines_;
  const bool same_thread_storage_;
  std::map<Pair, Found> pairs_;
};

// A section whose data code may change, after the loader has relocated it.
bool IsMutable(const Section& section);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_PART_COMPARISON_H_
