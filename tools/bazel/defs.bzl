"""Rules for users.

    load("@duetbench//tools/bazel:defs.bzl", "duet_benchmark_test")

    duet_benchmark_test(
        name = "gate_test",
        srcs = ["gate_test.cc"],
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_test")

def duet_benchmark_test(name, srcs, deps = [], args = [], tags = [], size = "large", **kwargs):
    """A program of duets as a test, which fails where a gate does. It never runs beside another test.

    A gate that stays undecided passes: Bazel has no status for skipped tests, and the default status of
    such a program, 77, would be a failure. With args = ["--duet_inconclusive=fail"] it fails.

    Args:
      name: of the test.
      srcs: with duets; DUET_MAIN() or another main is not needed.
      deps: further libraries; duetbench and its main are added.
      args: of the program, such as "--duet_max_ratio=1.05".
      tags: further tags; "exclusive" is added.
      size: as of a cc_test.
      **kwargs: other attributes of a cc_test.
    """
    cc_test(
        name = name,
        size = size,
        srcs = srcs,
        args = ["--duet_inconclusive=pass"] + args,
        linkstatic = True,
        tags = tags + ([] if "exclusive" in tags else ["exclusive"]),
        deps = deps + [str(Label("//duetbench:main"))],
        **kwargs
    )
