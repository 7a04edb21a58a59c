#ifndef DUETBENCH_PROCESS_SANITIZER_H_
#define DUETBENCH_PROCESS_SANITIZER_H_

namespace duetbench {

// Whether this program contains the runtime of a sanitizer (address, leak, memory, thread,
// undefined behaviour). Its messages, and what it checks at exit, must not be lost.
bool HasSanitizer();

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_SANITIZER_H_
