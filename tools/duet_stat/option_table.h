#ifndef DUETBENCH_TOOLS_DUET_STAT_OPTION_TABLE_H_
#define DUETBENCH_TOOLS_DUET_STAT_OPTION_TABLE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tools/duet_stat/options.h"

namespace duetbench::duet_stat {

// An option of the command line.
struct Option {
  const char* name;
  const char* value;  // as --help calls it; empty: the option takes none
  const char* help;   // lines end with \n
  // Sets what the value says. The message of an error says what is wrong with the value.
  absl::Status (*apply)(absl::string_view value, Options* options);
};

// All of them, in the order of --help.
absl::Span<const Option> OptionTable();

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OPTION_TABLE_H_
