#ifndef DUETBENCH_MAIN_TOOL_H_
#define DUETBENCH_MAIN_TOOL_H_

#include <string>

// For the tool that compares two programs: what it says to the functions of api/main.h.
namespace duetbench {

// The programs, for the head of the reports.
struct ProgramsCompared {
  std::string old_program;
  std::string new_program;
  std::string remark;  // follows both
};

// Call it before RunSpecifiedBenchmarks. Benchmarks of this program itself are then not run.
void DescribePrograms(ProgramsCompared programs);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_TOOL_H_
