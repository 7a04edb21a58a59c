#include "tools/duet_stat/program.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/version.h"
#include "tools/duet_stat/analysis.h"
#include "tools/duet_stat/comparison.h"
#include "tools/duet_stat/grid.h"
#include "tools/duet_stat/input/foreign_times.h"
#include "tools/duet_stat/input/pairs_csv.h"
#include "tools/duet_stat/input/report_json.h"
#include "tools/duet_stat/input/times_csv.h"
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

int Refuse(const World& world, const absl::Status& status) {
  return Refuse(world, absl::StrCat(status.message(),
                                    absl::IsResourceExhausted(status) ? " with --memory=MIB" : ""));
}

int Print(const World& world, const std::string& text, int status) {
  world.out << text;
  world.out.flush();
  if (!world.out.good()) return Refuse(world, "the output could not be written");
  return status;
}

bool UsesColors(const Options& options, const World& world) {
  if (options.color == Color::kAuto) return world.out_is_terminal;
  return options.color == Color::kAlways;
}

// Its runs would count as independent of each other.
absl::Status CheckFilesDiffer(const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code unknown;
      if (files[i] != files[j] && !std::filesystem::equivalent(files[i], files[j], unknown)) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat("'", files[j], "' and '", files[i],
                                                     "' are the same file; its runs count once"));
    }
  }
  return absl::OkStatus();
}

bool HasPictures(Format format) { return format == Format::kHtml || format == Format::kSvg; }

struct NamedSource {
  std::string name;
  ByteSource source;
  bool is_report;  // JSON of a program, not pairs
};

std::string InputName(const std::string& file) { return file == "-" ? "standard input" : file; }

// A file that another tool wrote, or any other one.
struct Opened {
  std::optional<TimesData> foreign;
  ByteSource source;  // without `foreign`: the whole file
};

absl::StatusOr<Opened> Open(const std::string& file, const Options& options, const World& world) {
  absl::StatusOr<ByteSource> source = world.open(file);
  if (!source.ok()) return source.status();
  const absl::StatusOr<bool> may_be_foreign = MayBeForeign(&*source);
  if (!may_be_foreign.ok()) return may_be_foreign.status();
  if (!*may_be_foreign) return Opened{std::nullopt, *std::move(source)};
  const std::string name = InputName(file);
  absl::StatusOr<std::string> text = ReadWhole(*source, name, options.reading.memory_limit);
  if (!text.ok()) return text.status();
  const ForeignFormat format = FormatOf(*text);
  if (format == ForeignFormat::kNone) return Opened{std::nullopt, SourceOf(*std::move(text))};
  absl::StatusOr<TimesData> times = ReadForeignTimes(*text, format, name);
  if (!times.ok()) return times.status();
  return Opened{*std::move(times), {}};
}

absl::StatusOr<TimesData> ReadTimes(const std::string& file, const Options& options,
                                    const World& world) {
  absl::StatusOr<Opened> opened = Open(file, options, world);
  if (!opened.ok()) return opened.status();
  if (opened->foreign.has_value()) return *std::move(opened->foreign);
  return ReadTimesCsv(std::move(opened->source), InputName(file), options.reading);
}

void Warn(const World& world, const std::vector<std::string>& notices) {
  for (const std::string& notice : notices) world.err << "duet_stat: warning: " << notice << "\n";
}

int ShowUnpaired(const std::vector<TimesData>& files, const Options& options, const World& world) {
  const absl::StatusOr<UnpairedResult> result = CompareTimes(files, options);
  if (!result.ok()) return Refuse(world, result.status().message());
  switch (options.format) {
    case Format::kJson:
      return Print(world, JsonText(*result, options), kSuccess);
    case Format::kCsv:
      Warn(world, result->notices);
      return Print(world, CsvText(*result), kSuccess);
    case Format::kHtml:  // refused
    case Format::kSvg:
    case Format::kConsole:
      break;
  }
  return Print(world, ConsoleText(*result, options), kSuccess);
}

