"""Programs of duets that are linked several times, each time with their functions in another order and at
other distances; tools/cmake/DuetbenchLayouts.cmake has the same for CMake, and says what it is for.

    load("@duetbench//tools/bazel:layouts.bzl", "duet_layouts_binary", "duet_layouts_test")

    duet_layouts_binary(
        name = "my_benchmarks",
        layouts = 8,
        srcs = ["my_benchmarks.cc"],
        deps = ["@duetbench//duetbench:main"],
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")

# Of this repository, whatever its name is where it is used.
_SCRIPT = str(Label("//tools/cmake:duet_link_layouts.sh"))
_TOOLCHAIN = "@bazel_tools//tools/cpp:current_cc_toolchain"

def _beside_implementation(ctx):
    # Links to files: the program finds its layouts beside the file that it is, whatever its name.
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = ctx.executable.program,
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = [ctx.executable.program] + ctx.files.layouts + ctx.files.data)
    runfiles = runfiles.merge(ctx.attr.program[DefaultInfo].default_runfiles)
    return [DefaultInfo(
        executable = executable,
        files = depset([executable, ctx.executable.program] + ctx.files.layouts),
        runfiles = runfiles,
    )]

_ATTRIBUTES = {
    "data": attr.label_list(allow_files = True),
    "layouts": attr.label_list(allow_files = True, doc = "what lies in PROGRAM.layouts"),
    "program": attr.label(executable = True, cfg = "target"),
}

_layouts_binary = rule(
    implementation = _beside_implementation,
    attrs = _ATTRIBUTES,
    executable = True,
)

_layouts_test = rule(
    implementation = _beside_implementation,
    attrs = _ATTRIBUTES,
    test = True,
)

def _links(name, srcs, deps, layouts, seed, copts, linkopts, testonly, kwargs):
    """The program NAME.program, and its layouts; returns their labels."""
    if layouts < 3 or layouts > 64:
        fail("layouts = {} of {} should be a number from 3 to 64".format(layouts, name))
    objects = name + ".objects"
    program = name + ".program"
    cc_library(
        name = objects,
        testonly = testonly,
        srcs = srcs,
        alwayslink = True,
        copts = copts + ["-ffunction-sections"],
        linkstatic = True,
        visibility = ["//visibility:private"],
        deps = deps,
        **kwargs
    )
    cc_binary(
        name = program,
        testonly = testonly,
        linkopts = linkopts,
        visibility = ["//visibility:private"],
        deps = [":" + objects],
    )
    folder = program + ".layouts/"
    for layout in range(1, layouts):
        order, padding, options = [
            "{}.{}{}".format(name, layout, suffix)
            for suffix in [".order", ".padding.s", ".options"]
        ]
        native.genrule(
            name = "{}.{}".format(name, layout),
            testonly = testonly,
            srcs = [":" + program],
            outs = [order, padding, options],
            # readelf and nm are parts of the same binutils.
            cmd = "$(execpath {}) --options {} {} $(NM) $$(dirname $(NM))/readelf {}".format(
                _SCRIPT,
                layout,
                seed,
                " ".join(["$(execpath :%s)" % file for file in [program, order, padding, options]]),
            ),
            toolchains = [_TOOLCHAIN],
            tools = [_SCRIPT],
            visibility = ["//visibility:private"],
        )
        cc_binary(
            name = folder + str(layout),
            testonly = testonly,
            srcs = [padding],
            additional_linker_inputs = [order, options],
            linkopts = linkopts + ["@$(execpath :%s)" % options],
            visibility = ["//visibility:private"],
            deps = [":" + objects],
        )
    native.genrule(
        name = name + ".of",
        testonly = testonly,
        srcs = [":" + program],
        outs = [folder + "of"],
        cmd = "cksum <$< >$@",
        visibility = ["//visibility:private"],
    )
    return ":" + program, [":" + folder + str(layout) for layout in range(1, layouts)] + [
        ":" + folder + "of",
    ]

def duet_layouts_binary(
        name,
        srcs,
        deps,
        layouts = 8,
        seed = 1,
        copts = [],
        linkopts = [],
        data = [],
        testonly = False,
        visibility = None,
        **kwargs):
    """A program that is linked `layouts` times, among which it divides its runs.

    Args:
      name: of the program; NAME.program and others, which it needs, get names that begin with it.
      srcs: as of a cc_library.
      deps: as of a cc_library.
      layouts: from 3 to 64; 8 or more give intervals that are not much wider than those of one.
      seed: fixes the orders.
      copts: as of a cc_library.
      linkopts: of each link.
      data: what the program reads.
      testonly: as usual.
      visibility: as usual.
      **kwargs: other attributes of a cc_library, such as local_defines.
    """
    program, parts = _links(name, srcs, deps, layouts, seed, copts, linkopts, testonly, kwargs)
    _layouts_binary(
        name = name,
        testonly = testonly,
        data = data,
        layouts = parts,
        program = program,
        visibility = visibility,
    )

def duet_layouts_test(
        name,
        srcs,
        deps,
        layouts = 8,
        seed = 1,
        copts = [],
        linkopts = [],
        data = [],
        args = [],
        size = "medium",
        tags = ["exclusive"],
        visibility = None,
        **kwargs):
    """The same as a test: of gates, or with GoogleTest. It never runs beside another test.

    Args:
      name: of the test.
      srcs: as of duet_layouts_binary.
      deps: as of duet_layouts_binary.
      layouts: as of duet_layouts_binary.
      seed: as of duet_layouts_binary.
      copts: as of duet_layouts_binary.
      linkopts: as of duet_layouts_binary.
      data: as of duet_layouts_binary.
      args: of the program.
      size: as of a cc_test.
      tags: as of a cc_test.
      visibility: as usual.
      **kwargs: other attributes of a cc_library, such as local_defines.
    """
    program, parts = _links(name, srcs, deps, layouts, seed, copts, linkopts, True, kwargs)
    _layouts_test(
        name = name,
        size = size,
        testonly = True,
        args = args,
        data = data,
        layouts = parts,
        program = program,
        tags = tags,
        visibility = visibility,
    )
