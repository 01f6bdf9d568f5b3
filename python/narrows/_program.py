"""The program ``narrows``: that of the package, else of the environment's NARROWS, else of the
PATH.
"""

import os
import shutil
import subprocess
import sys

from narrows._library import HERE


class Refused(Exception):
    """What the program said on its way to an exit status other than 0."""

    def __init__(self, status: int, text: str):
        super().__init__(text.strip() or f"narrows ended with status {status}")
        self.status = status


def path() -> str:
    """Where the program is; FileNotFoundError if it is nowhere."""
    inside = HERE / "bin" / "narrows"
    found = str(inside) if inside.exists() else os.environ.get("NARROWS") or shutil.which("narrows")
    if not found:
        raise FileNotFoundError(
            "the program narrows was not found: not in the package, nor as NARROWS, nor on the PATH"
        )
    return found


def run(*arguments: str) -> str:
    """What the program prints; Refused with what it said on stderr."""
    done = subprocess.run([path(), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(done.returncode, done.stderr)
    return done.stdout


def main() -> None:
    """The command ``narrows`` of an installed wheel."""
    try:
        program = path()
    except FileNotFoundError as e:
        sys.exit(f"narrows: {e}")
    os.execv(program, ["narrows", *sys.argv[1:]])
