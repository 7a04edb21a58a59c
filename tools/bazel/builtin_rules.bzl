"""Bazel looks for some repositories in every build, and would download them. The rules of them that this
tree needs are built into Bazel (up to 7); these repositories forward to the built-in rules.

    load("@duetbench//tools/bazel:builtin_rules.bzl", "duetbench_builtin_rules")
    duetbench_builtin_rules()  # first in WORKSPACE, for builds without a network
"""

_CC_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "objc_import",
    "objc_library",
]
_JAVA_RULES = ["java_binary", "java_import", "java_library", "java_runtime", "java_toolchain"]

def _builtin_rules(repository):
    lines = ["{0} = native.{0}".format(rule) for rule in repository.attr.rules]
    repository.file("BUILD.bazel", "")
    repository.file(repository.attr.folder + "/BUILD.bazel", "")
    repository.file(repository.attr.folder + "/" + repository.attr.file, "\n".join(lines) + "\n")

_repository_of_rules = repository_rule(
    implementation = _builtin_rules,
    attrs = {
        "file": attr.string(default = "defs.bzl"),
        "folder": attr.string(),
        "rules": attr.string_list(),
    },
)

def _no_coverage(repository):
    groups = [
        "filegroup(name = \"{}\", visibility = [\"//visibility:public\"])".format(name)
        for name in ["coverage_report_generator", "lcov_merger"]
    ]
    repository.file("BUILD.bazel", "\n".join(groups) + "\n")

_repository_without_coverage = repository_rule(implementation = _no_coverage)

def duetbench_builtin_rules():
    """Defines rules_cc, rules_java, rules_shell and remote_coverage_tools."""
    _repository_of_rules(name = "rules_cc", folder = "cc", rules = _CC_RULES)
    _repository_of_rules(name = "rules_java", folder = "java", rules = _JAVA_RULES)
    _repository_of_rules(
        name = "rules_shell",
        file = "sh_test.bzl",
        folder = "shell",
        rules = ["sh_test"],
    )
    _repository_without_coverage(name = "remote_coverage_tools")
