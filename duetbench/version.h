#ifndef DUETBENCH_VERSION_H_
#define DUETBENCH_VERSION_H_

// The version of duetbench, here and nowhere else: the build reads it from these three lines.
//
//   #if DUETBENCH_VERSION >= 10200  // 1.2.0 or later
//
// Programs print DUETBENCH_VERSION_TEXT, "1.2.0", when they are asked with --version.
#define DUETBENCH_VERSION_MAJOR 0
#define DUETBENCH_VERSION_MINOR 1
#define DUETBENCH_VERSION_PATCH 0

#define DUETBENCH_VERSION \
  (DUETBENCH_VERSION_MAJOR * 10000 + DUETBENCH_VERSION_MINOR * 100 + DUETBENCH_VERSION_PATCH)

#define DUETBENCH_VERSION_TEXT \
  DUETBENCH_VERSION_QUOTE(DUETBENCH_VERSION_MAJOR, DUETBENCH_VERSION_MINOR, DUETBENCH_VERSION_PATCH)
#define DUETBENCH_VERSION_QUOTE(major, minor, patch) DUETBENCH_VERSION_QUOTE2(major, minor, patch)
#define DUETBENCH_VERSION_QUOTE2(major, minor, patch) #major "." #minor "." #patch

#endif  // DUETBENCH_VERSION_H_
