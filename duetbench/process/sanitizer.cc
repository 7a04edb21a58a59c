#include "duetbench/process/sanitizer.h"

// The user's code may be instrumented where this library is not: the linker tells.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __lsan_do_leak_check();
__attribute__((weak)) void __msan_init();
__attribute__((weak)) void __tsan_init();
__attribute__((weak)) void __ubsan_handle_add_overflow();
}

namespace duetbench {

bool HasSanitizer() {
  return __asan_init != nullptr || __lsan_do_leak_check != nullptr || __msan_init != nullptr ||
         __tsan_init != nullptr || __ubsan_handle_add_overflow != nullptr;
}

}  // namespace duetbench
