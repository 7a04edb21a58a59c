"""How the tests and samples of this tree are declared; tools/cmake/DuetbenchTargets.cmake says the
same for CMake."""

def duetbench_test(name, srcs, deps = [], data = [], local_defines = [], tags = [], **kwargs):
    """A GoogleTest program.

    Tags: `timing` is never run beside another test; `long` takes more than 5 seconds, and is run
    only when it is asked for (--config=long).
    """
    native.cc_test(
        name = name,
        size = "large" if "long" in tags else "medium",
        srcs = srcs,
        data = data + ["//tests/testdata"],
        local_defines = local_defines + ["DUETBENCH_TESTDATA=\\\"tests/testdata\\\""],
        tags = tags + (["exclusive"] if "timing" in tags else []),
        deps = deps + [
            "//tests:headers",
            "@com_google_googletest//:gtest_main",
        ],
        **kwargs
    )

def duetbench_shell_test(name, script, args = [], data = [], tags = []):
    """A test that is a script: passed if its exit status is 0."""
    native.sh_test(
        name = name,
        size = "medium",
        srcs = [script],
        args = args,
        data = data,
        tags = tags + (["exclusive"] if "timing" in tags else []),
    )

def duetbench_runs(name, program):
    """The test that a program of benchmarks works, whatever it finds out."""
    duetbench_shell_test(
        name = name,
        script = "//tools/bazel:run.sh",
        args = ["$(rootpath {})".format(program), "--benchmark_min_time=0.02", "--duet_runs=2"],
        data = [program],
        tags = ["timing"],
    )

def duetbench_sample(name, srcs, deps = [], testonly = False):
    """A program of samples/, and the test sample.NAME that runs it for a moment."""
    native.cc_binary(
        name = name,
        testonly = testonly,
        srcs = srcs,
        deps = deps + ["//duetbench"],
    )
    duetbench_runs(name = "sample." + name, program = ":" + name)
