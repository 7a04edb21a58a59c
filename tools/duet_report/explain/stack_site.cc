#include "tools/duet_report/explain/stack_site.h"

#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

struct Frame {
  NamedFrame named;
  std::string name;      // ShortFunction
  std::string physical;  // that of the function whose code it is part of
  bool is_system = false;
};

// Code of duetbench and Google Benchmark around the user's.
bool IsHarness(absl::string_view function) {
  // The return type of a template comes first.
  const std::string name = ShortFunction(function);
  return absl::StartsWith(name, "duetbench::") || absl::StartsWith(name, "benchmark::");
}

bool IsSystemFile(absl::string_view path) {
  return absl::StartsWith(path, "/usr/") || absl::StartsWith(path, "/lib") ||
         absl::StartsWith(path, "/opt/") || absl::StrContains(path, "/include/c++/") ||
         absl::StrContains(path, "sysdeps/");
}

// "code without a symbol in libgcc_s.so.1" for a function that has no name.
std::string NameIn(absl::string_view function, absl::string_view binary) {
  if (!function.empty()) return ShortFunction(function);
  const size_t slash = binary.rfind('/');
  if (slash != absl::string_view::npos) binary.remove_prefix(slash + 1);
  return absl::StrCat("code without a symbol", binary.empty() ? "" : " in ", binary);
}

// The frames of the variant, innermost first, without the harness around it and inlined into it.
std::vector<Frame> FramesOf(const std::vector<CodePlace>& places,
                            const std::vector<std::string>& files, CodeNames* names) {
  std::vector<Frame> frames;
  for (const CodePlace& place : places) {
    const std::string& binary = files[place.file];
    const std::vector<NamedFrame>& found = names->FramesAt(binary, place.address);
    const bool ends = IsHarness(found.back().function);
    const std::string physical = NameIn(found.back().function, binary);
    std::vector<Frame> added;
    for (const NamedFrame& frame : found) {
      if (ends && &frame == &found.back()) continue;
      added.push_back(
          {frame, NameIn(frame.function, binary), physical, IsSystemCode(frame, binary)});
    }
    // The user's function is inlined into a function of the harness, perhaps by way of others.
    while (ends && !added.empty() &&
           (IsHarness(added.back().named.function) || added.back().is_system)) {
      added.pop_back();
    }
    if (ends && frames.empty() && added.empty()) return {};
    for (Frame& frame : added) {
      if (!frame.named.is_inlined || !IsHarness(frame.named.function)) {
        frames.push_back(std::move(frame));
      }
    }
    if (ends) break;
  }
  return frames;
}

std::string LineOf(const NamedFrame& frame) {
  if (frame.file.empty() || frame.line <= 0) return "";
  const size_t slash = frame.file.rfind('/');
  return absl::StrCat(slash == std::string::npos ? frame.file : frame.file.substr(slash + 1), ":",
                      frame.line);
}

// Leaves out what is in brackets `open` and `close`, of any depth.
std::string WithoutBrackets(absl::string_view text, char open, char close) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    if (c == close && depth > 0) {
      --depth;
      continue;
    }
    if (c == open) ++depth;
    if (depth == 0) kept.push_back(c);
  }
  return kept;
}

// The name of a function of the C library by which it is called: "memcpy" of
// "__memcpy_avx_unaligned_erms", "pthread_mutex_lock" of "__GI___pthread_mutex_lock".
absl::string_view CalledName(absl::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('@'));  // its version
  if (!absl::ConsumePrefix(&symbol, "__")) return symbol;
  absl::ConsumePrefix(&symbol, "GI_");
  for (const char* const variant : {"_avx", "_sse", "_evex", "_fma", "_erms", "_neon", "_sve"}) {
    const size_t found = symbol.find(variant);
    if (found != absl::string_view::npos) return symbol.substr(0, found);
  }
  absl::ConsumePrefix(&symbol, "__");
  return symbol;
}

