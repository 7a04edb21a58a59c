#include "tools/duet/compare.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/main.h"
#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/handshake.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/main/tool.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/ticks.h"
#include "tools/duet/command_line.h"
#include "tools/duet/executions.h"
#include "tools/duet/matching.h"
#include "tools/duet/plain_program.h"
#include "tools/duet/same_program.h"

namespace duetbench::duet {
namespace {

constexpr char kPlainRemark[] =
    "; without duetbench in both: each sample is an execution, which is less precise than programs "
    "that are linked with duetbench::main";
constexpr size_t kMaxListBytes = size_t{16} << 20;

// Starts the program and lets it say what it has.
absl::StatusOr<Offer> AskProgram(const ProgramCommand& program, const std::string& name) {
  ChildRequest request;
  request.argv = WordsOf(program, &request.executable);
  request.folder = program.folder;
  // A program that knows nothing of handshakes lists its benchmarks, and does not run them.
  request.argv.push_back("--benchmark_list_tests=true");
  request.environment = {{kHandshakeVariable, absl::StrCat(kRunProtocolVersion)}};
  request.result_fd_variable = kResultVariable;
  request.shares_input = true;
  request.tail_bytes = kMaxListBytes;
  const std::string who = absl::StrCat(name, " (", program.text, ")");
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) {
    return absl::Status(outcome.status().code(),
                        absl::StrCat(who, ": ", outcome.status().message()));
  }
  const bool failed = outcome->end != ChildOutcome::End::kExited || outcome->exit_code != 0;
  if (outcome->result.empty()) {
    // Text beside the list is that which a filter for nothing leaves.
    request.argv.push_back("--benchmark_filter=^$");
    const absl::StatusOr<ChildOutcome> empty = RunSelf(request);
    const Offer plain =
        OfferOfList(outcome->output_tail, empty.ok() ? empty->output_tail : std::string());
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
  for (OfferedBenchmark& offered : offer->benchmarks) {
    if (offered.is_foreign) offered = BenchmarkCalled(offered.name);
  }
  return offer;
}

// The code layouts of runs of the programs. The error, or `why_some_stay`, says why they are
// measured as linked.
absl::StatusOr<std::shared_ptr<const CodeLayouts>> LayoutsOf(
    const std::vector<ProgramCommand>& programs, const std::vector<Offer>& offers,
    std::string* why_some_stay) {
  std::vector<std::shared_ptr<const Executable>> executables;
  for (size_t side = 0; side < programs.size(); ++side) {
    const ProgramCommand& program = programs[side];
    if (program.is_shell) {
      return absl::FailedPreconditionError(
          absl::StrCat("which program the command starts is not known: ", program.text));
    }
    absl::StatusOr<std::shared_ptr<const Executable>> read =
        Executable::Read(program.text, program.folder, offers[side].files);
    if (!read.ok()) return read.status();
    if (why_some_stay->empty()) *why_some_stay = (*read)->WhySomeStay(offers[side].files);
    executables.push_back(*std::move(read));
  }
  return CodeLayouts::OfPrograms(std::move(executables));
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
  if (offered.repetitions > 0) spec->options.repetitions = offered.repetitions;
  if (offered.manual_time) spec->options.manual_time = true;
  if (offered.warm_up > 0) spec->options.warm_up = offered.warm_up;
  spec->arguments = {offered.ranges};
}

// The programs that are compared; vectors are indexed by program.
struct Builds {
  std::vector<ProgramCommand> programs;
  std::vector<std::string> names;
  std::shared_ptr<const CodeLayouts> layouts;  // of all programs; null: as linked
  std::map<std::string, std::string> marks;
  bool are_same = false;  // AreSameProgram
};

// Without the commands of a benchmark.
ComparedPrograms ProgramsOf(const Builds& builds) {
  ComparedPrograms programs;
  programs.layouts = builds.layouts;
  programs.marks = builds.marks;
  programs.are_same = builds.are_same;
  return programs;
}

// A benchmark that each program measures by itself.
DuetSpec SpecOfAlone(const MatchedBenchmark& match, const Builds& builds) {
  const ProgramCommand both[2] = {builds.programs[0], builds.programs[1]};
  DuetSpec spec = SpecOfExecutions(match.name, BenchmarkOf(both, match.name), ProgramsOf(builds));
  Describe(match.offered[1], &spec);
  spec.threads = match.offered[1].threads;
  if (spec.threads > 1) spec.options.cpus_per_variant = kAllCpus;
  return spec;
}

RunCommand CommandOf(const MatchedBenchmark& match, const Builds& builds, size_t side) {
  RunCommand command;
  command.argv = WordsOf(builds.programs[side], &command.executable);
  command.folder = builds.programs[side].folder;
  command.environment = {{kDuetVariable, match.offered[side].family_name}};
  command.did_not_arrive = "did not reach the benchmark when it was started again";
  command.family = match.offered[side].family;
  command.executes = match.variant;
  return command;
}

DuetSpec SpecOf(const MatchedBenchmark& match, const Builds& builds) {
  const OfferedBenchmark& offered = match.offered[1];
  DuetSpec spec;
  spec.name = match.name;
  Describe(offered, &spec);
  if (offered.min_time > 0) spec.options.min_time = offered.min_time;
  if (offered.fixed_iterations > 0) spec.options.fixed_iterations = offered.fixed_iterations;
  auto programs = std::make_shared<ComparedPrograms>(ProgramsOf(builds));
  spec.functions.variants.clear();
  for (size_t side = 0; side < builds.programs.size(); ++side) {
    spec.functions.variants.push_back(
        std::make_shared<VariantElsewhere>(match.offered[side].is_called[match.variant]));
    programs->sides.push_back(CommandOf(match, builds, side));
  }
  spec.programs = std::move(programs);
  if (builds.programs.size() == 2) return spec;
  DuetGroup group;
  group.prefix = absl::StrCat(match.name, "/");
  group.names = builds.names;
  spec.group = std::make_shared<DuetGroup>(std::move(group));
  return spec;
}

void PrintNames(const std::string& what, std::vector<std::string> names, const NameFilter& filter) {
  constexpr size_t kMost = 10;
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) { return !filter.Selects(name); }),
              names.end());
  if (names.empty()) return;
  const size_t shown = std::min(names.size(), kMost);
  const std::string more =
      names.size() > shown ? absl::StrCat(" and ", names.size() - shown, " more") : "";
  std::fprintf(
      stderr, "duet: %s: %s%s\n", what.c_str(),
      absl::StrJoin(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", ")
          .c_str(),
      more.c_str());
}

}  // namespace

