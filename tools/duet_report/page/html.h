#ifndef DUETBENCH_TOOLS_DUET_REPORT_PAGE_HTML_H_
#define DUETBENCH_TOOLS_DUET_REPORT_PAGE_HTML_H_

#include <string>

#include "absl/strings/string_view.h"

namespace duetbench::page {

// `text` as the content of an element or of a quoted attribute: markup characters become entities.
// Other characters stay as they are; the text is to be UTF-8 without control characters.
std::string Escaped(absl::string_view text);

// The same of a name, which may be broken after '_', '/' and ','.
std::string Breakable(absl::string_view name);

// A coordinate in as few characters as a tenth of a pixel needs: "12", "3.5".
std::string Pixels(double value);

// The style sheet of the page: light and dark by the reader's setting, one column on narrow
// screens, black on white when printed. Old is blue and new is orange, which the color-blind tell
// apart; no color says anything that a word or a mark does not say too.
extern const char kStyle[];

}  // namespace duetbench::page

#endif  // DUETBENCH_TOOLS_DUET_REPORT_PAGE_HTML_H_
