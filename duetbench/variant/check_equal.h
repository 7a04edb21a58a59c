#ifndef DUETBENCH_VARIANT_CHECK_EQUAL_H_
#define DUETBENCH_VARIANT_CHECK_EQUAL_H_

#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "duetbench/variant/variant.h"

// CheckEqual() for functions without arguments: each is called once, and what they return is
// compared. (Variants with a State set counters and labels, which variant_report.h compares.)
namespace duetbench {
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
struct IsComparable;

// True if each alternative of a std::variant, which its member function reveals, can be compared.
template <class T, class = void>
inline constexpr bool kHasComparableAlternatives = true;
template <template <class...> class StdVariant, class... Alternatives>
inline constexpr bool kHasComparableAlternatives<
    StdVariant<Alternatives...>,
    std::void_t<
        decltype(std::declval<const StdVariant<Alternatives...>&>().valueless_by_exception())>> =
    (IsComparable<Alternatives, Alternatives>::Find() && ...);

template <class A, class B>
struct IsComparable {
  using AElement = typename ElementOf<A>::type;
  using BElement = typename ElementOf<B>::type;
  static constexpr bool Find() {
    if constexpr (!kHasEqual<A, B> || !kHasComparableAlternatives<A>) {
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

// std::ostream need not be complete: it costs every user's file 50 ms. Where it is not, the
// operators that are its members are not found, so numbers, pointers and text are written by Write.
template <class T, class = void>
inline constexpr bool kIsPrintable = false;
template <class T>
inline constexpr bool kIsPrintable<
    T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> = true;

// The text of a value that `print` writes to a stream, for a message; cut after kMaxShown
// characters.
inline constexpr size_t kMaxShown = 200;
std::string Printed(void (*print)(const void* value, std::ostream& out), const void* value);

void Write(const char* text, std::ostream& out);  // null is written as "null"
void Write(const std::string& text, std::ostream& out);
void Write(bool value, std::ostream& out);
void Write(char value, std::ostream& out);
void Write(long long value, std::ostream& out);           // NOLINT(google-runtime-int)
void Write(unsigned long long value, std::ostream& out);  // NOLINT(google-runtime-int)
void Write(long double value, std::ostream& out);
void Write(const void* value, std::ostream& out);
bool IsLong(std::ostream& out);  // has more than kMaxShown characters

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
std::string Show(const T& value);

template <class T>
void Print(const void* untyped_value, std::ostream& out) {
  const T& value = *static_cast<const T*>(untyped_value);
  if constexpr (kIsText<T> || std::is_same_v<T, bool> || std::is_same_v<T, char>) {
    Write(value, out);
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    Write(static_cast<long long>(value), out);  // NOLINT(google-runtime-int)
  } else if constexpr (std::is_integral_v<T>) {
    Write(static_cast<unsigned long long>(value), out);  // NOLINT(google-runtime-int)
  } else if constexpr (std::is_floating_point_v<T>) {
    Write(static_cast<long double>(value), out);
  } else if constexpr (kIsPrintable<T>) {
    out << value;
  } else if constexpr (std::is_enum_v<T> && std::is_convertible_v<T, long long>) {  // NOLINT
    Write(static_cast<long long>(value), out);  // NOLINT(google-runtime-int)
  } else if constexpr (std::is_pointer_v<T> && std::is_convertible_v<T, const void*>) {
    Write(static_cast<const void*>(value), out);
  } else if constexpr (kIsPair<T>) {
    Write("(" + Show(value.first) + ", " + Show(value.second) + ")", out);
  } else if constexpr (kIsRange<T>) {
    const char* separator = "";
    Write("{", out);
    for (const auto& element : value) {
      Write(separator + Show(element), out);
      separator = ", ";
      if (IsLong(out)) break;
    }
    Write("}", out);
  } else {
    Write("a value without operator<<", out);
  }
}

// A value for a message.
template <class T>
std::string Show(const T& value) {
  return Printed(&Print<T>, std::addressof(value));
}

// `new_variant` is the number of new for `calling` (ResultCheck).
template <class Old, class New>
std::string CompareResults(const Old& old_function, const New& new_function, int* calling,
                           int new_variant = 1) {
  using A = std::decay_t<decltype(old_function())>;
  using B = std::decay_t<decltype(new_function())>;
  (void)calling, (void)new_variant;
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
    *calling = new_variant;
    const B new_result = new_function();  // NOLINT(performance-unnecessary-copy-initialization)
    *calling = -1;
    if (AreEqual(old_result, new_result)) return "";
    return "CheckEqual: old returned " + Show(old_result) + ", new returned " + Show(new_result);
  }
}

}  // namespace internal

// Compares what functions return. (Not a std::function: <functional> costs every user's file
// 40 ms.)
class ResultCheck {
 public:
  virtual ~ResultCheck() = default;
  // Calls the functions, old first, and describes how their results differ; empty if they do not.
  // `calling` is set to the variant that is being called, and at the end to
  // the one of a group that differs, else to -1.
  virtual std::string Compare(int* calling) const = 0;
};

namespace internal {

template <class Old, class New>
class LoopedCheck final : public ResultCheck {
 public:
  LoopedCheck(std::shared_ptr<const LoopedVariant<Old>> old_variant,
              std::shared_ptr<const LoopedVariant<New>> new_variant)
      : old_(std::move(old_variant)), new_(std::move(new_variant)) {}
  std::string Compare(int* calling) const override {
    return CompareResults(old_->callable(), new_->callable(), calling);
  }