int CompareMain(const std::string& program, const std::vector<std::string>& arguments) {
  const absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) return Fail(line.status());
  if (line->help) std::fputs(kUsage, stdout);
  if (!TakeFlags(program, line->flags, line->help)) return kExitError;
  const absl::StatusOr<NameFilter> filter = NameFilter::Parse(benchmark::GetBenchmarkFilter());
  if (!filter.ok()) return Fail(filter.status());

  Builds builds{line->programs, NamesOf(line->programs), {}, {}};
  const size_t count = builds.programs.size();
  std::vector<Offer> offers;
  bool is_plain = false;
  for (size_t side = 0; side < count; ++side) {
    for (const std::string& file : FilesOf(builds.programs[side])) AddMark(file, &builds.marks);
    absl::StatusOr<Offer> offer = AskProgram(builds.programs[side], builds.names[side]);
    if (!offer.ok()) return Fail(offer.status());
    for (const std::string& file : offer->files) AddMark(file, &builds.marks);
    is_plain = is_plain || offer->protocol == kPlainProtocol;
    offers.push_back(*std::move(offer));
  }
  if (is_plain && count > 2) {
    return Fail(absl::UnimplementedError(
        "more than two programs are compared if all are linked with duetbench::main or "
        "duetbench::duetbench; others are compared two by two: duet OLD NEW"));
  }
  if (!is_plain) {
    const absl::Status comparable =
        CheckOffers(offers, builds.programs, builds.names, ticks::SourceName());
    if (!comparable.ok()) return Fail(comparable);
  }
  const Matching matching = Match(offers, builds.names, line->variant);
  for (size_t side = 0; side < count; ++side) {
    PrintNames(count == 2 ? absl::StrCat("only ", builds.names[side], " has")
                          : absl::StrCat(builds.names[side], " has, and not all others"),
               matching.only[side], *filter);
  }
  bool is_refused = false;
  for (const auto& [name, why] : matching.refused) {
    if (!filter->Selects(name)) continue;
    std::fprintf(stderr, "duet: not compared: %s: %s\n", name.c_str(), why.c_str());
    is_refused = true;
  }
  if (is_refused) {
    return Fail(absl::FailedPreconditionError(
        "the programs have benchmarks that cannot be compared: leave them out, such as by "
        "--benchmark_filter=-NAME"));
  }
  std::vector<std::string> texts;
  std::string empty;
  for (size_t side = 0; side < count; ++side) {
    texts.push_back(absl::StrCat(builds.names[side], " (", builds.programs[side].text, ")"));
    if (offers[side].benchmarks.empty())
      absl::StrAppend(&empty, "; ", builds.names[side], " has none");
  }
  if (matching.benchmarks.empty()) {
    return Fail(absl::NotFoundError(
        absl::StrCat(absl::StrJoin(texts, " and "), " have no benchmark in common", empty)));
  }
  ProgramsCompared compared;
  const absl::StatusOr<std::shared_ptr<const CodeLayouts>> layouts =
      LayoutsOf(builds.programs, offers, &compared.why_linked);
  if (layouts.ok()) builds.layouts = *layouts;
  builds.are_same = AreSameProgram(builds.programs, offers);
  for (const MatchedBenchmark& match : matching.benchmarks) {
    const bool is_alone = match.offered[1].threads > 1 ||
                          std::any_of(match.offered.begin(), match.offered.end(),
                                      [](const auto& offered) { return offered.is_foreign; });
    RegisterSpec(is_alone ? SpecOfAlone(match, builds) : SpecOf(match, builds));
  }
  compared.have_layouts = layouts.ok();
  if (!layouts.ok()) compared.why_linked = std::string(layouts.status().message());
  for (size_t side = 0; side < count; ++side) {
    const ProgramCommand& one = builds.programs[side];
    compared.programs.emplace_back(
        builds.names[side],
        absl::StrCat(one.text, one.folder.empty() ? "" : absl::StrCat(" in ", one.folder)));
  }
  const std::string shared = absl::StrJoin(builds.programs[0].arguments, " ");
  if (!shared.empty()) {
    compared.remark = absl::StrCat(count == 2 ? ", both with " : ", all with ", shared);
  }
  if (is_plain) compared.remark += kPlainRemark;
  DescribePrograms(std::move(compared));
  return RunSpecifiedBenchmarks();
}

}  // namespace duetbench::duet
