#ifndef DUETBENCH_PLATFORM_PROCESS_H_
#define DUETBENCH_PLATFORM_PROCESS_H_

#include <csignal>
#include <string>
#include <vector>

// System calls about processes that are particular to Linux.
namespace duetbench {

// A descriptor that becomes readable when the process `pid` ends. -1 if the kernel has none: the
// caller then polls.
int OpenEndOfProcess(int pid);

// Makes the kernel kill this process when the thread that started it ends, if it can.
void AskToDieWithParent();

// True if address space layout randomization is off for this process (setarch -R).
bool LayoutFixedForProcess();

// Switches layout randomization off or on for programs that the calling thread starts or becomes by
// exec. No effect where it is not allowed.
void SetLayoutFixed(bool fixed);

// The words of the file `stat` in a folder of /proc, of a process or a thread, after its name:
// state, parent, … Empty if it has ended.
std::vector<std::string> StatWords(const std::string& folder);

// The number of threads of the process `pid`; 0: not known. 4 us.
int ThreadCount(int pid);

// The id of the calling thread, as the kernel counts them.
int ThisThreadId();

// Names the calling thread, for the kernel and whoever looks at it (top -H). At most 15 characters.
void NameThisThread(const char* name);

// While it lives, the kernel keeps the exit status of children. It discards it where SIGCHLD is
// ignored, which a process can inherit from the program that started it.
class SigchldNotIgnored {
 public:
  SigchldNotIgnored();
  ~SigchldNotIgnored();
  SigchldNotIgnored(const SigchldNotIgnored&) = delete;
  SigchldNotIgnored& operator=(const SigchldNotIgnored&) = delete;

  // As it was, in a forked child too.
  void Restore() const;

 private:
  struct sigaction before_ = {};
  bool changed_ = false;
};

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PROCESS_H_
