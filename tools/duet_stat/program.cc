#include "tools/duet_stat/program.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/input/pairs_file.h"
#include "tools/duet_stat/input/times_file.h"
#include "tools/duet_stat/options.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

constexpr int kSuccess = 0;
constexpr int kRefused = 2;

int Refuse(const World& world, absl::string_view message) {
  world.err << "duet_stat: " << message << "\n";
  return kRefused;
}

int Print(const World& world, const std::string& text, int status) {
  world.out << text;
  world.out.flush();
  if (!world.out.good()) return Refuse(world, "the output could not be written");
  return status;
}

// All files of the command line, each with its first line. The runs of a file that is given twice
// would count as independent of each other.
class Inputs {
 public:
  absl::Status Open(const std::vector<std::string>& files, const OpenFile& open) {
    for (const std::string& file : files) {
      for (const std::string& other : names_) {
        std::error_code unknown;
        if (file != other && !std::filesystem::equivalent(file, other, unknown)) continue;
        return absl::InvalidArgumentError(
            absl::StrCat("'", other, "' and '", file, "' are the same file; its runs count once"));
      }
      names_.push_back(file);
      absl::StatusOr<std::unique_ptr<std::istream>> stream = open(file);
      if (!stream.ok()) return stream.status();
      Input& input = inputs_.emplace_back();
      input.name = file == "-" ? "standard input" : file;
      input.stream = stream->get();
      streams_.push_back(*std::move(stream));
      do {
        if (!std::getline(*input.stream, input.first_line)) {
          return absl::InvalidArgumentError(
              absl::StrCat(input.name, ": the file is empty, or cannot be read"));
        }
      } while (input.first_line.empty() || input.first_line == "\r");
    }
    return absl::OkStatus();
  }

  const std::vector<Input>& all() const { return inputs_; }

 private:
  std::vector<std::string> names_;
  std::vector<Input> inputs_;
  std::vector<std::unique_ptr<std::istream>> streams_;
};

int CompareFiles(const std::vector<Input>& inputs, const Options& options, const World& world) {
  std::vector<TimesData> data;
  std::vector<std::string> names;
  for (const Input& input : inputs) {
    absl::StatusOr<TimesData> times = ReadTimes(input);
    if (!times.ok()) return Refuse(world, times.status().message());
    data.push_back(*std::move(times));
    names.push_back(input.name);
  }
  const absl::StatusOr<UnpairedResult> result = CompareTimes(data, names, options);
  if (!result.ok()) return Refuse(world, result.status().message());
  return Print(world, options.json ? JsonText(*result, options) : ConsoleText(*result, options),
               kSuccess);
}

int EvaluateGrid(const std::vector<Input>& inputs, const Options& options, const World& world) {
  GridResult result;
  for (const Input& input : inputs) {
    absl::StatusOr<TimesData> times = ReadTimes(input);
    if (!times.ok()) return Refuse(world, times.status().message());
    EvaluateTimes(*std::move(times), options, &result);
  }
  int status = kSuccess;
  for (const GridBenchmark& benchmark : result.benchmarks) {
    if (!benchmark.error.empty()) status = kRefused;
  }
  return Print(world, options.json ? JsonText(result, options) : ConsoleText(result, options),
               status);
}

int AnalyzePairs(const std::vector<Input>& inputs, const Options& options, const World& world) {
  for (const Input& input : inputs) {
    if (!IsForeign(input)) continue;
    const absl::Status unreadable = ReadTimes(input).status();
    return Refuse(world, unreadable.ok() ? absl::StrCat("'", input.name,
                                                        "' has times that were measured apart: ",
                                                        "--compare OLD NEW compares them")
                                         : std::string(unreadable.message()));
  }
  absl::StatusOr<PairsData> data = ReadPairs(inputs);
  if (!data.ok()) return Refuse(world, data.status().message());
  std::vector<BenchmarkResult> results;
  int status = kSuccess;
  for (BenchmarkPairs& benchmark : data->benchmarks) {
    results.push_back(Analyze(std::move(benchmark), options));
    if (!results.back().error.empty()) status = kRefused;
  }
  return Print(world,
               options.json ? JsonText(results, data->notices, options)
                            : ConsoleText(results, data->notices, options, world.colors),
               status);
}

}  // namespace

absl::StatusOr<std::unique_ptr<std::istream>> OpenInputFile(const std::string& path) {
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    return absl::InvalidArgumentError(absl::StrCat("cannot read ", path, ": it is a folder"));
  }
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!file->is_open()) return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", path));
  return file;
}

int RunProgram(const std::vector<std::string>& arguments, const World& world) {
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) return Refuse(world, options.status().message());
  if (!options->text.empty()) return Print(world, options->text, kSuccess);
  Inputs inputs;
  if (absl::Status status = inputs.Open(options->files, world.open); !status.ok()) {
    return Refuse(world, status.message());
  }
  if (options->grid) return EvaluateGrid(inputs.all(), *options, world);
  if (options->compare) return CompareFiles(inputs.all(), *options, world);
  return AnalyzePairs(inputs.all(), *options, world);
}

}  // namespace duetbench::duet_stat
