// The tool duet, with two builds of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace duetbench::duet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kUnchanged[] = "UNCHANGED: executes the same code";

struct Outcome {
  int status = -1;
  std::string out;
};

Outcome Duet(const std::string& arguments) {
  Outcome outcome;
  const std::string command =
      std::string(DUET " ") + arguments + " --benchmark_min_time=0.05 --duet_runs=2";
  std::FILE* const pipe = popen(command.c_str(), "r");
  char bytes[4096];
  for (size_t size = 0; (size = std::fread(bytes, 1, sizeof(bytes), pipe)) > 0;) {
    outcome.out.append(bytes, size);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

// The labels, or "measured", of all benchmarks.
std::map<std::string, std::string> Labels(const std::string& arguments) {
  const Outcome outcome = Duet(arguments + " --benchmark_format=json 2>/dev/null");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  const nlohmann::json report = nlohmann::json::parse(outcome.out, nullptr, false);
  std::map<std::string, std::string> labels;
  if (report.is_discarded()) return labels;
  for (const nlohmann::json& row : report["benchmarks"]) {
    const std::string name = row.value("name", "");
    if (row.contains("ratio")) labels[name] = "measured";
    if (row.value("label", "") == kUnchanged) labels[name] = kUnchanged;
  }
  return labels;
}

TEST(Unchanged, WhatExecutesTheSameCodeIsNotMeasured) {
  const std::map<std::string, std::string> expected = {{"Changed", "measured"},
                                                       {"Beside", kUnchanged},
                                                       {"Kept/20", kUnchanged},
                                                       {"Kept/50", kUnchanged},
                                                       {"Ordinary", kUnchanged}};
  EXPECT_EQ(Labels(OLD " " NEW), expected);
  EXPECT_EQ(Labels(NEW " " OLD), expected);
}

TEST(Unchanged, AProgramHasTheCodeThatItHas) {
  for (const auto& [name, label] : Labels(OLD " " OLD)) EXPECT_EQ(label, kUnchanged) << name;
}

// A program with a file beside it.
std::string ProgramWithSteps(const std::string& name, int steps) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("unchanged_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy_file(OLD, folder / "program");
  std::ofstream(folder / "unchanged_steps") << steps;
  return folder / "program";
}

TEST(Unchanged, FilesBesideTheProgramAreCompared) {
  const std::string programs[3] = {ProgramWithSteps("a", 30), ProgramWithSteps("b", 30),
                                   ProgramWithSteps("c", 31)};
  auto labels = Labels(programs[0] + " " + programs[1]);
  EXPECT_EQ(labels["Beside"], kUnchanged);
  labels = Labels(programs[0] + " " + programs[2]);
  EXPECT_EQ(labels["Beside"], "measured");
  EXPECT_EQ(labels["Kept/20"], kUnchanged);
}

TEST(Unchanged, AllIsMeasuredWhereThatIsDemandedOrNothingIsProved) {
  for (const char* const arguments :
       {OLD " " NEW " --duet_unchanged=measure", "--old=" OLD " --new=" OLD, OLD " " STRIPPED}) {
    const auto labels = Labels(arguments);
    EXPECT_EQ(labels.size(), 5u) << arguments;
    for (const auto& [name, label] : labels) EXPECT_EQ(label, "measured") << name << arguments;
  }
}

TEST(Unchanged, ReportsSayIt) {
  const Outcome gate = Duet(OLD " " NEW " --benchmark_filter=Kept --duet_max_ratio=1.001");
  EXPECT_EQ(gate.status, 0) << gate.out;
  EXPECT_THAT(gate.out, HasSubstr(kUnchanged));
  EXPECT_THAT(gate.out, HasSubstr("2 UNCHANGED\n"));
  EXPECT_THAT(gate.out, HasSubstr("duetbench: all 2 gates hold\n"));
  const Outcome explained = Duet(OLD " " NEW " --duet_unchanged=explain 2>&1");
  EXPECT_THAT(explained.out,
              HasSubstr("duetbench: Changed is measured: Changed(duetbench::State&)"));
  EXPECT_THAT(explained.out, Not(HasSubstr("Kept/20 is measured")));
  EXPECT_THAT(Duet(OLD " " STRIPPED " --duet_unchanged=explain 2>&1").out,
              HasSubstr("duetbench: Changed is measured: new: it has no symbols"));
  EXPECT_THAT(Duet(OLD " " STRIPPED " 2>&1").out, Not(HasSubstr("no symbols")));
}

}  // namespace
}  // namespace duetbench::duet
