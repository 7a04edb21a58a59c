#include "duetbench/platform/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace duetbench {

Pages::Pages(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return;
  data_ = memory;
  bytes_ = bytes;
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

int OpenSharedMemory(size_t bytes) {
  // Since Linux 6.3 the creator tells that the memory will not be executed (MFD_NOEXEC_SEAL);
  // vm.memfd_noexec decides where it does not. Older kernels do not know the flag.
  constexpr unsigned kNotExecutable = 0x8;
  int fd = memfd_create("duetbench", MFD_CLOEXEC | kNotExecutable);
  if (fd < 0 && errno == EINVAL) fd = memfd_create("duetbench", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

void* MemoryForForkedChildren(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void* MapSharedMemory(int fd, size_t bytes) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) != bytes) return nullptr;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

namespace {

// The number of a line such as "VmHWM:     2092 kB"; 0: there is none.
double KibibytesOf(const char* status, const char* name) {
  const char* const line = std::strstr(status, name);
  return line == nullptr ? 0 : std::strtod(line + std::strlen(name), nullptr);
}

}  // namespace

std::optional<ResidentMemory> ReadResidentMemory() {
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char status[4096];
  const ssize_t size = read(file, status, sizeof(status) - 1);
  close(file);
  if (size <= 0) return std::nullopt;
  status[size] = '\0';
  const ResidentMemory memory = {KibibytesOf(status, "\nVmRSS:") * 1024,
                                 KibibytesOf(status, "\nVmHWM:") * 1024};
  if (!(memory.now > 0) || !(memory.peak > 0)) return std::nullopt;
  return memory;
}

}  // namespace duetbench
