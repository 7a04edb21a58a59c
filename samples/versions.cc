// Two versions of a library in one process: both are shared objects that define the same function,
// and each is loaded for itself, from the path that the build file defines. CheckEqual demands that
// they compute the same.
#include <dlfcn.h>
#include <duetbench/duetbench.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Checksum = uint32_t(const unsigned char* bytes, size_t size);

static Checksum* Load(const char* library) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* const function = handle == nullptr ? nullptr : dlsym(handle, "Checksum");
  if (function == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  return reinterpret_cast<Checksum*>(function);
}

int main(int argc, char** argv) {
  Checksum* const old_checksum = Load(CHECKSUM_1);
  Checksum* const new_checksum = Load(CHECKSUM_2);
  const std::vector<unsigned char> bytes(16 << 10, 'x');
  duetbench::RegisterDuet(
      "Checksum", [&] { return old_checksum(bytes.data(), bytes.size()); },
      [&] { return new_checksum(bytes.data(), bytes.size()); })
      ->VariantNames("Checksum_1", "Checksum_2")
      ->CheckEqual();
  return duetbench::Main(argc, argv);
}
