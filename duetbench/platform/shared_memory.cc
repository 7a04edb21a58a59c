#include "duetbench/platform/shared_memory.h"

#include "duetbench/platform/fallback.h"

#if DUETBENCH_FALLBACK

#include <cerrno>

namespace duetbench {

int OpenSharedMemory(size_t) {
  errno = ENOSYS;
  return -1;
}

void* MapSharedMemory(int, size_t) { return nullptr; }

}  // namespace duetbench

#else

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace duetbench {

int OpenSharedMemory(size_t bytes) {
  const int fd = memfd_create("duetbench", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

void* MapSharedMemory(int fd, size_t bytes) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) != bytes) return nullptr;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace duetbench

#endif
