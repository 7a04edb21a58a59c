#include "tools/duet/compare.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/main.h"
#include "duetbench/experiment/run_process.h"
#include "duetbench/experiment/run_protocol.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/handshake.h"
#include "duetbench/main/tool.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/process/executable.h"
#include "duetbench/process/subprocess.h"
#include "tools/duet/code/unchanged.h"
#include "tools/duet/command_line.h"
#include "tools/duet/matching.h"
#include "tools/duet/plain_program.h"
#include "tools/duet/tool_flags.h"
#include "tools/duet/variant_elsewhere.h"

namespace duetbench::duet {
namespace {

constexpr const char* kSideNames[2] = {"old", "new"};
constexpr char kPlainRemark[] =
    "; without duetbench in both: each sample is an execution, which is less precise than programs "
    "that are linked with duetbench::main";
constexpr size_t kMaxListBytes = size_t{16} << 20;

// Starts the program and lets it say what it has.
absl::StatusOr<Offer> AskProgram(const ProgramCommand& program, const char* side) {
  ChildRequest request;
  request.argv = WordsOf(program, &request.executable);
  // A program that knows nothing of handshakes lists its benchmarks, and does not run them.
  request.argv.push_back("--benchmark_list_tests=true");
  request.environment = {{kHandshakeVariable, absl::StrCat(kRunProtocolVersion)}};
  request.result_fd_variable = kResultVariable;
  request.tail_bytes = kMaxListBytes;
  const std::string who = absl::StrCat(side, " (", program.text, ")");
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) {
    return absl::Status(outcome.status().code(),
                        absl::StrCat(who, ": ", outcome.status().message()));
  }
  const bool failed = outcome->end != ChildOutcome::End::kExited || outcome->exit_code != 0;
  if (outcome->result.empty()) {
    Offer plain = OfferOfList(outcome->output_tail);
    if (!failed && !plain.benchmarks.empty()) return plain;
    std::string text = absl::StrCat(
        who, " does not answer: it ", DescribeEnd(*outcome),
        ". A program that is compared is linked with duetbench::main, duetbench::duetbench or "
        "Google Benchmark; `duet run` compares others");
    const std::string said(absl::StripTrailingAsciiWhitespace(outcome->output_tail));
    if (failed && !said.empty()) absl::StrAppend(&text, "; it said:\n", said);
    return absl::FailedPreconditionError(text);
  }
  absl::StatusOr<Offer> offer = DecodeOffer(outcome->result);
  if (!offer.ok()) {
    return absl::DataLossError(absl::StrCat(who, ": ", offer.status().message()));
  }
  return offer;
}

// The link layouts of a program that is named by its file; none of a command.
absl::StatusOr<std::vector<std::string>> FindLayouts(const ProgramCommand& program) {
  std::string executable;
  WordsOf(program, &executable);
  if (executable != program.text) return std::vector<std::string>();
  return FindLinkLayouts(executable);
}

// The properties of a benchmark that its registration has.
void Describe(const OfferedBenchmark& offered, DuetSpec* spec) {
  // The names of files outlive the program's reports.
  static auto* const files = new std::set<std::string>();
  spec->location.file = files->insert(offered.file).first->c_str();
  spec->location.line = offered.line;
  if (offered.unit >= 0) spec->unit = static_cast<benchmark::TimeUnit>(offered.unit);
  spec->real_time = offered.real_time;
  spec->process_cpu_time = offered.process_cpu_time;
  spec->repetitions = offered.repetitions;
  if (offered.manual_time) spec->options.manual_time = true;
  if (offered.warm_up > 0) spec->options.warm_up = offered.warm_up;
  spec->arguments = {offered.ranges};
}

// A benchmark that each program measures by itself.
DuetSpec SpecOfAlone(const MatchedBenchmark& match, const ProgramCommand (&programs)[2],
                     const std::map<std::string, std::string>& marks) {
  DuetSpec spec = SpecOfExecutions(match.name, BenchmarkOf(programs, match.name), marks);
  Describe(match.offered[1], &spec);
  spec.threads = match.offered[1].threads;
  if (spec.threads > 1) spec.options.cpus_per_variant = kAllCpus;
  return spec;
}

// Finds the benchmarks that execute the same code. Null for commands: what they start is not known.
std::shared_ptr<UnchangedCode> FindUnchangedIn(const ProgramCommand (&programs)[2],
                                               const Matching& matching) {
  std::string files[2];
  for (int side = 0; side < 2; ++side) {
    if (programs[side].is_shell) return nullptr;
    WordsOf(programs[side], &files[side]);
  }
  UnchangedCode::Lines lines;
  for (const MatchedBenchmark& match : matching.benchmarks) {
    lines.emplace(match.offered[0].line, match.offered[1].line);
  }
  return std::make_shared<UnchangedCode>(files[0], files[1], std::move(lines));
}

DuetSpec SpecOf(const MatchedBenchmark& match, const ProgramCommand (&programs)[2],
                const std::vector<std::string> (&layouts)[2],
                const std::map<std::string, std::string>& marks,
                const std::shared_ptr<UnchangedCode>& code) {
  const OfferedBenchmark& offered = match.offered[1];
  DuetSpec spec;
  spec.name = match.name;
  Describe(offered, &spec);
  if (offered.min_time > 0) spec.options.min_time = offered.min_time;
  if (offered.fixed_iterations > 0) spec.options.fixed_iterations = offered.fixed_iterations;
  auto two = std::make_shared<TwoPrograms>();
  two->marks = marks;
  for (int side = 0; side < 2; ++side) {
    const OfferedBenchmark& mine = match.offered[side];
    RunCommand& command = two->sides[side];
    command.argv = WordsOf(programs[side], &command.executable);
    command.environment = {{kDuetVariable, mine.family_name}};
    two->layouts[side] = layouts[side];
    command.did_not_arrive = "did not reach the benchmark when it was started again";
    command.family = mine.family;
    command.executes = match.variant;
    spec.functions.variants[side] =
        std::make_shared<VariantElsewhere>(mine.is_called[match.variant]);
  }
  if (code != nullptr) {
    TracedBenchmark traced;
    std::copy(std::begin(two->sides), std::end(two->sides), traced.sides);
    traced.ranges = offered.ranges;
    traced.calls = offered.is_called[match.variant];
    traced.manual_time = offered.manual_time;
    two->prove_unchanged = [code, traced] { return code->Prove(traced); };
    two->same_function = [code](const uint64_t(&addresses)[2]) {
      return code->CompareFunctions(addresses);
    };
  }
  spec.programs = std::move(two);
  return spec;
}

void PrintNames(const char* what, std::vector<std::string> names, const NameFilter& filter) {
  constexpr size_t kMost = 10;
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) { return !filter.Selects(name); }),
              names.end());
  if (names.empty()) return;
  const size_t shown = std::min(names.size(), kMost);
  const std::string more =
      names.size() > shown ? absl::StrCat(" and ", names.size() - shown, " more") : "";
  std::fprintf(
      stderr, "duet: %s: %s%s\n", what,
      absl::StrJoin(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", ")
          .c_str(),
      more.c_str());
}

