# SPDX-License-Identifier: MIT
"""What goes wrong: one exception for each kind of failure, all of them `rhomb.Error`."""

from collections.abc import Iterator


class Error(Exception):
    """A call of the library failed.

    `str(error)` is the library's message, `status` the name of its status, such as
    "RHOMB_ERR_ALPHABET". In results of a batch, `pair` is the number of the pair, from 0.

    >>> try:
    ...     rhomb.distance("ACGT", "A!GT")
    ... except rhomb.Error as error:
    ...     error.status
    'RHOMB_ERR_ALPHABET'
    """

    status: str = "RHOMB_ERR_INTERNAL"
    pair: "int | None" = None


class ArgumentError(Error, ValueError):
    """An argument that cannot be used, such as an unknown scoring.

    >>> try:
    ...     rhomb.distance("ACGT", "AGT", scoring="nothing")
    ... except rhomb.ArgumentError as error:
    ...     error.status
    'RHOMB_ERR_ARGUMENT'
    """

    status = "RHOMB_ERR_ARGUMENT"


class InputError(Error, OSError):
    """A file that is missing or damaged, or has no such record.

    >>> try:
    ...     rhomb.read("missing.fa")
    ... except rhomb.InputError as error:
    ...     error.status
    'RHOMB_ERR_INPUT'
    """

    status = "RHOMB_ERR_INPUT"


class AlphabetError(Error, ValueError):
    """A sequence has a character that is not in the alphabet.

    >>> try:
    ...     rhomb.distance("ACGT", "A!GT")
    ... except rhomb.AlphabetError:
    ...     rhomb.distance("ACGT", "A!GT", alphabet="bytes").distance
    1
    """

    status = "RHOMB_ERR_ALPHABET"


class DeviceError(Error, RuntimeError):
    """An OpenCL call failed.

    >>> device = rhomb.Device()
    >>> device.close()
    >>> try:
    ...     device.distance("A", "C")
    ... except rhomb.DeviceError as error:
    ...     print(error)
    the device is closed
    """

    status = "RHOMB_ERR_DEVICE"


class NoDeviceError(DeviceError):
    """There is no usable device, or none that was asked for; the message says what to install.

    >>> try:
    ...     rhomb.Device("no such device")
    ... except rhomb.NoDeviceError as error:
    ...     error.status
    'RHOMB_ERR_NO_DEVICE'
    """

    status = "RHOMB_ERR_NO_DEVICE"


class BuildError(DeviceError):
    """The device's compiler rejected a kernel; the message has its log.

    >>> issubclass(rhomb.BuildError, rhomb.DeviceError)
    True
    """

    status = "RHOMB_ERR_BUILD"


class WrongResultError(DeviceError):
    """The device did not pass the self-test, and is not used.

    >>> issubclass(rhomb.WrongResultError, rhomb.DeviceError)
    True
    """

    status = "RHOMB_ERR_DEVICE_WRONG_RESULT"


class OutOfMemoryError(Error, MemoryError):
    """The host has too little memory.

    >>> issubclass(rhomb.OutOfMemoryError, MemoryError)
    True
    """

    status = "RHOMB_ERR_MEMORY"


class DeviceMemoryError(OutOfMemoryError):
    """The device has too little memory.

    >>> issubclass(rhomb.DeviceMemoryError, rhomb.OutOfMemoryError)
    True
    """

    status = "RHOMB_ERR_DEVICE_MEMORY"


def _kinds(base: "type[Error]") -> "Iterator[tuple[str, type[Error]]]":
    yield base.status, base
    for kind in base.__subclasses__():
        yield from _kinds(kind)


KINDS = dict(_kinds(Error))


def make(status: str, message: str, pair: "int | None" = None) -> Error:
    """The exception for the name of a status."""
    error = KINDS.get(status, Error)(message)
    error.status = status
    error.pair = pair
    return error


# By the exit code of the program.
_CODES = {2: ArgumentError, 3: InputError, 4: DeviceError, 5: OutOfMemoryError}


def of_program(code: int, message: str) -> Error:
    """The exception for an exit code of the program."""
    return _CODES.get(code, Error)(message)
