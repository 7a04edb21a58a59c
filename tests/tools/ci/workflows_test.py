#!/usr/bin/env python3
"""Validates the files of tools/ci and executes every command in them.

  workflows_test.py SOURCE_DIR DUET OLD NEW

OLD and NEW are programs with the benchmark manual/manual_time, of which new takes twice as long. The
commands run in a small repository. `sudo`, `apt-get` and `gh` are programs that record their calls, and
$DUETBENCH is a project whose target `duet` copies DUET. Exit status 77: there is no python3-yaml,
python3-jsonschema, cmake, git or jq.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}; install python3-yaml and python3-jsonschema")
    sys.exit(77)
if not all(map(shutil.which, ["cmake", "git", "jq"])):
    print("skipped: there is no cmake, git or jq")
    sys.exit(77)

source, duet, old, new = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
failures = []


def check(condition, what):
    if not condition:
        print("FAILED:", what)
        failures.append(what)


class Loader(yaml.SafeLoader):
    """YAML 1.2, as the services read it: `on` is a string."""


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(path, schema):
    document = yaml.load((source / path).read_text(), Loader)
    schema = json.loads((source / "tests/tools/ci" / schema).read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(document):
        check(False, f"{path}: {list(error.path)}: {error.message}")
    return document


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


# What `gh` answers. It records its arguments and the bodies that it is given.
GH = r"""#!/bin/bash
printf '%s\n' "$*" >>"$GH_LOG"
method=GET body= filter= path=
while [ $# -gt 0 ]; do
  case $1 in
    api | --paginate) ;;
    --method) method=$2; shift ;;
    --field) body=${2#body=@}; shift ;;
    --jq) filter=$2; shift ;;
    *) path=$1 ;;
  esac
  shift
done
[ -z "$body" ] || cp "$body" "$GH_LOG.body"
case $method$path in
  GET*/pulls/7) printf '{"head": {"sha": "abc"}}' | jq -r "$filter" ;;
  GET*/comments) printf '%s' "$GH_COMMENTS" | jq -r "$filter" ;;
  PATCH* | POST*) ;;
  *) exit 1 ;;
