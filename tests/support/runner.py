"""What the test programs in Python share: finding tools and data, running commands, counting results."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = ["hprof-index", "hprof-graph", "hprof-domtree", "hprof-report"]
DRIVER = ROOT / "scripts" / "hprof-analyze"


def tool(name):
    """The built executable `name`: in $HPROF_BIN (a build folder or one with the tools in it), else in build-release."""
    base = pathlib.Path(os.environ.get("HPROF_BIN") or ROOT / "build-release")
    base = base if base.is_absolute() else pathlib.Path.cwd() / base
    for candidate in (base / name, base / "tools" / name / name, base / "tests" / "support" / name,
                      base / "tests" / "bench" / name):
        if candidate.is_file():
            return str(candidate)
    sys.exit(f"{name} is not built in {base}; build it or set HPROF_BIN")


def have_tools(*names):
    """Whether all of them are built."""
    base = pathlib.Path(os.environ.get("HPROF_BIN") or ROOT / "build-release")
    return all((base / name).is_file() or (base / "tools" / name / name).is_file() for name in names)


def shared_folder():
    """The folder with corpus/ and cases/, or None where this checkout has none."""
    path = pathlib.Path(os.environ.get("HPROF_CORPUS") or ROOT.parent / "shared")
    return path if (path / "corpus").is_dir() or (path / "cases").is_dir() else None


def run(arguments, **options):
    """A command with captured output; exit status, stdout and stderr as text."""
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, errors="replace",
                          check=False, **options)


def jdks():
    """The java programs of this machine by the name of their JDK, that of the path first, each once."""
    on_path = [pathlib.Path(shutil.which("java"))] if shutil.which("java") else []
    programs = {}
    for program in [*on_path, *sorted(pathlib.Path("/usr/lib/jvm").glob("*/bin/java"))]:
        programs.setdefault(program.resolve(), program.resolve().parent.parent.name)
    return {name: program for program, name in programs.items()}


def environment(**extra):
    """This environment with HPROF_BIN made absolute."""
    result = dict(os.environ, **extra)
    if "HPROF_BIN" in result:
        result["HPROF_BIN"] = str(pathlib.Path(result["HPROF_BIN"]).resolve())
    return result


class Folder:
    """A temporary folder as a context."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="hprof-test-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


class Results:
    """Counts checks and prints the ones that fail."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def check(self, what, good, detail=""):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {what}" + (f": {detail}" if detail else ""), flush=True)
        return good

    def equal(self, what, ours, expected):
        return self.check(what, ours == expected, f"{ours!r}, expected {expected!r}")

    def skip(self, what, reason):
        self.skipped += 1
        print(f"skip {what}: {reason}", flush=True)

    def finish(self):
        """Prints the closing line and ends the program."""
        if self.skipped:
            print(f"{self.skipped} skipped")
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
