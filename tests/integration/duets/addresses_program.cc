// Variants that tell where they lie in the image of the program, and where their memory is.
#include <duetbench/duetbench.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tests/integration/work.h"

namespace {

// Notes NAME:STACK,MAPPING,LIBRARY.
__attribute__((noinline)) void NoteMemory(const char* name) {
  const std::vector<char> mapping(1 << 20);
  const auto address = [](auto* place) { return reinterpret_cast<uintptr_t>(place); };
  char note[200];
  std::snprintf(note, sizeof note, "%s:%" PRIxPTR ",%" PRIxPTR ",%" PRIxPTR, name, address(&note),
                address(mapping.data()), address(&puts));
  Note(note);
}

__attribute__((noinline)) void Old(duetbench::State& state) {
  NoteAddress("old", reinterpret_cast<const void*>(Old));
  NoteMemory("old_memory");
  for (auto _ : state) Steps(300);
}
__attribute__((noinline)) void New(duetbench::State& state) {
  NoteAddress("new", reinterpret_cast<const void*>(New));
  NoteMemory("new_memory");
  for (auto _ : state) Steps(300);
}

}  // namespace

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Addresses", &Old, &New);
  return duetbench::Main(argc, argv);
}
