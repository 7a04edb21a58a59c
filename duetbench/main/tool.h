#ifndef DUETBENCH_MAIN_TOOL_H_
#define DUETBENCH_MAIN_TOOL_H_

#include "duetbench/experiment/report_head.h"

// For the tool that compares programs: what it says to the functions of api/main.h.
namespace duetbench {

// Call it before RunSpecifiedBenchmarks. Benchmarks of this program itself are then not run.
void DescribePrograms(ProgramsCompared programs);

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_TOOL_H_
