#ifndef DUETBENCH_PLATFORM_PROCESS_H_
#define DUETBENCH_PLATFORM_PROCESS_H_

namespace duetbench {

// What Linux has for processes, and other systems have otherwise or not at all. Thin: the callers
// are subprocess.h and environment.h.

// pipe(2), both ends closed on exec. 0, or -1 with errno.
int OpenPipeClosedOnExec(int ends[2]);

// A descriptor that becomes readable when the process `pid` ends; -1 where there is none, or the
// kernel is too old: then the caller looks at intervals.
int OpenEndOfProcess(int pid);

// Has the kernel kill this process when the thread that started it ends. Does nothing where kernels
// do not do that.
void AskToDieWithParent();

// Whether this process was started with its memory always in the same places (setarch -R).
bool LayoutFixedForProcess();

// Whether the programs that the calling thread starts, or becomes by exec, are; the memory of this
// process stays where it is. Has no effect where it is not allowed.
void SetLayoutFixed(bool fixed);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_PROCESS_H_
