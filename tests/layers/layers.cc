#include "tests/layers/layers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

constexpr absl::string_view kLibrary = "duetbench";
// What users include.
constexpr std::array<absl::string_view, 2> kPublicHeaders = {"duetbench/duetbench.h",
                                                             "duetbench/gtest.h"};
constexpr absl::string_view kVersionHeader = "duetbench/version.h";  // no layer's: all may know
constexpr absl::string_view kMain = "duetbench/main/main.cc";

// By layer, the layers below it.
const std::map<std::string, std::set<std::string>>& LayersBelow() {
  static const auto* const layers = new std::map<std::string, std::set<std::string>>{
      {"platform", {}},
      {"counters", {"platform"}},
      {"stats", {}},
      {"pairs_io", {"stats"}},
      {"runner", {"platform", "counters", "stats"}},
      {"report", {"platform", "counters", "stats", "pairs_io", "runner"}},
      {"registry", {"platform", "counters", "stats", "pairs_io", "runner", "report"}},
      {"gtest", {"platform", "counters", "stats", "pairs_io", "runner", "report", "registry"}},
      {"main", {"platform", "counters", "stats", "pairs_io", "runner", "report", "registry"}},
  };
  return *layers;
}

// Clocks, threads and files, which pure functions have no use for.
constexpr std::array<absl::string_view, 14> kImpureHeaders = {
    "atomic",  "barrier", "chrono", "condition_variable", "ctime", "filesystem",
    "fstream", "fcntl.h", "future", "iostream",           "mutex", "shared_mutex",
    "thread",  "unistd.h"};

// Headers that other systems lack; besides those below linux/ and asm/.
constexpr std::array<absl::string_view, 4> kLinuxHeaders = {"sched.h", "sys/personality.h",
                                                            "sys/prctl.h", "sys/syscall.h"};

// Libraries that are met in these layers alone.
const std::map<std::string, std::set<std::string>>& HomesOfLibraries() {
  static const auto* const homes = new std::map<std::string, std::set<std::string>>{
      {"benchmark", {"runner", "report", "registry", "gtest", "main"}},
      {"boost", {"stats"}},
      {"gmock", {"gtest"}},
      {"gtest", {"gtest"}},
      {"nlohmann", {"report"}},
      {"perfmon", {"counters"}},
  };
  return *homes;
}

bool IsPublic(absl::string_view path) {
  return std::count(kPublicHeaders.begin(), kPublicHeaders.end(), path) > 0;
}

struct Path {
  std::string folder;  // "duetbench/stats"
  std::string stem;    // "pairs"
  std::string ending;  // ".h"
};

Path Split(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  const size_t dot = std::min(path.size(), path.find('.', name));
  return {path.substr(0, slash == std::string::npos ? 0 : slash), path.substr(name, dot - name),
          path.substr(dot)};
}

struct Include {
  int line;
  std::string path;
  bool quoted;
};

std::vector<Include> IncludesOf(const std::string& text) {
  std::vector<Include> includes;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "#")) continue;
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "include")) continue;
    line = absl::StripLeadingAsciiWhitespace(line);
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == absl::string_view::npos) continue;
    includes.push_back({number, std::string(line.substr(1, end - 1)), line[0] == '"'});
  }
  return includes;
}