// `frames`: one at least.
StackSite SiteOf(const std::vector<Frame>& frames) {
  size_t user = 0;
  while (user < frames.size() && frames[user].is_system) ++user;
  StackSite site;
  // The outermost system function that is called, and not inlined.
  for (size_t i = 0; i < user; ++i) {
    if (frames[i].named.is_inlined) continue;
    site.function = frames[i].name;
    site.is_system = true;
  }
  if (user == frames.size()) {
    if (!site.is_system) site.function = frames.back().physical;
    return site;
  }
  const Frame& executed = frames[user];
  site.line = LineOf(executed.named);
  if (site.is_system) {
    site.caller = executed.name;
    site.caller_line = site.line;
    return site;
  }
  site.function = executed.physical;
  // The user's function from which the one whose code is executed is called.
  size_t outer = user;
  while (outer < frames.size() && frames[outer].named.is_inlined) ++outer;
  for (++outer; outer < frames.size(); ++outer) {
    if (frames[outer].is_system) continue;
    site.caller = frames[outer].name;
    site.caller_line = LineOf(frames[outer].named);
    return site;
  }
  site.is_variant = true;
  // The harness has inlined it.
  if (IsHarness(executed.physical)) site.function = frames.back().name;
  return site;
}

}  // namespace

bool IsSystemCode(const NamedFrame& frame, const std::string& binary) {
  if (IsSystemFile(binary)) return true;
  if (!frame.file.empty()) return IsSystemFile(frame.file);
  const std::string name = ShortFunction(frame.function);
  return absl::StartsWith(name, "std::") || absl::StartsWith(name, "__") ||
         absl::StartsWith(name, "operator new") || absl::StartsWith(name, "operator delete");
}

std::string ShortFunction(absl::string_view demangled) {
  demangled = demangled.substr(0, demangled.find(" [clone"));
  // A name of C: the C++ library's own ("__cxa_throw") are known by theirs.
  if (!absl::StrContains(demangled, '(') && !absl::StartsWith(demangled, "__cxa")) {
    return std::string(CalledName(demangled));
  }
  std::string name = absl::StrReplaceAll(demangled, {{"(anonymous namespace)::", ""},
                                                     {"{anonymous}::", ""},
                                                     {"[abi:cxx11]", ""},
                                                     {"std::__cxx11::", "std::"}});
  // The signs of operators with brackets are none, longest first.
  constexpr const char* kOperators[] = {
      "operator<<=", "operator>>=", "operator<=>", "operator->*", "operator<<", "operator>>",
      "operator<=",  "operator>=",  "operator->",  "operator()",  "operator<",  "operator>"};
  std::string end;
  for (const char* const sign : kOperators) {
    const size_t found = name.find(sign);
    if (found == std::string::npos) continue;
    end = sign;
    name = name.substr(0, found);
    break;
  }
  name = WithoutBrackets(WithoutBrackets(name, '<', '>'), '(', ')');
  if (name.empty() && end == "operator()") return "a lambda";
  const size_t word = name.find("operator ");  // new, delete, bool
  const size_t space = name.substr(0, word).rfind(' ');
  absl::string_view last = name;
  if (absl::ConsumeSuffix(&last, " const")) return ShortFunction(last);
  if (space != std::string::npos && space + 1 < name.size()) name = name.substr(space + 1);
  return absl::StrCat(name, end);
}

std::optional<NamedStack> NameStack(const CountedStack& stack,
                                    const std::vector<std::string>& files, CodeNames* names) {
  const std::vector<Frame> frames = FramesOf(stack.places, files, names);
  if (frames.empty()) return std::nullopt;
  NamedStack named;
  named.site = SiteOf(frames);
  named.count = static_cast<double>(stack.count);
  for (auto frame = frames.rbegin() + 1; frame != frames.rend(); ++frame) {
    named.path.push_back(frame->name);
  }
  return named;
}

}  // namespace duetbench