// The times of two benchmarks in one file of another tool: the second is compared with the first.
int CompareWithin(TimesData times, const std::string& name, Options options, const World& world) {
  if (times.benchmarks.size() != 2 || HasPictures(options.format)) {
    return Refuse(world, absl::StrCat("'", name, "' has times of ", times.benchmarks.size(),
                                      " benchmarks that were measured apart: a page needs duets, "
                                      "and other formats two benchmarks in one file or "
                                      "--compare=OLD,NEW"));
  }
  std::vector<TimesData> sides(2);
  options.compare.clear();
  for (std::size_t side = 0; side < 2; ++side) {
    options.compare.push_back(times.benchmarks[side].name);
    sides[side].benchmarks.push_back(std::move(times.benchmarks[side]));
  }
  const std::string shown = absl::StrCat(options.compare[0], " vs ", options.compare[1]);
  for (TimesData& side : sides) side.benchmarks[0].name = shown;
  options.files.clear();
  SetRulesOfCompare(&options);
  return ShowUnpaired(sides, options, world);
}

absl::StatusOr<std::vector<NamedSource>> OpenSources(const Options& options, const World& world) {
  if (absl::Status status = CheckFilesDiffer(options.files); !status.ok()) return status;
  std::vector<NamedSource> sources;
  for (const std::string& file : options.files) {
    absl::StatusOr<ByteSource> source = world.open(file);
    if (!source.ok()) return source.status();
    const absl::StatusOr<bool> is_report = BeginsLikeJson(&*source);
    if (!is_report.ok()) return is_report.status();
    sources.push_back({InputName(file), *std::move(source), *is_report});
    if (sources.back().is_report == sources.front().is_report) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("'", sources.front().name, "' and '", sources.back().name,
                     "' are of two kinds, JSON and pairs: make a page of each"));
  }
  if (sources.front().is_report && options.format != Format::kHtml) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", sources.front().name,
        "' is JSON, which has results and no pairs: --format=html makes a page of it, and for "
        "other statistics let the program write its pairs with --duet_out=FILE.csv"));
  }
  return sources;
}

absl::StatusOr<PairsData> ReadPairs(std::vector<NamedSource> sources, const Options& options) {
  PairsCsvReader reader(options.reading);
  for (NamedSource& file : sources) {
    const absl::Status status = reader.Add(std::move(file.source), file.name);
    if (!status.ok()) return status;
  }
  PairsData data = reader.Take();
  if (const absl::Status differ = CheckRunsDiffer(data); !differ.ok()) return differ;
  return data;
}

int ShowReports(const std::vector<NamedSource>& sources, const Options& options,
                const World& world) {
  std::vector<NamedReport> reports;
  for (const NamedSource& file : sources) {
    absl::StatusOr<Report> report =
        ReadReportJson(file.source, file.name, options.reading.memory_limit);
    if (!report.ok()) return Refuse(world, report.status());
    reports.push_back({file.name, *std::move(report)});
  }
  return Print(world, ReportPageHtml(reports), kSuccess);
}

int AnalyzeSources(const Options& options, const World& world) {
  absl::StatusOr<std::vector<NamedSource>> sources = OpenSources(options, world);
  if (!sources.ok()) return Refuse(world, sources.status());
  if (sources->front().is_report) return ShowReports(*sources, options, world);
  absl::StatusOr<PairsData> data = ReadPairs(*std::move(sources), options);
  if (!data.ok()) return Refuse(world, data.status());
  std::vector<BenchmarkResult> results;
  std::vector<stats::PairDigest> digests;
  int status = kSuccess;
  for (BenchmarkPairs& benchmark : data->benchmarks) {
    if (HasPictures(options.format)) digests.push_back(DigestOfBenchmark(benchmark));
    results.push_back(Analyze(std::move(benchmark), data->files, options));
    if (!results.back().error.empty()) status = kRefused;
  }
  switch (options.format) {
    case Format::kJson:
      return Print(world, JsonText(results, data->notices, options), status);
    case Format::kCsv:
      if (options.shuffle != Shuffle::kNone) {
        world.err
            << "duet_stat: SHUFFLED: no results, but what the data would say without pairing\n";
      }
      Warn(world, data->notices);
      for (const BenchmarkResult& result : results) {
        for (const std::string& notice : result.notices) {
          world.err << "duet_stat: " << result.name << ": " << notice << "\n";
        }
      }
      return Print(world, CsvText(results), status);
    case Format::kHtml:
      return Print(world, HtmlText(results, digests, data->notices, options), status);
    case Format::kSvg: {
      const std::string svg = SvgText(results[0], digests[0], options);
      if (svg.empty()) return Refuse(world, "there are no pairs of one run to show");
      return Print(world, svg, status);
    }
    case Format::kConsole:
      break;
  }
  return Print(world, ConsoleText(results, data->notices, options, UsesColors(options, world)),
               status);
}

