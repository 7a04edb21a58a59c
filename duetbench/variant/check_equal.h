#ifndef DUETBENCH_VARIANT_CHECK_EQUAL_H_
#define DUETBENCH_VARIANT_CHECK_EQUAL_H_

#include <cstddef>
#include <iosfwd>
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
template <class T, class = void>
inline constexpr bool kHasEqual = false;
template <class T>
inline constexpr bool kHasEqual<
    T, std::void_t<decltype(bool(std::declval<const T&>() == std::declval<const T&>()))>> = true;

template <class T, class = void>
struct ElementOf {
  using type = void;
};
template <class T>
struct ElementOf<T, std::void_t<typename T::value_type>> {
  using type = std::conditional_t<std::is_same_v<typename T::value_type, T>, void,
                                  std::remove_cv_t<typename T::value_type>>;
};

template <class T>
struct IsComparable;

// True if each alternative of a std::variant, which its member function reveals, can be compared.
template <class T, class = void>
inline constexpr bool kHasComparableAlternatives = true;
template <template <class...> class StdVariant, class... Alternatives>
inline constexpr bool kHasComparableAlternatives<
    StdVariant<Alternatives...>,
    std::void_t<decltype(std::declval<const StdVariant<Alternatives...>&>()
                             .valueless_by_exception())>> = (IsComparable<Alternatives>::Find() &&
                                                             ...);

template <class T>
struct IsComparable {
  static constexpr bool Find() {
    using Element = typename ElementOf<T>::type;
    if constexpr (!kHasEqual<T> || !kHasComparableAlternatives<T>) {
      return false;
    } else if constexpr (std::is_void_v<Element>) {
      return true;
    } else {
      return IsComparable<Element>::Find();
    }
  }
};
template <class A, class B>
struct IsComparable<std::pair<A, B>> {
  static constexpr bool Find() {
    return IsComparable<std::remove_cv_t<A>>::Find() && IsComparable<std::remove_cv_t<B>>::Find();
  }
};
template <class... T>
struct IsComparable<std::tuple<T...>> {
  static constexpr bool Find() { return (IsComparable<std::decay_t<T>>::Find() && ...); }
};

__extension__ using Integer = __int128;

// Numbers of different types are compared as numbers, and pointers to char as text.
template <class T>
auto ComparedAs() {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, char>) {
    return std::enable_if<true, T>();
  } else if constexpr (std::is_integral_v<T>) {
    return std::enable_if<true, Integer>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::enable_if<true, long double>();
  } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    return std::enable_if<true, std::string>();
  } else {
    return std::enable_if<true, T>();
  }
}
template <class T>
using Compared = typename decltype(ComparedAs<T>())::type;

template <class T>
Compared<std::decay_t<T>> ToCompare(T&& value) {
  if constexpr (std::is_pointer_v<std::decay_t<T>> &&
                std::is_same_v<Compared<std::decay_t<T>>, std::string>) {
    return value == nullptr ? "null" : value;
  } else {
    return static_cast<Compared<std::decay_t<T>>>(std::forward<T>(value));
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

void Write(const char* text, std::ostream& out);
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
  using As = Compared<T>;
  if constexpr (std::is_same_v<As, Integer>) {
    if (static_cast<Integer>(value) < 0) {
      Write(static_cast<long long>(value), out);  // NOLINT(google-runtime-int)
    } else {
      Write(static_cast<unsigned long long>(value), out);  // NOLINT(google-runtime-int)
    }
  } else if constexpr (std::is_same_v<As, bool> || std::is_same_v<As, char> ||
                       std::is_same_v<As, long double> || std::is_same_v<As, std::string>) {
    Write(ToCompare(value), out);
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

// A function without arguments, in a list of functions of any types.
class ResultFunction {
 public:
  virtual ~ResultFunction() = default;
  // Calls both and describes how their results differ; `calling` is set to the variant that is
  // being called, the other one of which has the number `number`, and at the end to -1.
  virtual std::string CompareWith(const ResultFunction& other, int* calling, int number) const = 0;
  virtual const void* type() const = 0;  // the same for the same type of results
};

// `Result`: as it is compared; void if there is nothing to compare.
template <class Result>
class FunctionReturning : public ResultFunction {
 public:
  virtual Result Call() const = 0;
  std::string CompareWith(const ResultFunction& other, int* calling, int number) const final {
    (void)calling, (void)number;
    if (other.type() != type()) {
      return "CheckEqual: the results cannot be compared: they have different types";
    }
    if constexpr (std::is_void_v<Result>) {
      return "CheckEqual: the variants return nothing, or references to what is not copyable: "
             "there is nothing to compare";
    } else if constexpr (!IsComparable<Result>::Find()) {
      return "CheckEqual: the results cannot be compared: there is no operator== for them";
    } else {
      *calling = 0;
      const Result old_result = Call();
      *calling = number;
      const Result new_result = static_cast<const FunctionReturning&>(other).Call();
      *calling = -1;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
      if (bool(old_result == new_result)) return "";
#pragma GCC diagnostic pop
      return "CheckEqual: old returned " + Show(old_result) + ", new returned " + Show(new_result);
    }
  }
  const void* type() const final { return &kType; }

 private:
  static inline const char kType = 0;
};

// The next call may change what a reference refers to: its value is copied.
template <class Callable, class Result = decltype(std::declval<const Callable&>()())>
using ResultToCompare = typename std::conditional_t<
    std::is_void_v<Result> || !std::is_constructible_v<std::decay_t<Result>, Result>,
    std::enable_if<true, void>, decltype(ComparedAs<std::decay_t<Result>>())>::type;

template <class Callable>
class LoopedFunction final : public FunctionReturning<ResultToCompare<Callable>> {
 public:
  explicit LoopedFunction(std::shared_ptr<const LoopedVariant<Callable>> variant)
      : variant_(std::move(variant)) {}
  ResultToCompare<Callable> Call() const override {
    if constexpr (!std::is_void_v<ResultToCompare<Callable>>) {
      return ToCompare(variant_->callable()());
    }
  }

 private:
  std::shared_ptr<const LoopedVariant<Callable>> variant_;
};

}  // namespace internal

// The functions of variants, by variant; null: it has a State.
using ResultFunctions = std::vector<std::shared_ptr<const internal::ResultFunction>>;

// Calls the functions and describes how their results differ from those of the first one; empty if
// they do not. `calling` is set to the variant that is being called, and at the end to the one of
// more than two that differs, else to -1.
std::string CompareResults(const ResultFunctions& functions, int* calling);

// A variant of any form, as MakeVariant takes it: a function template, or an overloaded function,
// is meant in its instance that takes a State.
struct AnyVariant {
  template <class Callable>
  AnyVariant(Callable callable) {  // NOLINT(google-explicit-constructor): parameters are this
    Set(MakeVariant(std::move(callable)));
  }
  AnyVariant(void (*function)(State&)) {  // NOLINT(google-explicit-constructor)
    Set(MakeVariant(function));
  }

  std::shared_ptr<const Variant> variant;
  std::shared_ptr<const internal::ResultFunction> result;  // null: it has a State

 private:
  template <class Callable>
  void Set(const std::shared_ptr<const internal::LoopedVariant<Callable>>& made) {
    variant = made;
    result = std::make_shared<internal::LoopedFunction<Callable>>(made);
  }
  void Set(const std::shared_ptr<const Variant>& made) { variant = made; }
};

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_CHECK_EQUAL_H_
