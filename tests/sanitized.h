#ifndef DUETBENCH_TESTS_SANITIZED_H_
#define DUETBENCH_TESTS_SANITIZED_H_

// Which sanitizers watch this program: they have pages, threads, handlers and an allocator of their
// own, which some tests would take for the program's.

#if defined(__has_feature)
#define DUETBENCH_TESTS_HAS_FEATURE(feature) __has_feature(feature)
#else
#define DUETBENCH_TESTS_HAS_FEATURE(feature) 0
#endif

// For the preprocessor: whether operator new is one of theirs.
#if defined(__SANITIZE_ADDRESS__) || DUETBENCH_TESTS_HAS_FEATURE(address_sanitizer) || \
    defined(__SANITIZE_THREAD__) || DUETBENCH_TESTS_HAS_FEATURE(thread_sanitizer)
#define DUETBENCH_TESTS_SANITIZED 1
#else
#define DUETBENCH_TESTS_SANITIZED 0
#endif

namespace duetbench {

constexpr bool kSanitized = DUETBENCH_TESTS_SANITIZED != 0;

#if defined(__SANITIZE_THREAD__) || DUETBENCH_TESTS_HAS_FEATURE(thread_sanitizer)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

constexpr bool kAddressSanitizer = kSanitized && !kThreadSanitizer;

// Which g++ does not tell.
constexpr bool kKnownUndefinedBehaviorSanitizer =
    DUETBENCH_TESTS_HAS_FEATURE(undefined_behavior_sanitizer);

}  // namespace duetbench

#undef DUETBENCH_TESTS_HAS_FEATURE

#endif  // DUETBENCH_TESTS_SANITIZED_H_
