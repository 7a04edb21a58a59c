#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_FILE_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_FILE_H_

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::duet_stat {

// A file whose first line has been read, so that its kind can be told.
struct Input {
  std::string name;  // as messages call it
  std::istream* stream = nullptr;
  std::string first_line;
};

// Records of comma-separated values (RFC 4180), one at a time. The first line names the columns, in
// any order. A quoted cell may contain commas, line ends and doubled quotes. Blank lines are no
// records. Errors are InvalidArgument "NAME:LINE: what".
class CsvFile {
 public:
  static constexpr int kAbsent = -1;

  // The error of a header that is empty or names a column twice. `input` must outlive the file.
  static absl::StatusOr<CsvFile> Open(const Input& input);

  // The number of the column of this name, from 0, or kAbsent.
  int Find(absl::string_view name) const;
  // OK if all these columns exist; else an error that ends with `wanted`.
  absl::Status Require(const std::vector<std::string>& names, absl::string_view wanted) const;

  // Goes to the next record; false at the end. The error of a record with more or fewer cells than
  // the header, an open quote, or a failed read.
  absl::StatusOr<bool> Next();

  std::int64_t line() const { return line_; }  // on which the record begins, from 1
  // The cell of the record; `otherwise` without the column.
  absl::string_view Text(int column, absl::string_view otherwise) const;
  // Reads the cell as a number from `least` to `most`; *value stays as it is without the column.
  absl::Status Read(int column, double least, double most, double* value) const;
  absl::Status Read(int column, std::int64_t least, std::int64_t most, std::int64_t* value) const;

  absl::Status Error(absl::string_view what) const;
  // True if the input ended within its last line, as one does that was cut off.
  bool ends_inside_line() const { return ends_inside_line_; }

 private:
  absl::Status CellError(int column, absl::string_view wanted) const;
  void Split();

  std::string name_;
  std::istream* stream_ = nullptr;
  std::string text_;  // of the record
  std::vector<std::string> names_;
  std::vector<absl::string_view> cells_;  // views of text_
  std::int64_t line_ = 1;
  std::int64_t next_line_ = 2;
  bool ends_inside_line_ = false;
};

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_FILE_H_
