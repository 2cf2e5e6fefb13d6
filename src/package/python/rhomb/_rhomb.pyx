# SPDX-License-Identifier: MIT
# cython: language_level=3, binding=True, embedsignature=False, always_allow_keywords=True
"""The library for Python. Compiled, against the public headers, rather than called through ctypes
or cffi: the C compiler checks every structure, and a million short pairs cost what they cost in C.

Whoever changes this: a call releases the GIL while the library works and holds the device's lock,
as a context is for one thread at a time; callbacks take the GIL again. Bytes of sequences are
lent to the library, so what owns them is kept until it is done with them.
"""
cimport cython
from cpython.buffer cimport (PyBUF_FULL_RO, PyBUF_SIMPLE, PyBuffer_IsContiguous, PyBuffer_Release,
                             PyObject_GetBuffer)
from cpython.bytes cimport (PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize,
                            PyBytes_GET_SIZE)
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint64_t
from rhomb.rhomb_api cimport *

import os
from _thread import allocate_lock, get_ident
from array import array
from collections import deque, namedtuple
from weakref import WeakSet

from . import drivers, errors
from .errors import ArgumentError, DeviceError, Error

include "bases.pxi"
include "results.pxi"
include "device.pxi"
include "batch.pxi"
include "matrix.pxi"
include "report.pxi"
