#ifndef DUETBENCH_REPORT_COMPARISON_BOOK_H_
#define DUETBENCH_REPORT_COMPARISON_BOOK_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// The comparisons that a program has made, for its reporters: a row of Google Benchmark says no
// more than a number. Pointers stay valid as long as the book.
class ComparisonBook {
 public:
  // How the members of a family are to be fitted; complexity oNone: not at all.
  struct Family {
    benchmark::BigO complexity = benchmark::oNone;
    benchmark::BigOFunc* lambda = nullptr;       // of oLambda
    std::vector<const Comparison*> comparisons;  // without those that failed
  };

  // Keeps a comparison of the benchmark `family` with the arguments `ranges`, and returns its
  // number, from 1. With `first` a new group of repetitions begins. The pairs are not kept: those
  // of a long suite would fill the memory.
  int64_t Add(Comparison comparison, const std::string& family, const std::vector<int64_t>& ranges,
              bool first);

  // Null if there is none.
  const Comparison* Find(int64_t number) const;
  int64_t size() const { return static_cast<int64_t>(comparisons_.size()); }

  // The group that a comparison belongs to.
  int64_t GroupOf(int64_t number) const;
  // The repetitions of a group, in order, without those that failed. Empty if there is none.
  std::vector<const Comparison*> Repetitions(int64_t group) const;

  void SetComplexity(const std::string& family, benchmark::BigO complexity,
                     benchmark::BigOFunc* lambda);
  // Null for a family that no comparison was kept of.
  const Family* FindFamily(const std::string& family) const;

 private:
  std::deque<Comparison> comparisons_;
  std::vector<int64_t> groups_;  // of each comparison
  std::map<std::pair<std::string, std::vector<int64_t>>, int64_t> latest_groups_;
  std::map<int64_t, std::vector<const Comparison*>> repetitions_;
  std::map<std::string, Family> families_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_COMPARISON_BOOK_H_
