// duet_report: makes of a recording what the measured program need not contain. Programs start it
// for --duet_report (duetbench/runner/report_tool.h).

#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "duetbench/report/shown_suite_json.h"
#include "duetbench/version.h"
#include "tools/duet_report/page/page.h"

namespace duetbench {
namespace {

constexpr char kUsage[] =
    "usage: duet_report page RECORDING\n"
    "Prints the page (HTML) of a recording that a program with --duet_report has left.\n";

int Main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "--version") return std::puts("duetbench " DUETBENCH_VERSION_TEXT) < 0 ? 2 : 0;
  if (command == "--help") return std::fputs(kUsage, stdout) < 0 ? 2 : 0;
  if (argc != 3 || command != "page") {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::string text;
  try {
    std::ifstream file(argv[2], std::ios::binary);
    text = page::PageHtml(nlohmann::json::from_cbor(file).get<page::ShownSuite>());
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
