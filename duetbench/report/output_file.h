#ifndef DUETBENCH_REPORT_OUTPUT_FILE_H_
#define DUETBENCH_REPORT_OUTPUT_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// A file that a program writes, such as that of --duet_out: at the end it is there whole, or what
// was there before is. Until then its text is in FILE.PID.part beside it, which a process that is
// killed leaves behind. A path that is not a regular file (a device, a pipe) and what stands in a
// folder that cannot be written to is written in place.
class OutputFile {
 public:
  // Finds out whether `path` can be written, and changes nothing there. `flag` begins the messages:
  // "--duet_out". The error is Unavailable and names both.
  static absl::StatusOr<std::unique_ptr<OutputFile>> Open(const std::string& flag,
                                                          const std::string& path);

  // Discards what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends `text`. After an error (a full disk, for instance) the file is lost: every further call
  // has the same one.
  absl::Status Append(absl::string_view text);

  // Gives the file its name, if anything was appended. Call it once, after the last Append.
  absl::Status Commit();

 private:
  OutputFile(const std::string& flag, const std::string& path);

  absl::Status Fail(int error);
  int OpenToWrite();

  const std::string flag_;
  const std::string path_;
  const std::string target_;  // path_ without symbolic links
  std::string temporary_;     // the file until then; empty: it is written in place
  int fd_ = -1;
  absl::Status status_;
};

// Appends `text` to the file `path`, which other programs append to, too. What a full disk left
// incomplete is taken away again.
absl::Status AppendToFile(const std::string& flag, const std::string& path, absl::string_view text);

// OK if AppendToFile would find the file or its folder writable. Changes nothing.
absl::Status CheckAppendable(const std::string& flag, const std::string& path);

// InvalidArgument if two of the files are the same regular file, also by links, of which one would
// overwrite the other, or if one is the program that runs. Empty paths are left out.
struct NamedPath {
  std::string flag;
  std::string path;
};
absl::Status CheckDistinct(const std::vector<NamedPath>& files);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_OUTPUT_FILE_H_
