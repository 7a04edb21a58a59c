#include "tests/package/build_lists.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

// Without comments. A '#' within quotes would end the line, too; there is none.
std::string WithoutComments(const std::string& text) {
  std::string result;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::StrAppend(&result, line.substr(0, line.find('#')), "\n");
  }
  return result;
}

struct Call {
  std::string function;
  std::string arguments;  // all between the parentheses
};

// The calls of the top level: "function(arguments)".
std::vector<Call> CallsOf(const std::string& text) {
  std::vector<Call> calls;
  int depth = 0;
  std::size_t word = 0;  // where the last word of the top level begins
  std::size_t opened = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '(' && depth++ == 0) {
      calls.push_back({text.substr(word, i - word), ""});
      opened = i + 1;
    } else if (text[i] == ')' && depth > 0 && --depth == 0) {
      calls.back().arguments = text.substr(opened, i - opened);
      word = i + 1;
    } else if (depth == 0 && std::isalnum(byte) == 0 && text[i] != '_') {
      word = i + 1;
    }
  }
  return calls;
}

bool IsSource(absl::string_view word) {
  return absl::EndsWith(word, ".cc") && !absl::StrContains(word, '$') &&
         !absl::StartsWith(word, "/");
}

// The text between the quotes, for each pair of them.
std::vector<std::string> Quoted(absl::string_view text) {
  std::vector<std::string> result;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '"');
  for (std::size_t i = 1; i < parts.size(); i += 2) result.emplace_back(parts[i]);
  return result;
}

// What follows "NAME = " in the arguments of a rule, up to the next argument.
std::string ArgumentOf(const std::string& arguments, absl::string_view name) {
  const std::string key = absl::StrCat("\n", name, "=");
  std::string squeezed = "\n";
  for (const char c : arguments) {
    if (c != ' ') squeezed += c;
  }
  const std::size_t begin = squeezed.find(key);
  if (begin == std::string::npos) return "";
  const std::size_t value = begin + key.size();
  const bool list = squeezed[value] == '[';
  return squeezed.substr(value, squeezed.find(list ? ']' : '\n', value) - value);
}

void ComparePart(const std::string& where, const std::string& name,
                 const std::set<std::string>& theirs, const std::set<std::string>& ours,
                 std::vector<std::string>* differences) {
  for (const std::string& item : theirs) {
    if (ours.count(item) == 0) {
      differences->push_back(absl::StrCat(where, ": ", name, " lacks ", item));
    }
  }
}

}  // namespace

BuildTargets CMakeTargets(const std::string& text) {
  BuildTargets targets;
  for (const Call& call : CallsOf(WithoutComments(text))) {
    const std::vector<std::string> words =
        absl::StrSplit(call.arguments, absl::ByAnyChar(" \n\t"), absl::SkipEmpty());
    const bool library = call.function == "add_library";
    const bool test = call.function == "add_test";
    if (!test && !library && call.function != "add_executable" &&
        call.function != "duetbench_layer" && call.function != "duetbench_test" &&
        call.function != "duetbench_sample") {
      continue;
    }
    std::string name = words.size() > (test ? 1 : 0) ? words[test ? 1 : 0] : "";
    if (absl::StrContains(name, '$')) continue;
    name = std::string(absl::StripPrefix(name, "duetbench_"));
    BuildTarget target;
    bool in_layers = false;
    for (const std::string& word : words) {
      if (IsSource(word)) target.sources.insert(word);
      if (std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
        in_layers = word == "LAYERS";
      } else if (in_layers) {
        target.layers.insert(word);
      }
    }
    if (library && target.sources.empty()) continue;
    targets[name] = target;
  }
  return targets;
}

BuildTargets BazelTargets(const std::string& text) {
  BuildTargets targets;
  for (const Call& call : CallsOf(WithoutComments(text))) {
    const std::vector<std::string> name = Quoted(ArgumentOf(call.arguments, "name"));
    if (name.empty() || call.function == "filegroup" || call.function == "package_group") continue;
    BuildTarget target;
    for (const std::string& source : Quoted(ArgumentOf(call.arguments, "srcs"))) {
      if (IsSource(source)) target.sources.insert(source);
    }
    for (absl::string_view label : Quoted(ArgumentOf(call.arguments, "deps"))) {
      if (absl::ConsumePrefix(&label, "//duetbench/")) target.layers.emplace(label);
    }
    if (call.function == "cc_library" && target.sources.empty()) continue;
    targets[name[0]] = target;
  }
  return targets;
}

std::vector<std::string> BuildDifferences(const std::string& folder, const BuildTargets& cmake,
                                          const BuildTargets& bazel) {
  const std::string in_cmake = folder + "/CMakeLists.txt";
  const std::string in_bazel = folder + "/BUILD.bazel";
  std::vector<std::string> differences;
  for (const auto& [name, target] : cmake) {
    const auto other = bazel.find(name);
    if (other == bazel.end()) {
      differences.push_back(absl::StrCat(in_bazel, ": lacks the target ", name));
      continue;
    }
    ComparePart(in_bazel, name, target.sources, other->second.sources, &differences);
    ComparePart(in_cmake, name, other->second.sources, target.sources, &differences);
    if (target.layers.empty()) continue;  // a library of another kind
    ComparePart(in_bazel, name, target.layers, other->second.layers, &differences);
    ComparePart(in_cmake, name, other->second.layers, target.layers, &differences);
  }
  for (const auto& [name, target] : bazel) {
    if (cmake.count(name) == 0) {
      differences.push_back(absl::StrCat(in_cmake, ": lacks the target ", name));
    }
  }
  return differences;
}

}  // namespace duetbench
