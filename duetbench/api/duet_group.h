#ifndef DUETBENCH_API_DUET_GROUP_H_
#define DUETBENCH_API_DUET_GROUP_H_

#include <memory>
#include <string>
#include <vector>

#include "duetbench/record/variant_pair.h"

namespace duetbench {

struct DuetSpec;
struct TwoPrograms;

// Three to eight variants that are measured together.
struct DuetGroup {
  std::string prefix;              // of the names of its duets
  std::string suffix;              // likewise
  std::vector<std::string> names;  // of DuetFunctions::group; the first one is the base
  // The programs of the base and each other variant, where they are not functions of this one.
  std::vector<std::shared_ptr<const TwoPrograms>> programs;
};

// The duets of a group: each variant against the base and, with ->Fastest, that variant against
// each other one, which has the gate for it.
std::vector<DuetSpec> DuetsOf(const DuetSpec& group);

}  // namespace duetbench

#endif  // DUETBENCH_API_DUET_GROUP_H_
