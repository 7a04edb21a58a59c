#ifndef DUETBENCH_PAGE_FAMILIES_H_
#define DUETBENCH_PAGE_FAMILIES_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "duetbench/page/benchmark.h"

namespace duetbench::page {

// The ratios of benchmarks whose names differ in arguments only.
struct FamilySummary {
  std::string name;       // without arguments: "BM_Map" of "BM_Map/n:8/64"
  std::size_t count = 0;  // of benchmarks with a ratio
  double mean = 0;        // geometric, of their ratios
  double least = 0;       // of the ratios
  double largest = 0;
  std::array<std::size_t, 4> verdicts{};  // by stats::Verdict
};

// In the order in which families first appear. Benchmarks without a ratio do not count. Whole
// numbers between slashes and NAME:NUMBER are arguments.
std::vector<FamilySummary> SummariesOf(const std::vector<ShownBenchmark>& benchmarks);

// A table of the families of several benchmarks, and all benchmarks together in the last row.
// Empty with fewer than two ratios.
std::string FamilyTable(const std::vector<ShownBenchmark>& benchmarks);

}  // namespace duetbench::page

#endif  // DUETBENCH_PAGE_FAMILIES_H_