std::string CommandText(const ProgramCommand& program) {
  return absl::StrJoin(program.arguments, " ", [](std::string* out, const std::string& word) {
    absl::StrAppend(out, word);
  });
}

}  // namespace

int CompareMain(const std::string& program, const std::vector<std::string>& arguments) {
  const absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) return Fail(line.status());
  if (line->help) std::fputs(kUsage, stdout);
  if (!TakeFlags(program, line->flags, line->help)) return kExitError;
  const absl::StatusOr<NameFilter> filter = NameFilter::Parse(benchmark::GetBenchmarkFilter());
  if (!filter.ok()) return Fail(filter.status());

  Offer offers[2];
  std::map<std::string, std::string> marks;
  for (int side = 0; side < 2; ++side) {
    const ProgramCommand& program_of_side = line->programs[side];
    for (const std::string& file : FilesOf(program_of_side)) AddMark(file, &marks);
    absl::StatusOr<Offer> offer = AskProgram(line->programs[side], kSideNames[side]);
    if (!offer.ok()) return Fail(offer.status());
    offers[side] = *std::move(offer);
    for (const std::string& file : offers[side].files) AddMark(file, &marks);
  }
  const bool is_plain =
      offers[0].protocol == kPlainProtocol || offers[1].protocol == kPlainProtocol;
  if (!is_plain) {
    const absl::Status comparable = CheckOffers(offers, line->programs, ticks::SourceName());
    if (!comparable.ok()) return Fail(comparable);
  }
  const Matching matching = Match(offers[0], offers[1], line->variant);
  PrintNames("only old has", matching.only[0], *filter);
  PrintNames("only new has", matching.only[1], *filter);
  for (const std::string& refused : matching.refused) {
    if (filter->Selects(refused)) std::fprintf(stderr, "duet: not compared: %s\n", refused.c_str());
  }
  if (matching.benchmarks.empty()) {
    return Fail(absl::NotFoundError(absl::StrCat(
        "old (", line->programs[0].text, ") and new (", line->programs[1].text,
        ") have no benchmark in common", offers[0].benchmarks.empty() ? "; old has none" : "",
        offers[1].benchmarks.empty() ? "; new has none" : "")));
  }
  std::vector<std::string> layouts[2];
  for (int side = 0; side < 2 && !is_plain; ++side) {
    absl::StatusOr<std::vector<std::string>> found = FindLayouts(line->programs[side]);
    if (!found.ok()) {
      std::fprintf(stderr, "duet: one layout only: %s\n",
                   std::string(found.status().message()).c_str());
      break;
    }
    layouts[side] = *std::move(found);
    for (const std::string& layout : layouts[side]) AddMark(layout, &marks);
  }
  const std::shared_ptr<UnchangedCode> code = FindUnchangedIn(line->programs, matching);
  for (const MatchedBenchmark& match : matching.benchmarks) {
    const bool is_alone = is_plain || match.offered[1].threads > 1;
    RegisterSpec(is_alone ? SpecOfAlone(match, line->programs, marks)
                          : SpecOf(match, line->programs, layouts, marks, code));
  }
  std::string both = CommandText(line->programs[0]);
  if (!both.empty()) both = absl::StrCat(", both with ", both);
  if (is_plain) both += kPlainRemark;
  DescribePrograms({line->programs[0].text, line->programs[1].text, both});
  return RunSpecifiedBenchmarks();
}

}  // namespace duetbench::duet
