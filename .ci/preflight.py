"""Says in one sentence why Maya cannot be set up here, before anything is begun.

Runs under whatever Python the machine has, so it keeps to what Python 3.5 can read.
"""

import importlib.util
import os
import platform
import sys

OLDEST = (3, 11)
SYSTEMS = ("linux", "darwin")
MACHINES = ("x86_64", "aarch64", "arm64")


def problem():
    """Returns what stands in the way, in a sentence, or None."""
    version = sys.version_info[:2]
    if version < OLDEST:
        return (
            "Maya needs Python {}.{} or newer and this is {}.{}:"
            " name another one with `make PYTHON=/path/to/python3`."
        ).format(*OLDEST + version)
    if not has_wheels():
        return (
            "Maya's embedded servers run on Linux with glibc and on macOS"
            " (x86_64 or arm64), not on {} {}."
        ).format(platform.system(), platform.machine())
    if not os.access(".", os.W_OK):
        return "{} cannot be written.".format(os.getcwd())
    if importlib.util.find_spec("ensurepip") is None:
        return (
            "This Python cannot make virtual environments:"
            " install its venv package (Debian: python3-venv)."
        )
    return None


def has_wheels():
    """Tells if PostgreSQL and Valkey have wheels for this platform."""
    libc = platform.libc_ver()[0] if sys.platform == "linux" else ""
    return (
        sys.platform in SYSTEMS
        and platform.machine() in MACHINES
        and (sys.platform != "linux" or libc == "glibc")
    )


if __name__ == "__main__":
    sys.exit(problem())
