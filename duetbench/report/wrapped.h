#ifndef DUETBENCH_REPORT_WRAPPED_H_
#define DUETBENCH_REPORT_WRAPPED_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench {

// How many columns a text of UTF-8 takes: its characters.
size_t Width(absl::string_view text);

// `text`, one line, broken between words into lines of at most `columns`; those after the first
// begin with `indent`. A word that is longer stands on a line of its own, unbroken: it may be a
// path or a flag. Leading spaces stay.
std::string Wrapped(absl::string_view text, size_t columns, absl::string_view indent);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_WRAPPED_H_
