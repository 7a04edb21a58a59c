#!/usr/bin/env bash
# Checks that each file that calls a function of Abseil includes the function's header itself: another
# version of Abseil includes other headers in its headers. Types (Status, StatusOr, Span, string_view)
# and what makes them may come with the header that declares a function of them.
#
#   tests/includes_test.sh REPOSITORY
set -euo pipefail
cd "$1"

# awk has no \b. Comments and strings are left out.
check() {
  find "$@" \( -name '*.cc' -o -name '*.h' \) -print0 | sort -z | xargs -0 awk '
  BEGIN {
    header["ascii"] = "StripAsciiWhitespace StripTrailingAsciiWhitespace AsciiStrToUpper \
      StripLeadingAsciiWhitespace AsciiStrToLower ascii_isxdigit ascii_ispunct ascii_islower \
      ascii_isupper ascii_isdigit ascii_isalpha ascii_isalnum ascii_isspace"
    header["charconv"] = "from_chars"
    header["escaping"] = "CUnescape CEscape CHexEscape BytesToHexString Base64Escape Base64Unescape"
    header["match"] = "StartsWith EndsWith StrContains EqualsIgnoreCase"
    header["numbers"] = "SimpleAtoi SimpleAtod SimpleAtob SimpleHexAtoi"
    header["str_cat"] = "StrCat StrAppend AlphaNum Hex Dec"
    header["str_format"] = "StrFormat StrAppendFormat"
    header["str_join"] = "StrJoin"
    header["str_replace"] = "StrReplaceAll"
    header["str_split"] = "StrSplit ByAnyChar MaxSplits SkipEmpty SkipWhitespace"
    header["strip"] = "ConsumePrefix ConsumeSuffix StripPrefix StripSuffix"
    for (name in header) {
      count = split(header[name], functions, /[ \n\\]+/)
      for (i = 1; i <= count; ++i) {
        if (functions[i] != "") of["absl::" functions[i]] = "absl/strings/" name ".h"
      }
    }
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
  /^#include/ {
    if (match($0, /absl\/[a-z_\/]+\.h/)) included[FILENAME, substr($0, RSTART, RLENGTH)] = 1
    next
  }
  {
    gsub(/"([^"\\]|\\.)*"/, "")
    sub(/\/\/.*/, "")
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
  }'
}

# The check finds what it is there for.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' '#include "absl/strings/str_join.h"' '// absl::StrSplit' 'x = absl::StrJoin(absl::StrCat("absl::StrFormat"));' \
  'absl::Unheard();' >"$work/bad.cc"
expected="bad.cc: absl::StrCat needs #include \"absl/strings/str_cat.h\"
bad.cc: absl::Unheard is not in the table of tests/includes_test.sh: add it"
found=$(check "$work" | sed "s|^$work/||")
if [[ $found != "$expected" ]]; then
  printf 'the check itself is wrong:\n%s\n' "$found" >&2
  exit 1
fi

found=$(check duetbench samples tools tests)
if [[ -n $found ]]; then
  printf '%s\n' "$found" >&2
  exit 1
fi
