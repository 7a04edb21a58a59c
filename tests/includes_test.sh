#!/usr/bin/env bash
# Checks that each file includes the headers of the names of Abseil and of the standard library that it
# uses: another version of either includes other headers in its headers.
#
#   tests/includes_test.sh REPOSITORY
#
# A header that the file's own header includes (x.h of x.cc, and of x_test.cc) counts, too. clang-tidy's
# misc-include-cleaner does not know that, and most of its findings are of this kind.
set -euo pipefail
cd "$1"

# HEADER…: NAME…. Each name needs one of the headers; a line that begins with a space continues.
standard_names() {
  cat <<'END'
algorithm: all_of any_of binary_search clamp copy copy_if copy_n count count_if equal
  equal_range fill fill_n find find_if for_each generate is_sorted lexicographical_compare
  lower_bound max max_element min min_element minmax_element mismatch none_of nth_element
  partial_sort partition remove_if replace reverse rotate set_difference shuffle sort
  stable_sort swap_ranges transform unique upper_bound
array: array
atomic: atomic atomic_signal_fence atomic_thread_fence memory_order_acquire memory_order_relaxed
  memory_order_release
cfenv: fegetround fesetround
chrono: chrono
cmath: ceil erf erfc exp exp2 expm1 fabs floor hypot isfinite isinf isnan llround log log10
  log1p log2 lround pow round sqrt
condition_variable: condition_variable
csignal: raise sig_atomic_t signal
cstdio: FILE fclose fflush fgets fopen fprintf fputc fputs fread fwrite perror printf putchar
  puts rename snprintf vsnprintf
cstdio algorithm: remove
cstdlib: _Exit abort aligned_alloc atexit atoi calloc exit free getenv malloc quick_exit realloc
  strtod strtol strtoul strtoull system
cstring: memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strrchr
  strsignal strstr
deque: deque
exception: current_exception exception_ptr rethrow_exception set_terminate terminate
  uncaught_exceptions
exception stdexcept: exception
filesystem: filesystem
fstream: fstream ifstream ofstream
functional: bind cref function greater hash less minus multiplies not_fn plus ref
iomanip: setfill setprecision setw
iostream: cerr cin cout
iterator: advance back_inserter distance inserter istream_iterator istreambuf_iterator
  make_move_iterator next prev
limits: numeric_limits
list: list
map: map multimap
memory: addressof align enable_shared_from_this make_shared make_unique shared_ptr unique_ptr
  weak_ptr
mutex: call_once lock_guard mutex once_flag scoped_lock unique_lock
new: bad_alloc launder nothrow set_new_handler
numeric: accumulate gcd inner_product iota partial_sum reduce
optional: make_optional nullopt optional
ostream iostream sstream fstream: endl
iosfwd ostream iostream sstream fstream: ostream
queue: priority_queue queue
random: bernoulli_distribution exponential_distribution lognormal_distribution minstd_rand
  mt19937 mt19937_64 normal_distribution poisson_distribution random_device
  uniform_int_distribution uniform_real_distribution
regex: regex regex_match regex_replace regex_search smatch sregex_iterator
set: multiset set
sstream: istringstream ostringstream stringstream
stdexcept: domain_error invalid_argument length_error logic_error out_of_range runtime_error
string: getline stod stoi stol stoull string to_string
string_view: string_view
system_error: error_code system_error
thread: this_thread thread
tuple: apply make_tuple tie tuple
type_traits: conditional_t decay_t enable_if_t false_type integral_constant invoke_result_t
  is_base_of_v is_constructible_v is_convertible_v is_enum_v is_floating_point_v is_integral_v
  is_invocable_v is_pointer_v is_same_v is_trivially_copyable_v is_void_v remove_cv_t
  remove_reference_t true_type void_t
unordered_map: unordered_map
unordered_set: unordered_set
utility: declval exchange forward index_sequence make_index_sequence make_pair
utility algorithm: move swap
utility map: pair
variant: holds_alternative monostate variant visit
variant tuple: get_if
vector: vector
END
}

