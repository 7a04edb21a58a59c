#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_READER_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/duet_stat/input/byte_source.h"

namespace duetbench::duet_stat {

// Records of comma-separated values as RFC 4180 defines them, one at a time: cells may be quoted
// and then contain commas, line ends and doubled quotes; lines end with LF or CRLF, the last one
// also with the end of the input. A byte order mark at the start is skipped. Blank lines are no
// records; they are counted.
//
// Reads in blocks of 256 KiB and keeps one block, whatever the size of the input. About 0.1 us for
// a record of ten cells.
class CsvReader {
 public:
  // A record longer than this is an error: the input is no CSV (or a quote was never closed).
  static constexpr std::size_t kMaxRecordBytes = 128 << 10;

  // `name` is what errors call the input: its path.
  CsvReader(ByteSource source, std::string name);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // Goes to the next record; false at the end. InvalidArgument with name and line for a record that
  // is too long or quoted wrongly; what the source reports if it fails.
  absl::StatusOr<bool> Next();

  // The cells of the record, unquoted; at least one. Valid until Next.
  const std::vector<absl::string_view>& cells() const { return cells_; }

  const std::string& name() const { return name_; }
  std::uint64_t line() const { return line_; }  // on which the record begins, from 1
  std::uint64_t blank_lines() const { return blank_lines_; }
  // At the end: the input did not end with a line end, as happens when it was cut off.
  bool ends_inside_line() const { return ends_inside_line_; }

  // InvalidArgument "NAME:LINE: what" for the current record.
  absl::Status Error(absl::string_view what) const;

 private:
  // The bytes up to the next line end that is not inside quotes, without it; false at the end.
  absl::StatusOr<bool> NextRecord(absl::string_view* record);
  // Gets more bytes behind those of the buffer that are still to be used; false at the end.
  absl::StatusOr<bool> Refill();
  void Split(absl::string_view record);
  absl::Status SplitQuoted(absl::string_view record);

  const ByteSource source_;
  const std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is not yet used in buffer_
  std::size_t end_ = 0;
  bool at_end_ = false;  // of the source
  bool ends_inside_line_ = false;
  std::uint64_t line_ = 0;       // of the current record
  std::uint64_t next_line_ = 1;  // of what is not yet used
  std::uint64_t blank_lines_ = 0;
  std::vector<absl::string_view> cells_;
  std::string unquoted_;  // holds the quoted cells of the record without their quotes
};

// At the end of the input: what was odd about its lines, with name and count; none as a rule.
std::vector<std::string> EndNotices(const CsvReader& reader);

// `text` so that it can be shown in a message: at most 40 bytes, unprintable ones escaped.
std::string Shown(absl::string_view text);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_READER_H_
