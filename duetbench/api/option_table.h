#ifndef DUETBENCH_API_OPTION_TABLE_H_
#define DUETBENCH_API_OPTION_TABLE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "duetbench/record/options.h"

// The options of a duet. A new one is a field of ExperimentOptions (or of ExperimentOptions) and a
// row of the table: flags, environment variables, --help and the precedence of what a chain or
// CompareOptions set follow from it. Pure.
namespace duetbench {

// The way to the field of an option.
struct OptionField {
  // Sets the field from the text of a flag. Returns "", or what the text should have been. Null
  // without a flag.
  std::string (*read)(const char* value, absl::string_view text, ExperimentOptions* options);
  // Sets the field of `to` to that of `from`, if that was set. Null where another row does it.
  void (*merge)(const ExperimentOptions& from, ExperimentOptions* to);
  // The field, if it is a number that was set; NaN for a text that is no number.
  std::optional<double> (*number)(const ExperimentOptions& options);
};

struct Option {
  const char* flag;    // "duet_runs", "benchmark_min_time"; null: there is none
  const char* value;   // as --help calls it; choices are separated by "|"
  const char* help;    // null: --help does not list it
  const char* method;  // of the chain and of CompareOptions; null: there is none
  const char* wanted;  // what a number should be that `allows` refuses; null: each is allowed
  bool (*allows)(double number);
  OptionField field;
};

// In the order of --help.
absl::Span<const Option> AllOptions();

// The options of an experiment: the defaults, `flags` over them, and `own` over both.
ExperimentOptions MakeExperimentOptions(const ExperimentOptions& flags,
                                        const ExperimentOptions& own);

// "Level(2) should be a number between 0 and 1, such as 0.99 for 99 %", for the first option that
// has a value that it must not have. Empty if there is none.
std::string BrokenRule(const ExperimentOptions& options);

// Sets `option` from the text of its flag. Returns "", or what the value should be.
std::string ReadOption(const Option& option, absl::string_view text, ExperimentOptions* options);

}  // namespace duetbench

#endif  // DUETBENCH_API_OPTION_TABLE_H_