# awk has no \b. Comments and strings are left out.
check() {
  find "$@" \( -name '*.cc' -o -name '*.h' \) -print0 | sort -z |
    STANDARD_NAMES=$(standard_names | sed -z 's/\n / /g') xargs -0 awk '
  BEGIN {
    count = split(ENVIRON["STANDARD_NAMES"], lines, "\n")
    for (i = 1; i <= count; ++i) {
      split(lines[i], parts, ": ")
      names = split(parts[2], list, / +/)
      for (k = 1; k <= names; ++k) standard[list[k]] = parts[1]
    }
    header["ascii"] = "StripAsciiWhitespace StripTrailingAsciiWhitespace AsciiStrToUpper \
      StripLeadingAsciiWhitespace AsciiStrToLower ascii_isxdigit ascii_ispunct ascii_islower \
      ascii_isupper ascii_isdigit ascii_isalpha ascii_isalnum ascii_isspace"
    header["charconv"] = "from_chars"
    header["escaping"] = "CUnescape CEscape CHexEscape BytesToHexString Base64Escape Base64Unescape \
      WebSafeBase64Escape WebSafeBase64Unescape"
    header["match"] = "StartsWith EndsWith StrContains EqualsIgnoreCase"
    header["numbers"] = "SimpleAtoi SimpleAtod SimpleAtob SimpleHexAtoi"
    header["str_cat"] = "StrCat StrAppend AlphaNum Hex Dec"
    header["str_format"] = "StrFormat StrAppendFormat"
    header["str_join"] = "StrJoin PairFormatter"
    header["str_replace"] = "StrReplaceAll"
    header["str_split"] = "StrSplit ByAnyChar MaxSplits SkipEmpty SkipWhitespace"
    header["strip"] = "ConsumePrefix ConsumeSuffix StripPrefix StripSuffix"
    for (name in header) {
      count = split(header[name], functions, /[ \n\\]+/)
      for (i = 1; i <= count; ++i) {
        if (functions[i] != "") of["absl::" functions[i]] = "absl/strings/" name ".h"
      }
    }
    of["absl::Cleanup"] = of["absl::MakeCleanup"] = "absl/cleanup/cleanup.h"
    of["absl::flat_hash_map"] = "absl/container/flat_hash_map.h"
    of["absl::btree_map"] = "absl/container/btree_map.h"
    # These come along. What is in neither table is an error.
    count = split("Status StatusOr StatusCode OkStatus Span MakeSpan MakeConstSpan string_view " \
      "from_chars_result chars_format ErrnoToStatus " \
      "AbortedError CancelledError DataLossError FailedPreconditionError InternalError " \
      "InvalidArgumentError NotFoundError PermissionDeniedError ResourceExhaustedError " \
      "UnavailableError UnimplementedError OutOfRangeError DeadlineExceededError UnknownError " \
      "AlreadyExistsError " \
      "IsAborted IsCancelled IsDataLoss IsFailedPrecondition IsInvalidArgument IsNotFound " \
      "IsResourceExhausted IsUnavailable IsPermissionDenied IsDeadlineExceeded", types, " ")
    for (i = 1; i <= count; ++i) comes_along["absl::" types[i]] = 1
  }
  FNR == 1 {
    stem = FILENAME
    sub(/.*\//, "", stem)
    sub(/\.cc$/, "", stem)
  }
  /^#include/ {
    if (match($0, /["<][^">]+/)) {
      path = substr($0, RSTART + 1, RLENGTH - 1)
      included[FILENAME, path] = 1
      name = path
      sub(/.*\//, "", name)
      sub(/\.h$/, "", name)
      if (name == stem || name "_test" == stem) own[FILENAME] = path
    }
    next
  }
  {
    gsub(/"([^"\\]|\\.)*"/, "")
    sub(/\/\/.*/, "")
    line = $0
    while (match(line, /std::[A-Za-z_0-9]+/)) {
      name = substr(line, RSTART + 5, RLENGTH - 5)
      line = substr(line, RSTART + RLENGTH)
      if (name in standard) uses[FILENAME, name] = 1
    }
    while (match($0, /absl::[A-Za-z_0-9]+/)) {
      name = substr($0, RSTART, RLENGTH)
      $0 = substr($0, RSTART + RLENGTH)
      if (name in comes_along || (FILENAME, name) in reported) continue
      reported[FILENAME, name] = 1
      if (!(name in of)) {
        print FILENAME ": " name " is not in the table of tests/includes_test.sh: add it"
      } else if (!((FILENAME, of[name]) in included)) {
        print FILENAME ": " name " needs #include \"" of[name] "\""
      }
    }
  }
  END {
    for (use in uses) {
      split(use, parts, SUBSEP)
      file = parts[1]
      found = 0
      count = split(standard[parts[2]], headers, " ")
      for (i = 1; i <= count; ++i) {
        if ((file, headers[i]) in included || (own[file], headers[i]) in included) found = 1
      }
      if (!found) print file ": std::" parts[2] " needs #include <" headers[1] ">"
    }
  }' | sort
}

# The check finds what it is there for.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' '#include "absl/strings/str_join.h"' '// absl::StrSplit' 'x = absl::StrJoin(absl::StrCat("absl::StrFormat"));' \
  'absl::Unheard();' 'std::vector<std::string> y; std::optional<int> z;' '#include <vector>' \
  '#include "bad.h"' >"$work/bad.cc"
printf '%s\n' '#include <optional>' >"$work/bad.h"
expected="bad.cc: absl::StrCat needs #include \"absl/strings/str_cat.h\"
bad.cc: absl::Unheard is not in the table of tests/includes_test.sh: add it
bad.cc: std::string needs #include <string>"
found=$(cd "$work" && check * | sed "s|^\./||")
if [[ $found != "$expected" ]]; then
  printf 'the check itself is wrong:\n%s\n' "$found" >&2
  exit 1
fi

found=$(check duetbench samples tools tests)
if [[ -n $found ]]; then
  printf '%s\n' "$found" >&2
  exit 1
fi
