# SPDX-License-Identifier: MIT
# Sequences as the library takes them: a pointer and a length, with no copy where there is a way.

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_ASCII(object text)


cdef class View:
    """The buffer of an object, held for as long as this lives."""
    cdef Py_buffer buffer
    cdef bint held
    cdef bytes copy  # where the object's bytes are not one after the other

    def __cinit__(self, source):
        if not hasattr(type(source), "__bytes__") or isinstance(source, memoryview):
            PyObject_GetBuffer(source, &self.buffer, PyBUF_FULL_RO)
            self.held = True
            if self.buffer.itemsize != 1 or self.buffer.ndim != 1:
                raise TypeError("a sequence must be one-dimensional, of one byte for each base")
            if not PyBuffer_IsContiguous(&self.buffer, b"C"):
                self.copy = memoryview(source).tobytes()
        else:
            self.copy = bytes(source)

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)


cdef inline object lend(object source, const char **bases, int64_t *length):
    """Where the bases of `source` are. It must be kept for as long as they are used, and what is
    returned, if that is not None."""
    if not PyBytes_CheckExact(source):
        return lend_other(source, bases, length)
    bases[0] = PyBytes_AS_STRING(source)
    length[0] = PyBytes_GET_SIZE(source)
    return None


cdef object lend_other(object source, const char **bases, int64_t *length):
    cdef Py_ssize_t size
    cdef View view
    if isinstance(source, str):
        if not PyUnicode_IS_ASCII(source):
            raise ValueError("a sequence that is a str must be ASCII; encode others to bytes")
        bases[0] = PyUnicode_AsUTF8AndSize(source, &size)
        length[0] = size
        return None
    if isinstance(source, Sequence):
        bases[0] = rhomb_sequence_bases((<Sequence>source).sequence)
        length[0] = rhomb_sequence_length((<Sequence>source).sequence)
        return None
    try:
        view = View(source)
    except (TypeError, BufferError) as error:
        if hasattr(source, "__buffer__") or isinstance(error, BufferError):
            raise
        raise TypeError(f"a sequence is str, bytes or an array of bytes, not "
                        f"{type(source).__name__}: {error}") from None
    if view.copy is not None:
        bases[0] = PyBytes_AS_STRING(view.copy)
        length[0] = PyBytes_GET_SIZE(view.copy)
    else:
        bases[0] = <const char *>view.buffer.buf
        length[0] = view.buffer.len
    return view


cdef class Sequence:
    """A record of a FASTA or FASTQ file, or a part of one. `rhomb.read()` makes them."""
    cdef rhomb_sequence *sequence
    cdef readonly str name

    def __init__(self):
        raise TypeError("sequences are read with rhomb.read()")

    def __dealloc__(self):
        rhomb_sequence_destroy(self.sequence)

    def __len__(self):
        return rhomb_sequence_length(self.sequence)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        PyBuffer_FillInfo(buffer, self, <void *>rhomb_sequence_bases(self.sequence), len(self),
                          True, flags)

    def __bytes__(self):
        return PyBytes_FromStringAndSize(rhomb_sequence_bases(self.sequence), len(self))

    def __repr__(self):
        return f"<rhomb.Sequence {self.name!r} of {len(self)} bases>"


cdef extern from "Python.h":
    int PyBuffer_FillInfo(Py_buffer *view, object exporter, void *buf, Py_ssize_t size,
                          bint readonly, int flags) except -1


cdef Sequence make_sequence(rhomb_sequence *sequence):
    cdef Sequence made = Sequence.__new__(Sequence)
    made.sequence = sequence
    made.name = text(rhomb_sequence_name(sequence))
    return made


cdef str text(const char *value):
    return None if value == NULL else value.decode("utf-8", "replace")
