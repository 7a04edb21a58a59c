#ifndef DUETBENCH_TESTS_TOOLS_DUET_LAB_TWINS_H_
#define DUETBENCH_TESTS_TOOLS_DUET_LAB_TWINS_H_

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "duetbench/variant/state.h"

namespace duetbench {

// One copy of a function of the pairs of duet_lab.
struct Twin {
  std::string name;  // "std_map_vs_btree_map/old"; those held out begin with "hold_out/"
  void (*duet)(State&);
  void (*plain)(benchmark::State&);
};

// All functions, in the same order in both copies. twins.cc and the sources of the pairs are
// compiled twice, the second time with `lab` defined as `lab_again`.
namespace lab {
std::vector<Twin> Twins();
}  // namespace lab
namespace lab_again {
std::vector<Twin> Twins();
}  // namespace lab_again

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_TOOLS_DUET_LAB_TWINS_H_