 private:
  std::shared_ptr<const LoopedVariant<Old>> old_;
  std::shared_ptr<const LoopedVariant<New>> new_;
};

// The check of a function without arguments and one with a State: none.
std::shared_ptr<const ResultCheck> NothingToCompare();

// A function without arguments, in a list of functions of any types.
class ResultFunction {
 public:
  virtual ~ResultFunction() = default;
  // As CompareResults.
  virtual std::string CompareWith(const ResultFunction& other, int* calling, int number) const = 0;
  virtual const void* type() const = 0;  // the same for the same type of results
};

template <class Result>
class FunctionReturning : public ResultFunction {
 public:
  virtual Result Call() const = 0;
  std::string CompareWith(const ResultFunction& other, int* calling, int number) const final {
    if (other.type() != type()) {
      return "CheckEqual: the results cannot be compared: they have different types";
    }
    const auto& alike = static_cast<const FunctionReturning&>(other);
    return CompareResults([this]() -> Result { return Call(); },
                          [&alike]() -> Result { return alike.Call(); }, calling, number);
  }
  const void* type() const final { return &kType; }

 private:
  static inline const char kType = 0;
};

template <class Callable>
class LoopedFunction final : public FunctionReturning<decltype(std::declval<const Callable&>()())> {
 public:
  explicit LoopedFunction(std::shared_ptr<const LoopedVariant<Callable>> variant)
      : variant_(std::move(variant)) {}
  decltype(std::declval<const Callable&>()()) Call() const override {
    return variant_->callable()();
  }

 private:
  std::shared_ptr<const LoopedVariant<Callable>> variant_;
};

// That of a variant as MakeVariant gives it; null where it has a State.
template <class Callable>
std::shared_ptr<const ResultFunction> MakeResultFunction(
    const std::shared_ptr<const LoopedVariant<Callable>>& variant) {
  return std::make_shared<LoopedFunction<Callable>>(variant);
}
inline std::shared_ptr<const ResultFunction> MakeResultFunction(
    const std::shared_ptr<const Variant>&) {
  return nullptr;
}

// The check of the first function against each other one; null where all have a State.
std::shared_ptr<const ResultCheck> MakeGroupCheck(
    std::vector<std::shared_ptr<const ResultFunction>> functions);

}  // namespace internal

namespace internal {
template <class>
inline constexpr bool kIsLooped = false;
template <class Callable>
inline constexpr bool kIsLooped<const LoopedVariant<Callable>> = true;
}  // namespace internal

// The check of two variants as MakeVariant gives them; null where both have a State, and so no
// result.
template <class Old, class New>
std::shared_ptr<const ResultCheck> MakeResultCheck(
    const std::shared_ptr<const internal::LoopedVariant<Old>>& old_variant,
    const std::shared_ptr<const internal::LoopedVariant<New>>& new_variant) {
  return std::make_shared<internal::LoopedCheck<Old, New>>(old_variant, new_variant);
}
template <class Old, class New>
std::shared_ptr<const ResultCheck> MakeResultCheck(const std::shared_ptr<Old>&,
                                                   const std::shared_ptr<New>&) {
  if (internal::kIsLooped<Old> || internal::kIsLooped<New>) return internal::NothingToCompare();
  return nullptr;
}

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_CHECK_EQUAL_H_
