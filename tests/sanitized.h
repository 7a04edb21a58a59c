#ifndef DUETBENCH_TESTS_SANITIZED_H_
#define DUETBENCH_TESTS_SANITIZED_H_

// Which sanitizers this program is compiled with. Their pages, threads, signal handlers and
// allocator change the results of some tests.

#if defined(__has_feature)
#define DUETBENCH_TESTS_HAS_FEATURE(feature) __has_feature(feature)
#else
#define DUETBENCH_TESTS_HAS_FEATURE(feature) 0
#endif

// For the preprocessor: whether a sanitizer replaces operator new.
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

// g++ does not define a macro for it.
constexpr bool kKnownUndefinedBehaviorSanitizer =
    DUETBENCH_TESTS_HAS_FEATURE(undefined_behavior_sanitizer);

}  // namespace duetbench

#undef DUETBENCH_TESTS_HAS_FEATURE

#endif  // DUETBENCH_TESTS_SANITIZED_H_
