#ifndef DUETBENCH_RECORD_OPTION_VALUE_H_
#define DUETBENCH_RECORD_OPTION_VALUE_H_

#include <utility>

namespace duetbench {

// The value of an option, which knows whether it was set or is the default.
template <class T>
class OptionValue {
 public:
  // The default.
  constexpr explicit OptionValue(T value) : value_(std::move(value)) {}
  OptionValue& operator=(T value) {
    value_ = std::move(value);
    is_set_ = true;
    return *this;
  }

  constexpr operator const T&() const { return value_; }  // NOLINT(google-explicit-constructor)
  constexpr const T& value() const { return value_; }
  constexpr bool is_set() const { return is_set_; }

 private:
  T value_;
  bool is_set_ = false;
};

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_OPTION_VALUE_H_
