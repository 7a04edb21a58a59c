#ifndef DUETBENCH_PLATFORM_PROCESS_H_
#define DUETBENCH_PLATFORM_PROCESS_H_

#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

// Processes and what they execute, as Linux shows them.
namespace duetbench {

// True if address space layout randomization is off for this process (setarch -R).
bool LayoutFixedForProcess();

// Switches layout randomization off or on for programs that the calling thread starts or becomes by
// exec. No effect where it is not allowed.
void SetLayoutFixed(bool fixed);

// False if SetLayoutFixed has no effect here.
bool MayFixLayout();

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

// The path of the file that this process executes; empty if it is not known.
std::string PathOfThisProgram();

// The path of the executable `name` in the folders of PATH; empty if it is in none.
std::string FindInPath(const std::string& name);

// A mark that changes if the file `path` is replaced or written: its device and inode, its size and
// the time of its last change. Empty if there is no such file. One system call.
std::string MarkOfFile(const std::string& path);

// Aborted if the mark of one of these files is no longer that of `marks` (mark by path): it was
// built again in the meantime, so that runs would be of two builds.
absl::Status CheckMarks(const std::map<std::string, std::string>& marks);

// The files whose code this process has mapped: its executable and its shared libraries. Empty
// where there is no /proc. About 0.1 ms.
std::vector<std::string> MappedFiles();

// The same for the text of a file /proc/PID/maps. Without files that were deleted.
std::vector<std::string> FilesInMaps(absl::string_view maps);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PROCESS_H_
