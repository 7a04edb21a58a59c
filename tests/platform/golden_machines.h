#ifndef DUETBENCH_TESTS_PLATFORM_GOLDEN_MACHINES_H_
#define DUETBENCH_TESTS_PLATFORM_GOLDEN_MACHINES_H_

#include <string>
#include <vector>

#include "tests/platform/file_tree.h"

namespace duetbench {

// Machines as compact tables, from which the sysfs tree that Linux shows of them is made.

// One row per CPU. A field that the machine does not tell is kNone, or empty.
constexpr int kNone = -1;
struct MachineCpu {
  int number;
  std::string siblings;  // topology/thread_siblings_list
  int node = 0;
  int capacity = kNone;
  int max_mhz = kNone;
};

struct Machine {
  std::string online;  // the text of cpu/online
  std::vector<MachineCpu> cpus;
};

// Four cores with two threads each, numbered as on most desktops: 0-3 first threads, 4-7 second.
Machine SmtDesktop();
// The same with SMT switched off in the kernel: the second threads are offline.
Machine SmtOff();
// Two fast cores with two threads each (0-3), four slow ones (4-7), as on an Intel laptop.
Machine HybridLaptop();
// Two fast and four slow cores of a phone or board: known by their capacities.
Machine BigLittle();
// Two memory nodes, four cores with two threads each, even CPUs on node 0.
Machine DualSocket();
// A guest with two CPUs whose host tells the truth about two cores.
Machine TwoVcpus();
// CPUs 0 and 2 of four are offline.
Machine OfflineCpus();
// One CPU.
Machine OneCpu();
// Only the list of online CPUs, as a sandbox may show.
Machine NothingButOnline();

// Writes the tree of `machine` below tree->root() + "/sys".
void WriteSysfs(const Machine& machine, FileTree* tree);

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_PLATFORM_GOLDEN_MACHINES_H_
