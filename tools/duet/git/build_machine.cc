#include "tools/duet/git/build_machine.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"
#include "tools/duet/git/cache_folder.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTools[] = {"as",      "ar",     "bazel", "c++",   "cc",   "clang",
                                  "clang++", "cmake",  "g++",   "gcc",   "ld",   "ld.bfd",
                                  "ld.gold", "ld.lld", "make",  "meson", "mold", "ninja"};

// Packages change with these files. Text is compared by its content: a CI machine that is set up
// anew writes the same one.
constexpr const char* kPackageTexts[] = {"/var/lib/dpkg/status", "/lib/apk/db/installed",
                                         "/etc/os-release"};
constexpr const char* kPackageFolders[] = {"/var/lib/rpm", "/usr/lib/sysimage/rpm",
                                           "/var/lib/pacman/local"};

// The lines of /proc/cpuinfo that count; the others change, or are of one CPU.
constexpr const char* kProcessorLines[] = {"vendor_id", "cpu family", "model",   "stepping",
                                           "flags",     "Features",   "CPU imp", "CPU part",
                                           "CPU var",   "isa",        "cpu\t"};

// Not the inode: that of the same file differs between machines.
std::string SizeAndTime(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "none";
  return absl::StrCat(status.st_size, " ", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
}

std::string ValueOf(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& variable : environment) {
    absl::string_view value = variable;
    if (absl::ConsumePrefix(&value, absl::StrCat(name, "="))) return std::string(value);
  }
  return "";
}

// The words of a command that may be files. An option's value, as in --toolchain=FILE, is one, too.
void AddWords(absl::string_view command, std::set<std::string>* words) {
  for (absl::string_view word : absl::StrSplit(command, absl::ByAnyChar(" \t\n'\";|&(){}="))) {
    if (!word.empty() && word[0] != '-') words->insert(std::string(word));
  }
}

std::string DescribeProcessor(const std::string& root) {
  std::string text;
  const std::string info = ReadTextFile(absl::StrCat(root, "/proc/cpuinfo")).value_or("");
  for (const absl::string_view line : absl::StrSplit(info, '\n')) {
    if (line.empty()) break;  // the end of the first CPU
    const bool counts =
        std::any_of(std::begin(kProcessorLines), std::end(kProcessorLines),
                    [&](const char* begin) { return absl::StartsWith(line, begin); });
    if (counts) absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace

std::string DescribeMachine(const std::vector<std::string>& commands,
                            const std::vector<std::string>& environment, const std::string& root) {
  std::set<std::string> words(std::begin(kTools), std::end(kTools));
  for (const std::string& command : commands) AddWords(command, &words);
  for (const char* variable : {"CC", "CXX", "CMAKE_TOOLCHAIN_FILE"}) {
    AddWords(ValueOf(environment, variable), &words);
  }
  std::set<std::string> folders;
  for (const absl::string_view folder : absl::StrSplit(ValueOf(environment, "PATH"), ':')) {
    if (absl::StartsWith(folder, "/")) folders.insert(std::string(folder));
  }
  std::string text;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (error || !fs::is_regular_file(real, error)) return;
    absl::StrAppend(&text, file.string(), " ", real.string(), " ", SizeAndTime(real), "\n");
  };
  for (const std::string& word : words) {
    if (absl::StartsWith(word, "/")) add(word);
    if (absl::StrContains(word, '/')) continue;
    for (const std::string& folder : folders) add(fs::path(folder) / word);
  }
  for (const char* path : kPackageTexts) {
    const std::optional<std::string> content = ReadTextFile(absl::StrCat(root, path));
    if (content.has_value()) absl::StrAppend(&text, path, " ", HashOf(*content), "\n");
  }
  for (const char* path : kPackageFolders) {
    std::error_code error;
    const std::string folder = absl::StrCat(root, path);
    if (!fs::is_directory(folder, error)) continue;
    absl::StrAppend(&text, path, " ", SizeAndTime(folder), " ",
                    SizeAndTime(folder + "/rpmdb.sqlite"), " ", SizeAndTime(folder + "/Packages"),
                    "\n");
  }
  return absl::StrCat(text, DescribeProcessor(root));
}

std::string DescribeFolder(const std::string& folder) {
  std::vector<std::string> lines;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() == ".git") {
      entry.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (entry->is_directory(ignored)) continue;
    lines.push_back(absl::StrCat(entry->path().string(), " ", SizeAndTime(entry->path())));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
  return text;
}

}  // namespace duetbench::duet
