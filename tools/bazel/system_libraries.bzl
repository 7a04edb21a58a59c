"""The libraries of the system (Debian's -dev packages) under the labels of their Bazel builds: BUILD
files are the same for both.

    load("@duetbench//tools/bazel:system_libraries.bzl", "duetbench_system_libraries")
    duetbench_system_libraries()  # in WORKSPACE; keeps repositories that are defined before it

Nothing is downloaded: compilers find the headers by default, and pkg-config lists what to link.
"""

_FOLDERS = ["/usr/include/", "/usr/local/include/"]

def _library(name, linkopts, deps, defines):
    return """cc_library(
    name = "{}",
    defines = {},
    linkopts = {},
    visibility = ["//visibility:public"],
    deps = {},
)
""".format(name, repr(defines), repr(linkopts), repr(deps))

def _linkopts(repository, module):
    result = repository.execute(["pkg-config", "--libs", module])
    if result.return_code != 0:
        fail("pkg-config --libs {}: {}".format(module, result.stderr))
    options = []
    for option in result.stdout.strip().split(" "):
        if option and option not in options:
            options.append(option)
    return options

def _system_library(repository):
    attributes = repository.attr
    found = [
        folder
        for folder in _FOLDERS
        if repository.path(folder + attributes.header).exists
    ]
    if not found and not attributes.optional:
        fail("{} does not exist: apt-get install {}".format(attributes.header, attributes.package))
    packages = {}
    for label, modules in attributes.targets.items():
        package, name = label.split(":")
        linkopts = []
        for module in modules:
            linkopts += [module] if module.startswith("-") else _linkopts(repository, module)
        packages.setdefault(package, []).append(_library(
            name,
            linkopts if found else [],
            attributes.dependencies,
            attributes.definitions if found else [],
        ))
    for package, libraries in packages.items():
        path = package + "/BUILD.bazel" if package else "BUILD.bazel"
        repository.file(path, "\n".join(libraries), executable = False)

_repository = repository_rule(
    implementation = _system_library,
    attrs = {
        "header": attr.string(doc = "a header of the library: the library is installed if it exists"),
        "package": attr.string(doc = "the Debian package of the library"),
        "targets": attr.string_list_dict(
            doc = "by label, 'package:name': pkg-config modules and link options",
        ),
        "dependencies": attr.string_list(doc = "of every target"),
        "definitions": attr.string_list(doc = "preprocessor definitions if the library is installed"),
        "optional": attr.bool(doc = "without it the targets are empty"),
    },
    local = True,
)

def duetbench_system_libraries():
    """Defines the repositories of all libraries that duetbench needs."""
    known = native.existing_rules()
    if "com_github_google_benchmark" not in known:
        _repository(
            name = "com_github_google_benchmark",
            header = "benchmark/benchmark.h",
            package = "libbenchmark-dev",
            targets = {
                ":benchmark": ["benchmark", "-pthread"],
                ":benchmark_main": ["benchmark", "-lbenchmark_main", "-pthread"],
            },
        )
    if "com_google_absl" not in known:
        _repository(
            name = "com_google_absl",
            header = "absl/strings/string_view.h",
            package = "libabsl-dev",
            targets = {
                "absl/base:core_headers": ["absl_core_headers"],
                "absl/cleanup:cleanup": ["absl_cleanup"],
                "absl/container:btree": ["absl_btree"],
                "absl/container:flat_hash_map": ["absl_flat_hash_map"],
                "absl/status:status": ["absl_status"],
                "absl/status:statusor": ["absl_statusor"],
                "absl/strings:str_format": ["absl_str_format"],
                "absl/strings:strings": ["absl_strings"],
                "absl/types:span": ["absl_span"],
            },
        )
    if "com_google_googletest" not in known:
        _repository(
            name = "com_google_googletest",
            header = "gmock/gmock.h",
            package = "libgmock-dev",
            targets = {
                ":gtest": ["gmock", "gtest", "-pthread"],
                ":gtest_main": ["gtest_main", "gmock", "gtest", "-pthread"],
            },
        )
    if "boost" not in known:
        _repository(
            name = "boost",
            header = "boost/math/distributions.hpp",
            package = "libboost-dev",
            targets = {":boost.math": []},
        )
    if "com_github_nlohmann_json" not in known:
        _repository(
            name = "com_github_nlohmann_json",
            header = "nlohmann/json.hpp",
            package = "nlohmann-json3-dev",
            targets = {":json": []},
        )
    if "com_github_cliutils_cli11" not in known:
        _repository(
            name = "com_github_cliutils_cli11",
            header = "CLI/CLI.hpp",
            package = "libcli11-dev",
            targets = {":cli11": []},
        )
    if "libpfm" not in known:
        _repository(
            name = "libpfm",
            header = "perfmon/pfmlib_perf_event.h",
            package = "libpfm4-dev",
            targets = {":libpfm": ["-ldl"]},  # loaded where it is needed
            definitions = ["DUETBENCH_HAVE_PFM"],
            optional = True,
        )