int AnalyzePairs(const Options& options, const World& world) {
  if (options.files.size() == 1) {
    absl::StatusOr<Opened> opened = Open(options.files[0], options, world);
    if (!opened.ok()) return Refuse(world, opened.status());
    if (opened->foreign.has_value()) {
      return CompareWithin(*std::move(opened->foreign), InputName(options.files[0]), options,
                           world);
    }
    const auto open = [&](const std::string&) -> absl::StatusOr<ByteSource> {
      return opened->source;
    };
    return AnalyzeSources(options, {open, world.out, world.err, world.out_is_terminal});
  }
  return AnalyzeSources(options, world);
}

int EvaluateGrid(const Options& options, const World& world) {
  GridResult result;
  int status = kSuccess;
  for (const std::string& file : options.files) {
    absl::StatusOr<TimesData> times = ReadTimes(file, options, world);
    if (!times.ok()) return Refuse(world, times.status());
    GridResult of_file = EvaluateTimes(*std::move(times), options);
    result.slowdowns = of_file.slowdowns;
    result.alpha = of_file.alpha;
    for (std::string& notice : of_file.notices) result.notices.push_back(std::move(notice));
    for (GridBenchmark& benchmark : of_file.benchmarks) {
      if (!benchmark.error.empty()) status = kRefused;
      result.benchmarks.push_back(std::move(benchmark));
    }
  }
  switch (options.format) {
    case Format::kJson:
      return Print(world, JsonText(result), status);
    case Format::kCsv:
      Warn(world, result.notices);
      for (const GridBenchmark& benchmark : result.benchmarks) {
        if (benchmark.error.empty()) continue;
        world.err << "duet_stat: " << benchmark.name << ": " << benchmark.error << "\n";
      }
      return Print(world, CsvText(result), status);
    case Format::kHtml:  // refused
    case Format::kSvg:
    case Format::kConsole:
      break;
  }
  return Print(world, ConsoleText(result), status);
}

int CompareUnpaired(const Options& options, const World& world) {
  std::vector<TimesData> files;
  for (const std::string& file : options.compare) {
    absl::StatusOr<TimesData> times = ReadTimes(file, options, world);
    if (!times.ok()) return Refuse(world, times.status());
    files.push_back(*std::move(times));
  }
  return ShowUnpaired(files, options, world);
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments, const World& world) {
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  if (!options.ok()) return Refuse(world, options.status().message());
  if (options->help) return Print(world, HelpText(), kSuccess);
  if (options->version) return Print(world, "duet_stat " DUETBENCH_VERSION_TEXT "\n", kSuccess);
  if (HasPictures(options->format) &&
      (options->grid || !options->compare.empty() || options->shuffle != Shuffle::kNone)) {
    return Refuse(world,
                  absl::StrCat("--format=", options->format == Format::kHtml ? "html" : "svg",
                               " shows pairs: not with --grid, --compare or --shuffle"));
  }
  if (options->grid) return EvaluateGrid(*options, world);
  return options->compare.empty() ? AnalyzePairs(*options, world)
                                  : CompareUnpaired(*options, world);
}

}  // namespace duetbench::duet_stat
