#include "duetbench/process/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace duetbench {

void OpenStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one, unless there is no /dev/null.
    [[maybe_unused]] const int opened = open("/dev/null", O_RDWR);
  }
}

}  // namespace duetbench
