#ifndef DUETBENCH_RUNNER_EXPLAINED_CODE_H_
#define DUETBENCH_RUNNER_EXPLAINED_CODE_H_

#include "duetbench/api/duet_spec.h"
#include "duetbench/explain/explanation.h"

// The machine code of the functions that an explanation names.
namespace duetbench {

// Sets DifferencePart::same_code. `programs` is null for two variants of one program, where a
// function of both is the same code, and the functions that are compared are not.
void CompareNamedCode(const TwoPrograms* programs, Explanation* explanation);

// Sets Explanation::listing to the hottest loop of the first function that is named, as objdump(1)
// prints it, or to one line why there is none. About 0.1 s.
void ListHottestLoop(Explanation* explanation);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_EXPLAINED_CODE_H_
