# SPDX-License-Identifier: MIT
"""OpenCL's loader and drivers, where the system has none.

The loader finds drivers in /etc/OpenCL/vendors, or where OCL_ICD_VENDORS says. `pip install
rhomb[pocl]` brings PoCL, a driver for CPUs, in a place that it does not look at; and a machine may
have no loader at all, for which the package has one.
"""

import os
from contextlib import contextmanager

VENDORS = "/etc/OpenCL/vendors"
LOADER = os.path.join(os.path.dirname(__file__), "loader")

_loaded = False


def load_loader():
    """Loads the package's own libOpenCL.so.1, so that the module finds one. Returns whether it
    could."""
    global _loaded
    import ctypes

    path = os.path.join(LOADER, "libOpenCL.so.1")
    if not os.path.exists(path):
        return False
    ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    _loaded = True
    return True


def _packaged_pocl():
    """The library of the package pocl-binary-distribution, or None."""
    from importlib.util import find_spec

    spec = find_spec("pocl_binary_distribution")
    if spec is None or spec.origin is None:
        return None
    # Made for PyOpenCL, in whose folder it is.
    folder = os.path.join(os.path.dirname(os.path.dirname(spec.origin)), "pyopencl", ".libs")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        if name.startswith("libpocl"):
            return os.path.join(folder, name)
    return None


def _system_drivers():
    """The texts of the system's .icd files."""
    texts = []
    names = sorted(os.listdir(VENDORS)) if os.path.isdir(VENDORS) else []
    for name in names:
        if name.endswith(".icd"):
            with open(os.path.join(VENDORS, name), errors="surrogateescape") as file:
                texts.append(file.read())
    return texts


def _list_drivers():
    """A temporary folder with .icd files of the system's drivers and the packaged PoCL. None where
    the user has set OCL_ICD_VENDORS, or has a PoCL: nothing is to be changed there."""
    pocl = None if "OCL_ICD_VENDORS" in os.environ else _packaged_pocl()
    system = _system_drivers() if pocl else []
    if not pocl or any("pocl" in text for text in system):
        return None
    import tempfile

    folder = tempfile.TemporaryDirectory()
    for number, text in enumerate([*system, pocl]):
        path = os.path.join(folder.name, f"{number}.icd")
        with open(path, "w", errors="surrogateescape") as file:
            file.write(text)
    return folder


class shown:
    """While this is entered, the loader sees the system's drivers and the packaged PoCL.

    It reads the list once, when it is first asked for platforms, so the environment is as before
    afterwards.
    """

    done = False

    def __enter__(self):
        self.folder = None if shown.done else _list_drivers()
        if self.folder is not None:
            os.environ["OCL_ICD_VENDORS"] = self.folder.name

    def __exit__(self, *exception):
        shown.done = True
        if self.folder is not None:
            del os.environ["OCL_ICD_VENDORS"]
            self.folder.cleanup()


@contextmanager
def environment():
    """The environment of another process, which has the same loader and the same drivers."""
    folder = _list_drivers()
    variables = dict(os.environ)
    if _loaded:
        others = variables.get("LD_LIBRARY_PATH")
        variables["LD_LIBRARY_PATH"] = f"{LOADER}:{others}" if others else LOADER
    if folder is not None:
        variables["OCL_ICD_VENDORS"] = folder.name
    try:
        yield variables
    finally:
        if folder is not None:
            folder.cleanup()
