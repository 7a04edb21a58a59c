#include "duetbench/platform/text_file.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace duetbench {

std::optional<std::string> ReadTextFile(const std::string& path) {
  // stdio: an fstream throws from its buffer when a folder is read.
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[4096];
  size_t size;
  while ((size = std::fread(buffer, 1, sizeof(buffer), file)) > 0) text.append(buffer, size);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return std::nullopt;
  absl::StripAsciiWhitespace(&text);
  return text;
}

std::optional<int64_t> ReadNumberFile(const std::string& path) {
  const std::optional<std::string> text = ReadTextFile(path);
  int64_t number = 0;
  if (!text.has_value() || !absl::SimpleAtoi(*text, &number)) return std::nullopt;
  return number;
}

int WriteAll(int fd, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(fd, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return 0;
}

std::vector<std::string> ListFolder(const std::string& path) {
  std::vector<std::string> names;
  DIR* const folder = opendir(path.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace duetbench
