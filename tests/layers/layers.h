#ifndef DUETBENCH_TESTS_LAYERS_LAYERS_H_
#define DUETBENCH_TESTS_LAYERS_LAYERS_H_

#include <string>
#include <vector>

namespace duetbench {

struct SourceFile {
  std::string path;  // from the top of the tree: "duetbench/stats/pairs.h"
  std::string text;
};

// What is not where it belongs, a line each, beginning with the path ("duetbench/stats/pairs.h:7:
// …"); nothing if all is well. `files` are all headers, sources and CMakeLists.txt of the tree.
// Pure. The rules:
//
//  - The library's files lie in the folders of its layers, and include their own layer and those
//    below: platform -> counters; stats -> pairs_io; platform, counters, stats -> runner -> report
//    (with pairs_io) -> registry -> gtest, main. Nothing in the library includes the tests, the
//    tools or the samples; the samples include of the library what users include,
//    duetbench.h and gtest.h.
//  - stats is pure: no clocks, threads, files or system headers. Libraries are met where they
//    belong: GoogleTest in gtest alone, Boost in stats, libpfm in counters, JSON in report, Google
//    Benchmark from runner on.
//  - What only Linux has is included where the stand-ins are asked for (platform/stand_ins.h).
//  - tests/stats/x_test.cc tests duetbench/stats/x, not an x that lies in another layer.
//  - duetbench/version.h belongs to no layer; everything may include it.
//  - An include of a file of this tree gives its path from the top, and the file exists.
//  - The guard of a header follows from its path: duetbench/stats/pairs.h has
//    DUETBENCH_STATS_PAIRS_H_, tests/layers/layers.h has DUETBENCH_TESTS_LAYERS_LAYERS_H_.
//  - x.cc lies beside x.h, if there is one, and includes it first.
//  - What lies in stats is in the namespace duetbench::stats, and nothing else is.
//  - Every .cc of the library is named by the CMakeLists.txt of its folder.
std::vector<std::string> LayerViolations(const std::vector<SourceFile>& files);

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_LAYERS_LAYERS_H_
