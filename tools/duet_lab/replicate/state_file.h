#ifndef DUETBENCH_TOOLS_DUET_LAB_REPLICATE_STATE_FILE_H_
#define DUETBENCH_TOOLS_DUET_LAB_REPLICATE_STATE_FILE_H_

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace duetbench::lab {

// The lines that a long measurement has finished, in a file, so that an interrupted measurement
// continues. The first line has the parameters: a file of other parameters, or of anything else, is
// refused and never changed. Each line is written at once; a process that is killed while it writes
// leaves an incomplete last line, which the next Open removes.
//
//   absl::StatusOr<StateFile> file = StateFile::Open("state.jsonl", parameters);
//   for (const std::string& line : file->lines()) …
//   if (const absl::Status status = file->Append(line); !status.ok()) return status;
class StateFile {
 public:
  // `parameters` is one line, and not empty. An empty path gives a state in memory only. A file
  // that does not exist or is empty is begun. InvalidArgument: the file has other parameters, or is
  // no regular file. Unavailable: it cannot be written.
  static absl::StatusOr<StateFile> Open(const std::string& path, const std::string& parameters);

  // Complete lines after the first, without their line ends: those found, then those appended.
  const std::vector<std::string>& lines() const { return lines_; }

  // Adds a line, which has no line end.
  absl::Status Append(const std::string& line);

 private:
  explicit StateFile(std::string path) : path_(std::move(path)) {}
  absl::Status Write(const std::string& line) const;

  std::string path_;
  std::vector<std::string> lines_;
};

// A record as a line of a state file. JSON has no infinity: it is null there.
template <class Record>
std::string EncodeRecord(const Record& record) {
  return nlohmann::json(record).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The records of the lines of a state file, each key once. InvalidArgument names the first line
// that is no record, which no interruption leaves there.
template <class Record>
absl::StatusOr<std::vector<Record>> DecodeRecords(const std::vector<std::string>& lines) {
  const auto unbounded = [](int, nlohmann::json::parse_event_t, nlohmann::json& parsed) {
    if (parsed.is_null()) parsed = std::numeric_limits<double>::infinity();
    return true;
  };
  std::vector<Record> records;
  std::set<std::string> keys;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      Record record = nlohmann::json::parse(lines[i], unbounded).template get<Record>();
      if (keys.insert(record.key).second) records.push_back(std::move(record));
    } catch (const nlohmann::json::exception& error) {
      // The first line of the file has the parameters.
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", i + 2,
          " is no record of this measurement; remove it, or use another file: ", error.what()));
    }
  }
  return records;
}

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_REPLICATE_STATE_FILE_H_
