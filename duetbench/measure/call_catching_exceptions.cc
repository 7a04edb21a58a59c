#include "duetbench/measure/call_catching_exceptions.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

std::string TypeName(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.name();
}

}  // namespace

// To the sanitizer the cancellation of a thread, which is no object, is a reference to nothing.
__attribute__((no_sanitize("null"))) std::string CallCatchingExceptions(
    const std::function<void()>& function) {
  try {
    function();
#ifdef __GLIBCXX__  // where a cancelled thread is an exception
  } catch (const abi::__forced_unwind&) {
    throw;
#endif
  } catch (const std::exception& error) {
    return absl::StrCat("threw ", TypeName(typeid(error)), ": ", error.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return absl::StrCat("threw ", type != nullptr ? TypeName(*type) : "an unknown exception");
  }
  return "";
}

}  // namespace duetbench
