#ifndef DUETBENCH_RECORD_VARIANT_NAMES_H_
#define DUETBENCH_RECORD_VARIANT_NAMES_H_

#include <string>

// Users' headers include this one: it includes nothing of Abseil.
namespace duetbench {

// The names of the two functions in sentences.
struct VariantNames {
  std::string old_name = "old";
  std::string new_name = "new";
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_VARIANT_NAMES_H_