esac
"""


class World:
    """A repository with a branch `main` and a change on top of it, and the programs of the runner."""

    def __init__(self, folder, changed):
        self.folder = pathlib.Path(folder)
        self.repository = self.folder / "repository"
        record = '#!/bin/sh\necho "$0 $*" >>"$CALLS"\n'
        write(self.folder / "bin/sudo", record, 0o755)
        write(self.folder / "bin/apt-get", record, 0o755)
        write(self.folder / "bin/gh", GH, 0o755)
        # A launcher that is not there would fail the build.
        if not shutil.which("ccache"):
            write(self.folder / "bin/ccache", '#!/bin/sh\nexec "$@"\n', 0o755)
        self.write_tool('exec "$DUET" "$@"')
        write(self.folder / "hooks/none", "")
        write(
            self.repository / "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(small CXX)\n"
            "file(STRINGS which which)\nadd_library(compiled STATIC a.cc)\n"
            "configure_file(${which} bench COPYONLY)\n",
        )
        write(self.repository / "a.cc", "int a() { return 1; }\n")
        write(self.repository / "which", f"{old}\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("add", "-A")
        self.commit("base")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        write(self.repository / "which", f"{changed}\n")
        write(self.repository / "note", "changed\n")
        self.git("add", "-A")
        self.commit("head")

    def write_tool(self, command):
        """The project whose target `duet` is a script that executes `command`."""
        tool = self.folder / "duetbench"
        write(tool / "duet.sh", f"#!/bin/sh\n{command}\n", 0o755)
        write(
            tool / "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(duetbench NONE)\n"
            "add_custom_target(duet COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/duet.sh"
            " ${CMAKE_BINARY_DIR}/tools/duet/duet)\n",
        )

    def git(self, *arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
        return subprocess.run(
            command, cwd=self.repository, check=True, capture_output=True, text=True
        ).stdout.strip()

    def commit(self, subject):
        self.git("commit", "--quiet", "--no-verify", "-m", subject)

    def environment(self, *variables):
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DUET", "BENCHMARK_", "GITHUB_", "CI_"))
        }
        environment.update(
            HOME=str(self.folder / "home"),
            XDG_CACHE_HOME=str(self.folder / "cache"),
            PATH=f"{self.folder / 'bin'}:{environment['PATH']}",
            CALLS=str(self.folder / "calls"),
            GITHUB_STEP_SUMMARY=str(self.folder / "step_summary"),
            DUET=str(duet),
            BENCHMARK_FILTER="^manual",
            GH_LOG=str(self.folder / "gh.log"),
        )
        for some in variables:
            environment.update({name: str(value) for name, value in some.items()})
        environment["FLAGS"] = environment.get("FLAGS", "").replace("5min", "30s")
        environment["DUETBENCH"] = str(self.folder / "duetbench")
        return environment

    def execute(self, commands, environment, shell):
        """Executes them in this order until one fails; returns the last exit status."""
        for command in commands:
            done = subprocess.run(
                [*shell, command],
                cwd=self.repository,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            print(done.stdout)
            if done.returncode != 0:
                return done.returncode
        return 0


def runs(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def evaluated(variables, values):
    """Variables with the expressions ${{ … }} replaced."""
    result = {}
    for name, value in variables.items():
        text = str(value)
        for expression, replacement in values.items():
            text = text.replace("${{ " + expression + " }}", replacement)
        check("${{" not in text, f"the value of {name} is known: {text}")
        result[name] = text
    return result


GITHUB_SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
GITLAB_SHELL = ["bash", "-eo", "pipefail", "-c"]

compare = load("tools/ci/github/duet.yml", "workflow.schema.json")
comment = load("tools/ci/github/comment.yml", "workflow.schema.json")
gitlab = load("tools/ci/gitlab.yml", "gitlab.schema.json")
check(comment["on"]["workflow_run"]["workflows"] == [compare["name"]], "comment.yml follows duet.yml")


def github(changed, wanted, tool=None):
    with tempfile.TemporaryDirectory() as folder:
        world = World(folder, changed)
        if tool is not None:
            world.write_tool(tool)
        job = compare["jobs"]["duet"]
        values = {
            "github.base_ref": "main",
            "github.event.pull_request.number": "7",
            "github.workspace": str(world.repository),
        }
        environment = world.environment(compare["env"], evaluated(job["env"], values))
        status = world.execute(runs(job), environment, GITHUB_SHELL)
        check(status == wanted, f"GitHub: exit status {status}, not {wanted}")
        calls = (world.folder / "calls").read_text()
        check("apt-get install --yes" in calls and "ccache" in calls, "packages are installed")
        results = world.repository / "duet/results"
        check((results / "number").read_text() == "7\n", "the artifact has the number")
        summary = (results / "summary.md").read_text()
        check((world.folder / "step_summary").read_text() == summary, "the job has the summary")
        if tool is None:
            check("manual" in summary, f"the summary is that of the comparison: {summary}")
            for existing in ["", "42"]:
                commented(world, summary, existing)
            moved(world)


def comments_environment(world, head):
    job = comment["jobs"]["comment"]
    values = {
        "github.token": "t",
        "github.repository": "o/r",
        "github.event.workflow_run.head_sha": head,
    }
    return runs(job), world.environment(evaluated(job["env"], values))


def commented(world, summary, existing):
    """The comment is made, or the one with the number `existing` is replaced."""
    # The artifact is where the first workflow has put it.
    shutil.copytree(world.repository / "duet/results", world.repository / "duet", dirs_exist_ok=True)
    (world.folder / "gh.log").unlink(missing_ok=True)
    commands, environment = comments_environment(world, "abc")
    marked = {"user": {"type": "Bot"}, "body": "<!-- duetbench -->\nold", "id": 42}
    other = {"user": {"type": "User"}, "body": "<!-- duetbench -->\nmine", "id": 41}
    environment["GH_COMMENTS"] = json.dumps([other, marked] if existing else [other])
    status = world.execute(commands, environment, GITHUB_SHELL)
    check(status == 0, f"the comment: exit status {status}")
    last = (world.folder / "gh.log").read_text().splitlines()[-1]
    wanted = "PATCH repos/o/r/issues/comments/42" if existing else "POST repos/o/r/issues/7/comments"
    check(wanted in last, f"the comment: {last}")
    body = (world.folder / "gh.log.body").read_text()
    check(body == "<!-- duetbench -->\n" + summary, "the comment has the summary")


def moved(world):
    """Nothing is written where the number is not that of a pull request with this head."""
    (world.folder / "gh.log").unlink()
    commands, environment = comments_environment(world, "another")
    check(world.execute(commands, environment, GITHUB_SHELL) == 0, "another head is no error")
    log = (world.folder / "gh.log").read_text()
    check("POST" not in log and "PATCH" not in log, "another head gets no comment")


def run_gitlab(changed, wanted):
    with tempfile.TemporaryDirectory() as folder:
        world = World(folder, changed)
        job = gitlab["duet"]
        given = {
            "CI_PROJECT_DIR": str(world.repository),
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": world.git("rev-parse", "origin/main"),
        }
        variables = {
            name: str(value).replace("$CI_PROJECT_DIR", given["CI_PROJECT_DIR"])
            for name, value in job["variables"].items()
        }
        environment = world.environment(variables, given)
        status = world.execute(job["script"], environment, GITLAB_SHELL)
        check(status == wanted, f"GitLab: exit status {status}, not {wanted}")
        for path in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
            check((world.repository / path).stat().st_size > 0, f"GitLab: there is {path}")


github(changed=old, wanted=0)
github(changed=new, wanted=1)
undecided = 'mkdir -p duet/results; echo undecided >duet/results/summary.md; exit 77'
github(changed=old, wanted=0, tool=undecided)
github(changed=old, wanted=2, tool=undecided.replace("77", "2"))
run_gitlab(changed=old, wanted=0)
run_gitlab(changed=new, wanted=1)
check(gitlab["duet"]["allow_failure"]["exit_codes"] == 77, "GitLab: an undecided gate passes")
sys.exit(1 if failures else 0)
