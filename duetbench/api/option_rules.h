#ifndef DUETBENCH_API_OPTION_RULES_H_
#define DUETBENCH_API_OPTION_RULES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "duetbench/api/options.h"
#include "duetbench/gates/comparison.h"

// Which values the options of a duet may have, and what they mean for its experiment. Each rule
// stands in one table, for flags (--duet_level), chains (Level) and CompareOptions (Level). Pure.
namespace duetbench {

// The options of an experiment: the defaults, `flags` over them, and `own` over both.
ComparisonOptions MakeComparisonOptions(const DuetOptions& flags, const DuetOptions& own);

// "Level(2) should be a number between 0 and 1, such as 0.99 for 99 %", for the first option that
// has a value that it must not have. Empty if there is none.
std::string BrokenRule(const DuetOptions& options);

// The values that are allowed for the option of the flag --duet_NAME, if its value in `options`
// breaks the rule ("a number between 0 and 1, …"), else null.
const char* WantedValue(absl::string_view flag_name, const DuetOptions& options);

}  // namespace duetbench

#endif  // DUETBENCH_API_OPTION_RULES_H_
