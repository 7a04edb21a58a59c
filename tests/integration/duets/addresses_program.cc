// Variants that tell where they lie in the image of the program, and where their memory is.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

namespace {

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
