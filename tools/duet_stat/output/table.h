#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_TABLE_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

using Cells = std::vector<std::vector<std::string>>;

// A table of UTF-8 text, each line behind `indent`. Columns are aligned as `alignment` says, 'l' to
// the left and 'r' to the right; those behind it to the right.
std::string TableText(const Cells& rows, absl::string_view alignment, absl::string_view indent);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_TABLE_H_
