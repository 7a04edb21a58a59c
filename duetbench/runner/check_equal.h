#ifndef DUETBENCH_RUNNER_CHECK_EQUAL_H_
#define DUETBENCH_RUNNER_CHECK_EQUAL_H_

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "duetbench/runner/run_result.h"
#include "duetbench/runner/variant.h"

// CheckEqual(): whether old and new do the same. Functions without arguments are called once each,
// and what they return is compared; variants with a State execute one operation each, and the
// counters and labels that they set are compared.
namespace duetbench {

// Calls both functions, old first, and says how their results differ; empty if they do not.
// `calling` is set to the variant (0, 1) that is being called, and to -1 at the end.
using ResultCheck = std::function<std::string(int* calling)>;

// How the counters (as the variants set them) and labels of two variants differ; empty if they do
// not. That there are none is a difference too: there was nothing to compare.
std::string DescribeDifference(const VariantReport& old_report, const VariantReport& new_report);

namespace internal {

// The compiler finds an operator== for vector<T> also where T has none, and stops only when it is
// used: so the elements are looked at as well.
template <class A, class B, class = void>
inline constexpr bool kHasEqual = false;
template <class A, class B>
inline constexpr bool kHasEqual<
    A, B, std::void_t<decltype(bool(std::declval<const A&>() == std::declval<const B&>()))>> = true;

template <class T, class = void>
struct ElementOf {
  using type = void;
};
template <class T>
struct ElementOf<T, std::void_t<typename T::value_type>> {
  using type = std::conditional_t<std::is_same_v<typename T::value_type, T>, void,
                                  std::remove_cv_t<typename T::value_type>>;
};

template <class A, class B>
struct IsComparable {
  using AElement = typename ElementOf<A>::type;
  using BElement = typename ElementOf<B>::type;
  static constexpr bool Find() {
    if constexpr (!kHasEqual<A, B>) {
      return false;
    } else if constexpr (std::is_void_v<AElement> || std::is_void_v<BElement>) {
      return true;
    } else {
      return IsComparable<AElement, BElement>::Find();
    }
  }
};
template <class A1, class A2, class B1, class B2>
struct IsComparable<std::pair<A1, A2>, std::pair<B1, B2>> {
  static constexpr bool Find() {
    return IsComparable<std::remove_cv_t<A1>, std::remove_cv_t<B1>>::Find() &&
           IsComparable<std::remove_cv_t<A2>, std::remove_cv_t<B2>>::Find();
  }
};
template <class... A, class... B>
struct IsComparable<std::tuple<A...>, std::tuple<B...>> {
  static constexpr bool Find() {
    if constexpr (sizeof...(A) == sizeof...(B)) {
      return (IsComparable<std::decay_t<A>, std::decay_t<B>>::Find() && ...);
    } else {
      return false;
    }
  }
};
template <class... A>
struct IsComparable<std::variant<A...>, std::variant<A...>> {
  static constexpr bool Find() { return (IsComparable<A, A>::Find() && ...); }
};

template <class T>
inline constexpr bool kIsText =
    std::is_same_v<T, const char*> || std::is_same_v<T, char*>;  // compared as text

// Integers of any signs are compared as numbers, pointers to char as text.
template <class A, class B>
bool AreEqual(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    __extension__ using Widest = __int128;
    return static_cast<Widest>(a) == static_cast<Widest>(b);
  } else if constexpr (kIsText<A> && kIsText<B>) {
    return a == nullptr || b == nullptr ? a == b : std::string(a) == std::string(b);
  } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wsign-compare"
    return bool(a == b);
#pragma GCC diagnostic pop
  }
}

template <class T, class = void>
inline constexpr bool kIsPrintable = false;
template <class T>
inline constexpr bool kIsPrintable<
    T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> = true;

// A value for a message.
inline constexpr size_t kMostShown = 200;  // characters
std::string Shortened(std::string text);

template <class T, class = void>
inline constexpr bool kIsRange = false;
template <class T>
inline constexpr bool kIsRange<T, std::void_t<decltype(std::begin(std::declval<const T&>()),
                                                       std::end(std::declval<const T&>()))>> = true;

template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;

template <class T>
std::string Show(const T& value) {
  std::ostringstream out;
  out.precision(17);
  out << std::boolalpha;
  if constexpr (kIsText<T>) {
    out << (value == nullptr ? "null" : value);
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1 && !std::is_same_v<T, bool> &&
                       !std::is_same_v<T, char>) {
    out << static_cast<int>(value);
  } else if constexpr (kIsPrintable<T>) {
    out << value;
  } else if constexpr (kIsPair<T>) {
    out << "(" << Show(value.first) << ", " << Show(value.second) << ")";
  } else if constexpr (kIsRange<T>) {
    const char* separator = "";
    out << "{";
    for (const auto& element : value) {
      out << separator << Show(element);
      separator = ", ";
      if (static_cast<size_t>(out.tellp()) > kMostShown) break;
    }
    out << "}";
  } else {
    out << "a value without operator<<";
  }
  return Shortened(out.str());
}

template <class Old, class New>
std::string CompareResults(const Old& old_function, const New& new_function, int* calling) {
  using A = std::decay_t<decltype(old_function())>;
  using B = std::decay_t<decltype(new_function())>;
  (void)calling;
  if constexpr (std::is_void_v<A> || std::is_void_v<B>) {
    return std::is_void_v<A> ? "CheckEqual: old returns nothing that could be compared"
                             : "CheckEqual: new returns nothing that could be compared";
  } else if constexpr (!IsComparable<A, B>::Find()) {
    return "CheckEqual: the results cannot be compared: there is no operator== for them";
  } else if constexpr (!std::is_constructible_v<A, decltype(old_function())> ||
                       !std::is_constructible_v<B, decltype(new_function())>) {
    // The next call may change what a reference refers to.
    return "CheckEqual: the results cannot be compared: they are references to what is not "
           "copyable";
  } else {
    *calling = 0;
    const A old_result = old_function();  // NOLINT(performance-unnecessary-copy-initialization)
    *calling = 1;
    const B new_result = new_function();  // NOLINT(performance-unnecessary-copy-initialization)
    *calling = -1;
    if (AreEqual(old_result, new_result)) return "";
    return "CheckEqual: old returned " + Show(old_result) + ", new returned " + Show(new_result);
  }
}

}  // namespace internal

// The check of two variants as MakeVariant gives them; null where both have a State, and so no
// result.
template <class Old, class New>
ResultCheck MakeResultCheck(
    const std::shared_ptr<const internal::LoopedVariant<Old>>& old_variant,
    const std::shared_ptr<const internal::LoopedVariant<New>>& new_variant) {
  return [old_variant, new_variant](int* calling) {
    return internal::CompareResults(old_variant->callable(), new_variant->callable(), calling);
  };
}
template <class Old, class New>
ResultCheck MakeResultCheck(const std::shared_ptr<const internal::StateVariant<Old>>&,
                            const std::shared_ptr<const internal::StateVariant<New>>&) {
  return nullptr;
}
template <class Old, class New>
ResultCheck MakeResultCheck(const std::shared_ptr<Old>&, const std::shared_ptr<New>&) {
  return [](int*) {
    return std::string(
        "CheckEqual: one variant returns a value, the other one has a State and returns none: "
        "there is nothing to compare");
  };
}

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_CHECK_EQUAL_H_
