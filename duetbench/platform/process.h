#ifndef DUETBENCH_PLATFORM_PROCESS_H_
#define DUETBENCH_PLATFORM_PROCESS_H_

namespace duetbench {

// System calls about processes that are particular to Linux, for subprocess.h and environment.h.

// pipe(2), both ends closed on exec. 0, or -1 with errno.
int OpenPipeClosedOnExec(int ends[2]);

// A descriptor that becomes readable when the process `pid` ends. -1 if the kernel has none: the
// caller then polls.
int OpenEndOfProcess(int pid);

// Makes the kernel kill this process when the thread that started it ends, if it can.
void AskToDieWithParent();

// Whether address space layout randomization is off for this process (setarch -R).
bool LayoutFixedForProcess();

// Switches layout randomization off or on for programs that the calling thread starts or becomes by
// exec. No effect where it is not allowed.
void SetLayoutFixed(bool fixed);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PROCESS_H_
