// Variants that tell where they lie in the image of the program.
#include <duetbench/duetbench.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/integration/work.h"

// The linker's symbols for the begin and the end of the image.
extern "C" const char __ehdr_start;
extern "C" const char end;

namespace {

// Notes NAME:ADDRESS. With CRASH_ELSEWHERE in the environment it fails in a copy.
void NoteAddress(const char* name, const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  const auto image = reinterpret_cast<uintptr_t>(&__ehdr_start);
  char note[100];
  std::snprintf(note, sizeof note, "%s:%" PRIxPTR, name, place - image);
  Note(note);
  if (std::getenv("CRASH_ELSEWHERE") == nullptr) return;
  if (place > reinterpret_cast<uintptr_t>(&end)) std::abort();
}

__attribute__((noinline)) void Old(duetbench::State& state) {
  NoteAddress("old", reinterpret_cast<const void*>(Old));
  for (auto _ : state) Steps(300);
}
__attribute__((noinline)) void New(duetbench::State& state) {
  NoteAddress("new", reinterpret_cast<const void*>(New));
  for (auto _ : state) Steps(300);
}

}  // namespace

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Addresses", &Old, &New);
  return duetbench::Main(argc, argv);
}
