#ifndef DUETBENCH_PROCESS_STANDARD_DESCRIPTORS_H_
#define DUETBENCH_PROCESS_STANDARD_DESCRIPTORS_H_

namespace duetbench {

// Opens /dev/null on those of the descriptors 0, 1 and 2 that are closed. Otherwise the next file
// that is opened gets such a number, and what is printed goes into it. Call it as early as
// possible, before there are threads.
void OpenStandardDescriptors();

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_STANDARD_DESCRIPTORS_H_
