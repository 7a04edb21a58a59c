#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_HEADER_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_HEADER_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/duet_stat/input/csv_reader.h"

namespace duetbench::duet_stat {

// The columns of a CSV file by their names in its first record. Spaces around a name do not matter;
// case does.
class CsvHeader {
 public:
  static constexpr int kAbsent = -1;

  // Reads the first record. InvalidArgument with the name of the file if there is none.
  static absl::StatusOr<CsvHeader> Read(CsvReader& reader);

  // Number of the column with one of these names, from 0, or kAbsent.
  int Find(absl::string_view name) const;

  // True if all of them are there.
  bool Has(std::initializer_list<absl::string_view> names) const;

  // InvalidArgument if one of these names, which the caller goes by, is there twice.
  absl::Status CheckUnique(const CsvReader& reader,
                           std::initializer_list<absl::string_view> names) const;

  // InvalidArgument that names those of `names` that are not there, and what is there instead.
  // `wanted` describes what the file should be.
  absl::Status Missing(const CsvReader& reader, std::initializer_list<absl::string_view> names,
                       absl::string_view wanted) const;

  // OK if the current record of `reader` has as many cells as the header. The error tells a record
  // that was cut off from one whose commas are not quoted.
  absl::Status CheckRecord(const CsvReader& reader) const;

  // InvalidArgument that says what is wrong with a cell of the current record, by the name of its
  // column, or that the record is the header once more, as in files that were put together:
  //   CellError(reader, 4, "is empty")  ->  "a.csv:7: old_ns is empty"
  absl::Status CellError(const CsvReader& reader, int column, absl::string_view what) const;

 private:
  // The current record is the header once more.
  bool IsRepeatedBy(const CsvReader& reader) const;

  std::vector<std::string> names_;
};

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_CSV_HEADER_H_
