// duet_report: makes of a recording what the measured program need not contain. Programs start it
// for --duet_report and --duet_explain (duetbench/experiment/report_tool.h).

#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "duetbench/record/explanation_json.h"
#include "duetbench/report/facts_json.h"
#include "duetbench/version.h"
#include "tools/duet_report/explain/code_names.h"
#include "tools/duet_report/explain/explain.h"
#include "tools/duet_report/explain/instruction_counts.h"
#include "tools/duet_report/page/page.h"

namespace duetbench {
namespace {

constexpr char kUsage[] =
    "usage: duet_report page RECORDING\n"
    "Prints the page (HTML) of a recording that a program with --duet_report has left. Programs "
    "also\n"
    "start duet_report explain and duet_report count.\n";

using nlohmann::json;

std::string Explained(const json& recording) {
  const auto names = CodeNames::Load();
  return json(
             ExplainRecording(recording.get<RecordedStacks>(), names.ok() ? names->get() : nullptr))
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string Counted(const json& recording) {
  json counts = json::array();
  for (const CallgrindFile& file : recording.get<std::vector<CallgrindFile>>()) {
    counts.push_back(static_cast<InstructionCounts>(ReadCallgrind(file)));
  }
  return counts.dump();
}

int Main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "--version") return std::puts("duetbench " DUETBENCH_VERSION_TEXT) < 0 ? 2 : 0;
  if (command == "--help") return std::fputs(kUsage, stdout) < 0 ? 2 : 0;
  const bool is_known = command == "page" || command == "explain" || command == "count";
  if (argc != 3 || !is_known) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::string text;
  try {
    std::ifstream file(argv[2], std::ios::binary);
    const json recording = json::from_cbor(file);
    text = command == "explain" ? Explained(recording)
           : command == "count" ? Counted(recording)
                                : page::PageHtml(recording.get<SuiteFacts>());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "duet_report: %s is no recording of this version: %s\n", argv[2],
                 error.what());
    return 2;
  }
  const bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return printed && std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace
}  // namespace duetbench

int main(int argc, char** argv) { return duetbench::Main(argc, argv); }
