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
        bases[0] = (<Sequence>source).bases
        length[0] = (<Sequence>source).length
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
    """A record of a FASTA or FASTQ file, or a part of one. `rhomb.read()` and `rhomb.read_all()` make
    them, and slices.

    Its length is in bases; it has a buffer, from which bytes() and NumPy take the bases as they are
    in the file. Positions count from 0: a slice is a Sequence that shares the bases, without a copy
    but for a step, and one position is a str of one character. IndexError beyond the end.

    name    of the record, without what comes after a blank, or the region that was asked for

    >>> chromosome = rhomb.read(file)       # the file has ">one", then "ACGTACGT"
    >>> len(chromosome), chromosome[2], bytes(chromosome[1:4])
    (8, 'G', b'CGT')
    """
    cdef rhomb_sequence *sequence  # NULL: `owner` has the bases
    cdef object owner
    cdef const char *bases
    cdef int64_t length
    cdef readonly str name

    def __init__(self):
        raise TypeError("sequences are read with rhomb.read()")

    def __dealloc__(self):
        rhomb_sequence_destroy(self.sequence)

    def __len__(self):
        return self.length

    def __getitem__(self, key):
        cdef Py_ssize_t begin, end, step
        if not isinstance(key, slice):
            return chr(memoryview(self)[key])
        begin, end, step = key.indices(self.length)
        if step != 1:
            return sequence_of(self.name, bytes(memoryview(self)[key]), 0, -1)
        return sequence_of(self.name, self, begin, max(end - begin, 0))

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        PyBuffer_FillInfo(buffer, self, <void *>self.bases, self.length, True, flags)

    def __bytes__(self):
        return PyBytes_FromStringAndSize(self.bases, self.length)

    def __repr__(self):
        return f"<rhomb.Sequence {self.name!r} of {len(self)} bases>"


cdef extern from "Python.h":
    int PyBuffer_FillInfo(Py_buffer *view, object exporter, void *buf, Py_ssize_t size,
                          bint readonly, int flags) except -1


cdef Sequence make_sequence(rhomb_sequence *sequence):
    cdef Sequence made = Sequence.__new__(Sequence)
    made.sequence = sequence
    made.bases = rhomb_sequence_bases(sequence)
    made.length = rhomb_sequence_length(sequence)
    made.name = text(rhomb_sequence_name(sequence))
    return made


cdef Sequence sequence_of(str name, object owner, Py_ssize_t begin, Py_ssize_t length):
    """A part of what bytes or a Sequence have, or all, if the length is -1."""
    cdef Sequence made = Sequence.__new__(Sequence)
    cdef int64_t whole
    lend(owner, &made.bases, &whole)
    made.bases += begin
    made.length = length if length >= 0 else whole
    made.owner = owner
    made.name = name
    return made


cdef str text(const char *value):
    return None if value == NULL else value.decode("utf-8", "replace")
