#ifndef DUETBENCH_REPORT_ANNOTATIONS_H_
#define DUETBENCH_REPORT_ANNOTATIONS_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/report/suite.h"

namespace duetbench {

// The workflow commands by which GitHub Actions shows a message beside the line of the source, for
// every gate that does not hold and every error:
//
//   ::error file=bench/parse.cc,line=12,title=FAIL BM_Parse/1024::FAIL BM_Parse/1024: new is …
//
// Inconclusive gates are warnings unless they count as failed. `workspace` is $GITHUB_WORKSPACE:
// GitHub knows files by their path in the repository, the compiler by whatever it was given; a
// leading workspace, or leading "../", is taken off. One without a file has none.
std::vector<std::string> Annotations(absl::Span<const SuiteEntry> suite,
                                     absl::Span<const Standing> standings, WhenInconclusive when,
                                     const CpuPairChoice& cpus, const std::string& workspace);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_ANNOTATIONS_H_