std::string GuardOf(const std::string& path) {
  std::string guard = "DUETBENCH_";
  for (const char c : absl::StripPrefix(path, "duetbench/")) {
    const auto byte = static_cast<unsigned char>(c);
    guard += std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return guard + "_";
}

class Checker {
 public:
  explicit Checker(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) files_[file.path] = &file;
  }

  std::vector<std::string> Check() {
    for (const auto& [path, file] : files_) {
      const Path parts = Split(path);
      if (parts.ending != ".h" && parts.ending != ".cc") continue;
      CheckFolder(path, parts);
      CheckIncludes(*file, parts);
      CheckNamespace(*file, parts);
      if (parts.ending == ".h") {
        CheckGuard(*file);
      } else {
        CheckSource(*file, parts);
      }
    }
    return std::move(violations_);
  }

 private:
  template <class... Words>
  void Complain(const std::string& path, int line, const Words&... words) {
    violations_.push_back(
        absl::StrCat(path, line > 0 ? absl::StrCat(":", line) : "", ": ", words...));
  }

  bool Exists(const std::string& path) const { return files_.count(path) > 0; }

  // The layer that a folder is; empty for folders outside of the library, and for its top.
  static std::string LayerOf(absl::string_view folder) {
    return absl::ConsumePrefix(&folder, "duetbench/") ? std::string(folder) : "";
  }

  static absl::string_view TopOf(absl::string_view path) { return path.substr(0, path.find('/')); }

  void CheckFolder(const std::string& path, const Path& parts) {
    if (TopOf(path) == "tests") CheckMirror(path, parts);
    if (TopOf(path) != kLibrary || IsPublic(path) || path == kVersionHeader) return;
    if (LayersBelow().count(LayerOf(parts.folder)) == 0) {
      Complain(path, 0, "lies in no layer of the library");
    }
  }

  // tests/stats/pairs_test.cc tests duetbench/stats/pairs.h; not one that lies in another layer.
  void CheckMirror(const std::string& path, const Path& parts) {
    const std::string layer =
        LayerOf(absl::StrCat(kLibrary, "/", absl::StripPrefix(parts.folder, "tests/")));
    const std::string stem(absl::StripSuffix(parts.stem, "_test"));
    if (LayersBelow().count(layer) == 0 || stem == parts.stem) return;
    const auto lies_in = [&](const std::string& folder) {
      const std::string file = absl::StrCat(kLibrary, "/", folder, "/", stem);
      return Exists(file + ".h") || Exists(file + ".cc");
    };
    if (lies_in(layer)) return;
    for (const auto& [other, below] : LayersBelow()) {
      if (lies_in(other)) Complain(path, 0, "tests ", stem, ", which lies in ", other);
    }
  }

  void CheckIncludes(const SourceFile& file, const Path& parts) {
    const std::string layer = LayerOf(parts.folder);
    for (const Include& include : IncludesOf(file.text)) {
      const absl::string_view top = TopOf(include.path);
      const bool ours = top == kLibrary || top == "tests" || top == "tools" || top == "samples";
      if (ours && include.path.find('/') != std::string::npos) {
        CheckOwnInclude(file.path, layer, include);
      } else if (include.quoted && include.path.find('/') == std::string::npos) {
        Complain(file.path, include.line, "includes \"", include.path,
                 "\" without its path from the top of the tree");
      } else {
        CheckForeignInclude(file.path, layer, include);
        CheckSystemInclude(file, include);
      }
    }
  }

  void CheckOwnInclude(const std::string& path, const std::string& layer, const Include& include) {
    if (!Exists(include.path)) {
      Complain(path, include.line, "includes ", include.path, ", which does not exist");
      return;
    }
    const absl::string_view top = TopOf(path);
    const absl::string_view included_top = TopOf(include.path);
    if (top == "samples" && included_top != "samples" && !IsPublic(include.path)) {
      Complain(path, include.line, "includes ", include.path, "; users include ",
               absl::StrJoin(kPublicHeaders, " or "));
    }
    if (top == "tools" && (included_top == "tests" || included_top == "samples")) {
      Complain(path, include.line, "is a tool and includes ", include.path);
    }
    if (top != kLibrary || include.path == kVersionHeader) return;
    if (included_top != kLibrary) {
      Complain(path, include.line, "belongs to the library and includes ", include.path);
      return;
    }
    const auto below = LayersBelow().find(layer);
    if (below == LayersBelow().end()) return;  // the public header; others have been told
    const std::string included = LayerOf(Split(include.path).folder);
    if (included != layer && below->second.count(included) == 0) {
      Complain(
          path, include.line, "is in ", layer, " and includes ", include.path,
          "; below it are: ", below->second.empty() ? "none" : absl::StrJoin(below->second, ", "));
    }
  }

  void CheckForeignInclude(const std::string& path, const std::string& layer,
                           const Include& include) {
    if (layer == "stats" &&
        (absl::StartsWith(include.path, "sys/") || absl::StartsWith(include.path, "linux/") ||
         std::count(kImpureHeaders.begin(), kImpureHeaders.end(), include.path) > 0)) {
      Complain(path, include.line, "is in stats, which is pure, and includes ", include.path);
    }
    const absl::string_view top = TopOf(include.path);
    const auto homes = HomesOfLibraries().find(std::string(top));
    if (!layer.empty() && homes != HomesOfLibraries().end() && homes->second.count(layer) == 0) {
      Complain(path, include.line, "is in ", layer, " and includes ", include.path);
    }
  }

  void CheckSystemInclude(const SourceFile& file, const Include& include) {
    const bool is_linux = absl::StartsWith(include.path, "linux/") ||
                          absl::StartsWith(include.path, "asm/") ||
                          std::count(kLinuxHeaders.begin(), kLinuxHeaders.end(), include.path) > 0;
    if (is_linux && TopOf(file.path) == kLibrary &&
        !absl::StrContains(file.text, "if !DUETBENCH_STAND_INS") &&
        !absl::StrContains(file.text, "if DUETBENCH_STAND_INS")) {
      Complain(file.path, include.line, "includes ", include.path,
               ", which only Linux has, without a stand-in");
    }
  }

  void CheckNamespace(const SourceFile& file, const Path& parts) {
    const bool opens = absl::StartsWith(file.text, "namespace duetbench::stats") ||
                       absl::StrContains(file.text, "\nnamespace duetbench::stats");
    const bool in_stats = LayerOf(parts.folder) == "stats";
    if (in_stats && !opens) Complain(file.path, 0, "is in stats, but its namespace is not");
    if (!in_stats && opens && TopOf(file.path) == kLibrary) {
      Complain(file.path, 0, "has the namespace of stats, but is not there");
    }
  }

  void CheckGuard(const SourceFile& file) {
    const std::string guard = GuardOf(file.path);
    // Comments may come before it.
    const bool opened =
        absl::StrContains(absl::StrCat("\n", file.text),
                          absl::StrCat("\n#ifndef ", guard, "\n#define ", guard, "\n"));
    const bool closed = absl::EndsWith(file.text, absl::StrCat("\n#endif  // ", guard, "\n"));
    if (!opened || !closed) Complain(file.path, 0, "should have the include guard ", guard);
  }

  void CheckListed(const SourceFile& file, const Path& parts) {
    // main is one file, listed by the folder above.
    const std::string list =
        (file.path == kMain ? std::string(kLibrary) : parts.folder) + "/CMakeLists.txt";
    const std::string name = file.path == kMain ? "main/main.cc" : parts.stem + parts.ending;
    const auto listed = files_.find(list);
    const std::vector<std::string> words = absl::StrSplit(
        listed == files_.end() ? "" : listed->second->text, absl::ByAnyChar(" \n\t()\""));
    if (std::count(words.begin(), words.end(), name) == 0) {
      Complain(file.path, 0, "is not in ", list);
    }
  }

  void CheckSource(const SourceFile& file, const Path& parts) {
    if (TopOf(file.path) == kLibrary) CheckListed(file, parts);
    const std::string header = absl::StrCat(parts.folder, "/", parts.stem, ".h");
    if (Exists(header)) {
      const std::vector<Include> includes = IncludesOf(file.text);
      const auto first = std::find_if(includes.begin(), includes.end(),
                                      [](const Include& include) { return include.quoted; });
      if (first == includes.end() || first->path != header) {
        Complain(file.path, 0, "should include ", header, " first");
      }
      return;
    }
    if (TopOf(file.path) != kLibrary) return;
    for (const auto& [path, other] : files_) {
      const Path header_parts = Split(path);
      if (header_parts.ending == ".h" && header_parts.stem == parts.stem &&
          TopOf(path) == kLibrary && !Exists(header_parts.folder + "/" + parts.stem + ".cc")) {
        Complain(file.path, 0, "does not lie beside its header, ", path);
      }
    }
  }

  std::map<std::string, const SourceFile*> files_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> LayerViolations(const std::vector<SourceFile>& files) {
  return Checker(files).Check();
}

}  // namespace duetbench
