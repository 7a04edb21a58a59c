#include "duetbench/platform/process.h"
#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS

#include <fcntl.h>
#include <unistd.h>

namespace duetbench {

// A program that another thread starts between the calls keeps the ends; there is no other way.
int OpenPipeClosedOnExec(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; ++i) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

int OpenEndOfProcess(int /*pid*/) { return -1; }

void AskToDieWithParent() {}

bool LayoutFixedForProcess() { return false; }

void SetLayoutFixed(bool /*fixed*/) {}

}  // namespace duetbench

#endif
