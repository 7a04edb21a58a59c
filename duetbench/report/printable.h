#ifndef DUETBENCH_REPORT_PRINTABLE_H_
#define DUETBENCH_REPORT_PRINTABLE_H_

#include <cstddef>
#include <streambuf>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench {

// A text of the user's program (the message of an exception, a label) for a report: control
// characters, and those that end a line or set the direction of text, become spaces, and bytes that
// are not UTF-8 become U+FFFD. Google Benchmark's reporters copy both unchanged: a line break
// breaks the table, the others make invalid JSON.
std::string Printable(const std::string& text);

// The beginning of a text that is too long for a report, and how long it is: "abc… (100000 bytes)".
// Up to 1000 bytes: `text`.
std::string Shortened(const std::string& text);

// Columns that a text of UTF-8 takes: its characters.
size_t Width(absl::string_view text);

// Columns of a console line at most, however wide the terminal is: longer lines are hard to read,
// and are broken where logs are shown.
inline constexpr size_t kMaxColumns = 120;

// `text`, one line, broken between words into lines of at most `columns`; those after the first
// begin with `indent`. A word that is longer stands alone on a line, unbroken: it may be a
// path or a flag. Leading spaces stay.
std::string Wrapped(absl::string_view text, size_t columns, absl::string_view indent);

// A destination of text that goes on to `out`, in which no line is a command for GitHub Actions:
// "::error::…" at its begin (after spaces), "##[error]…" anywhere. Names and messages of the user
// may look like one. A backslash makes it another text: "\::error::…", "##\[error]…".
class WithoutWorkflowCommands final : public std::streambuf {
 public:
  // `out` lives longer than this.
  explicit WithoutWorkflowCommands(std::streambuf* out) : out_(out) {}

 protected:
  int overflow(int character) override;
  int sync() override;

 private:
  bool Put(char character);
  // The line so far has only spaces; then its last characters that may begin a command.
  bool is_at_begin_ = true;
  int colons_ = 0;
  int hashes_ = 0;
  std::streambuf* const out_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PRINTABLE_H_
