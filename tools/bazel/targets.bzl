"""Macros that declare the targets of this tree; tools/cmake/DuetbenchTargets.cmake has the same for
CMake."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

EXTERNAL = [
    "@boost//:boost.math",
    "@com_github_google_benchmark//:benchmark",
    "@com_github_nlohmann_json//:json",
    "@com_google_absl//absl/cleanup",
    "@com_google_absl//absl/container:flat_hash_map",
    "@com_google_absl//absl/status",
    "@com_google_absl//absl/status:statusor",
    "@com_google_absl//absl/strings",
    "@com_google_absl//absl/strings:str_format",
    "@com_google_absl//absl/types:span",
    "@libpfm",
]

# The same as in duetbench/google_benchmark/wrapped_symbols.txt.
WRAP_OPTIONS = ["-Wl,--wrap=" + symbol for symbol in [
    "_ZN9benchmark5State16StartKeepRunningEv",
    "_ZN9benchmark5State17FinishKeepRunningEv",
    "_ZN9benchmark5State11PauseTimingEv",
    "_ZN9benchmark5State12ResumeTimingEv",
    "_ZN9benchmark5State16SetIterationTimeEd",
    "_ZN9benchmark5State8SetLabelEPKc",
    "_ZN9benchmark5State8SetLabelERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZN9benchmark5State13SkipWithErrorEPKc",
    "_ZN9benchmark5State13SkipWithErrorERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZN9benchmark5State15SkipWithMessageERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE",
    "_ZN9benchmark8internal25RegisterBenchmarkInternalESt10unique_ptrINS0_9BenchmarkESt14default_deleteIS2_EE",
    "_ZN9benchmark8internal25RegisterBenchmarkInternalESt10unique_ptrINS_9BenchmarkESt14default_deleteIS2_EE",
    "_ZN9benchmark25ClearRegisteredBenchmarksEv",
    "_ZN9benchmark22RunSpecifiedBenchmarksEv",
    "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterE",
    "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterES1_",
    "dlopen",
]]

def duetbench_layer(folder, below, exclude, deps):
    """A folder of the library: the target FOLDER_layer, which includes the folders `below`."""
    cc_library(
        name = folder + "_layer",
        srcs = native.glob([folder + "/*.cc"], exclude = exclude),
        hdrs = native.glob([folder + "/*.h"]),
        visibility = [
            "//tests:__pkg__",
            "//tools:__subpackages__",
        ],
        deps = [":%s_layer" % layer for layer in below] + [":version"] + EXTERNAL + deps,
    )

# For tests and tools, which include headers of every layer.
DUETBENCH_INSIDE = EXTERNAL + [
    "//duetbench",
    "//duetbench:version",
] + [
    "//duetbench:%s_layer" % layer
    for layer in [
        "api",
        "code_layout",
        "decide",
        "experiment",
        "google_benchmark",
        "main",
        "measure",
        "platform",
        "record",
        "report",
        "variant",
    ]
]

def duetbench_test(name, srcs, deps = [], data = [], local_defines = [], tags = [], **kwargs):
    """A GoogleTest program.

    Tags: a `timing` test never runs beside another test; a `long` test takes more than 5 seconds and runs
    only on request (--config=long).
    """
    cc_test(
        name = name,
        size = "large" if "long" in tags else "medium",
        srcs = srcs,
        data = data + native.glob(["testdata/**"]),
        local_defines = local_defines + ["DUETBENCH_TESTDATA=\\\"tests/testdata\\\""],
        tags = tags + (["exclusive"] if "timing" in tags else []),
        deps = deps + DUETBENCH_INSIDE + [
            ":headers",
            "//duetbench:gtest",
            "//duetbench:gtest_layer",
            "@com_google_googletest//:gtest_main",
        ],
        **kwargs
    )

def duetbench_shell_test(name, script, args = [], data = [], tags = []):
    """A script that passes if its exit status is 0."""
    sh_test(
        name = name,
        size = "medium",
        srcs = [script],
        args = args,
        data = data,
        tags = tags + (["exclusive"] if "timing" in tags else []),
    )

def duetbench_runs(name, program):
    """A test that runs a program of benchmarks briefly and passes if it exits with 0."""
    duetbench_shell_test(
        name = name,
        script = "//tools/bazel:run.sh",
        args = [
            "$(rootpath {})".format(program),
            "--benchmark_min_time=0.02",
            "--duet_runs=2",
            "--duet_inconclusive=pass",
        ],
        data = [program],
        tags = ["timing"],
    )

def duetbench_sample(name, srcs, deps = [], testonly = False, **kwargs):
    """A program of samples/, and the test sample.NAME, which runs it briefly."""
    cc_binary(
        name = name,
        testonly = testonly,
        srcs = srcs,
        deps = deps + ["//duetbench"],
        **kwargs
    )
    duetbench_runs(name = "sample." + name, program = ":" + name)
