#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

// Planted causes (causes.h) that --duet_explain should find. It prints what it found of each.
namespace duetbench::integration {
namespace {

struct Cause {
  const char* benchmark;
  const char* function;  // regular expression: any of these is right
  const char* line;      // text of the line, or of one of the lines
};

constexpr Cause kCauses[] = {
    {"CopyByValue", "mem(cpy|move)|operator (new|delete)|CopyByValue",
     "DoNotOptimize(SumOf(numbers_1000))"},
    {"ExtraAllocation", "operator (new|delete)|free|malloc|Trim|std::.*string",
     "const std::string copy("},
    {"LostInlining", "^Mix", "NOINLINE uint64_t Mix("},
    {"UnpredictableBranch", "SumOfLarge", "if (number > 500'000)"},
    {"Stride", "SumMatrix", "sum += matrix["},
    {"Collisions", "LookUp|_Hashtable", "table.find(keys[i])"},
    {"Formatting", "snprintf", "std::snprintf"},
    {"Power", "pow", "std::pow"},
    {"Check", "IsValid", "if (c == '\\0')"},
    {"Strlen", "strlen", "kNew ? std::strlen"},
    {"Growth", "mem(cpy|move)|realloc|operator (new|delete)|Collect|free|malloc",
     "numbers.push_back(i)"},
    {"Recursion", "Fibonacci", "NOINLINE int Fibonacci"},
};

// The lines of causes.h with `text`, as explanations write them.
std::vector<std::string> LinesWith(const std::string& text) {
  std::vector<std::string> lines;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(TextOf(INTEGRATION_CAUSES_SOURCE), '\n')) {
    ++number;
    if (absl::StrContains(line, text)) lines.push_back(absl::StrCat("causes.h:", number));
  }
  return lines;
}

// The parts add up to a difference within the interval of the ratio of the row `duet`.
bool AddsUp(const nlohmann::json& duet) {
  double old_ns = 0;
  double difference_ns = 0;
  for (const nlohmann::json& part : duet["explanation"]["parts"]) {
    old_ns += part["old_ns"].get<double>();
    difference_ns += part["difference_ns"].get<double>();
  }
  const double ratio = 1 + difference_ns / old_ns;
  const bool adds_up = duet["ratio_lo"].get<double>() <= ratio &&
                       (!duet.contains("ratio_hi") || ratio <= duet["ratio_hi"].get<double>());
  if (!adds_up)
    std::cout << "the parts add up to " << ratio << ", not to " << duet["ratio"] << "\n";
  return adds_up;
}

TEST(Explain, PlantedCauses) {
  const Folder folder;
  const std::string report = folder.File("causes.json");
  Request request;
  request.program = PathOf("duet");
  request.arguments = {PathOf("causes_old"), PathOf("causes_new"), "--duet_explain",
                       "--benchmark_min_time=0.3", "--benchmark_out=" + report};
  request.environment = {{"DUET_RUNS", "10"}};
  request.max_seconds = 600;
  const Outcome outcome = Execute(request);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, nlohmann::json> parts;
  const nlohmann::json suite = JsonOf(TextOf(report))["duet_suite"];
  int explained = 0;
  int adding_up = 0;
  for (const auto& duet : suite["slower_duets"]) {
    const nlohmann::json explanation = duet.value("explanation", nlohmann::json::object());
    if (explanation.contains("parts")) {
      parts[duet["name"]] = explanation["parts"];
      ++explained;
      adding_up += AddsUp(duet) ? 1 : 0;
    }
    if (explanation.contains("error")) std::cout << duet["name"] << ": " << explanation << "\n";
  }
  int functions = 0;
  int lines = 0;
  for (const Cause& cause : kCauses) {
    const std::vector<std::string> expected = LinesWith(cause.line);
    ASSERT_FALSE(expected.empty()) << cause.line;
    const auto found = parts.find(cause.benchmark);
    if (found == parts.end() || found->second.empty()) {
      std::printf("%-20s not slower, or not explained\n", cause.benchmark);
      continue;
    }
    const nlohmann::json& first = found->second[0];
    const auto function = first["function"].get<std::string>();
    const auto line = first["line"].get<std::string>();
    const auto caller_line = first["caller_line"].get<std::string>();
    const bool is_function = std::regex_search(function, std::regex(cause.function));
    bool is_line = false;
    for (const std::string& right : expected) is_line |= line == right || caller_line == right;
    functions += is_function ? 1 : 0;
    lines += is_line ? 1 : 0;
    std::printf("%-20s %s %s  %s (%s), from %s (%s)\n", cause.benchmark,
                is_function ? "function" : "--------", is_line ? "line" : "----", function.c_str(),
                line.c_str(), first["caller"].get<std::string>().c_str(), caller_line.c_str());
  }
  std::printf("function %d of %zu, line %d\n", functions, std::size(kCauses), lines);
  std::printf("the parts of %d of %d add up\n", adding_up, explained);
  EXPECT_GE(adding_up, 0.95 * explained);
  EXPECT_GE(functions, 8);
  EXPECT_GE(lines, 7);
}

}  // namespace
}  // namespace duetbench::integration
