#ifndef DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_

#include <vector>

#include "tools/duet_lab/pairs/code_pair.h"

namespace duetbench::lab {

// A tuning pair may be looked at while a policy is changed. A hold-out pair must not: it shows what
// the change does to code that it was not made for.
enum class PairSet { kTuning, kHoldOut };

struct CodePair {
  const char* name;  // of the duet; the name of no pair is part of another one's
  PairSet set;
  PairSides (*sides)();
};

// The pairs of a topic; each is in the file of this name.
void AddContainerPairs(std::vector<CodePair>* pairs);
void AddSortPairs(std::vector<CodePair>* pairs);
void AddTextPairs(std::vector<CodePair>* pairs);
void AddMemoryPairs(std::vector<CodePair>* pairs);
void AddCallPairs(std::vector<CodePair>* pairs);
void AddArithmeticPairs(std::vector<CodePair>* pairs);

// All pairs: 20 for tuning and 10 held out, of every kind of comparison.
const std::vector<CodePair>& CodePairs();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAIRS_CODE_PAIRS_H_
