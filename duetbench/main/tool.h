#ifndef DUETBENCH_MAIN_TOOL_H_
#define DUETBENCH_MAIN_TOOL_H_

#include <string>
#include <utility>
#include <vector>

// For the tool that compares programs: what it says to the functions of api/main.h.
namespace duetbench {

// The programs, for the head of the reports.
struct ProgramsCompared {
  std::vector<std::pair<std::string, std::string>> programs;  // names ("old"), and what is started
  std::string remark = {};                                    // follows them
  bool have_layouts = false;  // runs have random code layouts; else a line says why not:
  std::string why_linked = {};
};

// Call it before RunSpecifiedBenchmarks. Benchmarks of this program itself are then not run.
void DescribePrograms(ProgramsCompared programs);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_TOOL_H_
