#include "tools/duet_lab/replicate/state_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

namespace fs = std::filesystem;

absl::StatusOr<StateFile> StateFile::Open(const std::string& path, const std::string& parameters) {
  StateFile file(path);
  if (path.empty()) return file;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, " is no regular file: a state needs a file that it can read and add to"));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  const std::string first_line = absl::StrCat(parameters, "\n");
  // Only the beginning of the first line was written: nothing was measured yet.
  const bool is_new = text.size() < first_line.size() && absl::StartsWith(first_line, text);
  if (!is_new && !absl::StartsWith(text, first_line)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " belongs to another measurement; its first line is:\n  ",
                     text.substr(0, text.find('\n')).substr(0, 500), "\nnow it would be:\n  ",
                     parameters, "\nuse the same parameters, or another file"));
  }
  text.resize(is_new ? 0 : text.rfind('\n') + 1);
  if (fs::exists(path, error)) fs::resize_file(path, text.size(), error);
  if (error) return absl::UnavailableError(absl::StrCat("cannot write ", path));
  if (is_new) {
    const absl::Status begun = file.Write(parameters);
    if (!begun.ok()) return begun;
  } else if (text.size() > first_line.size()) {
    text.pop_back();
    file.lines_ = absl::StrSplit(absl::string_view(text).substr(first_line.size()), '\n');
  }
  return file;
}

absl::Status StateFile::Write(const std::string& line) const {
  std::ofstream stream(path_, std::ios::app | std::ios::binary);
  stream << line << "\n" << std::flush;
  if (stream) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot add to ", path_));
}

absl::Status StateFile::Append(const std::string& line) {
  const absl::Status status = path_.empty() ? absl::OkStatus() : Write(line);
  if (status.ok()) lines_.push_back(line);
  return status;
}

}  // namespace duetbench::lab
