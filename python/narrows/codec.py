"""Codecs on numpy arrays: ways to send a tensor of fp32 values in fewer bytes."""

import ctypes
import threading
from typing import NamedTuple, Optional

import numpy as np

from narrows import _library
from narrows._library import Error, check, lib

ALIGN = 64


class Parameter(NamedTuple):
    """A parameter of a codec: what it is, and the values that it may have."""

    name: str
    unit: str
    what: str
    lowest: float
    highest: float
    preset: float
    multiple: float  # only multiples of it; 0: any number


class Description(NamedTuple):
    """A codec of the library, as codecs() lists it."""

    name: str
    what: str
    source: str
    kind: (
        str  # how payloads become one sum: "reducible", "reducible twice", "gathered", "scattered"
    )
    parameters: tuple


class Opened(NamedTuple):
    """What is in a sealed stream; the payload lies inside of the stream."""

    codec: "Codec"
    n: int
    payload: np.ndarray


def aligned(nbytes: int) -> np.ndarray:
    """'nbytes' zero bytes that start on a boundary of 64, as payloads, states and scratch do."""
    whole = np.zeros(nbytes + ALIGN, np.uint8)
    start = -whole.ctypes.data % ALIGN
    return whole[start : start + nbytes]


def _parameters(codec: int) -> tuple:
    found, param = [], _library.Param()
    while lib.narrows_codec_param(codec, len(found), ctypes.byref(param)) == 0:
        texts = (text.decode() for text in (param.name, param.unit, param.what))
        found.append(Parameter(*texts, param.lowest, param.highest, param.preset, param.multiple))
    return tuple(found)


def _describe(codec: int) -> Description:
    texts = (
        ask(codec).decode()
        for ask in (lib.narrows_codec_name, lib.narrows_codec_what, lib.narrows_codec_source)
    )
    return Description(*texts, _library.KINDS[lib.narrows_codec_class(codec)], _parameters(codec))


def codecs() -> list:
    """Every codec of the library, plug-ins included, as a list of Description."""
    found = []
    while codec := lib.narrows_codec_at(len(found)):
        found.append(_describe(codec))
    return found


def _values(array: np.ndarray, name: str, written: bool = False) -> np.ndarray:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name}: expected a numpy array of float32, got {type(array).__name__}")
    if array.dtype != np.dtype("<f4"):
        raise TypeError(f"{name}: expected float32, got {array.dtype}; nothing is converted")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name}: expected a contiguous array in C order; nothing is copied")
    if not array.flags.aligned:
        raise ValueError(f"{name}: expected an array on the boundary of a float; nothing is copied")
    if written and not array.flags.writeable:
        raise ValueError(f"{name}: expected an array that can be written")
    return array


def _bytes(buffer, name: str) -> np.ndarray:
    """The bytes of a payload or stream: as they lie, or, off the boundary of 64, a copy that lies
    on it.
    """
    try:
        array = np.frombuffer(buffer, np.uint8)
    except (TypeError, ValueError) as e:
        raise TypeError(f"{name}: expected contiguous bytes: {e}") from None
    if array.ctypes.data % ALIGN == 0:
        return array
    copy = aligned(array.nbytes)
    copy[:] = array
    return copy


class Codec:
    """A codec with its parameters, chosen by text as in ``Codec("3lc:s=1.75")``.

    Values are contiguous float32 arrays of any shape, and are never copied or converted. Payloads,
    streams and states are arrays of bytes; those that encode() and state() make start where the
    library wants them, others are copied there if need be. ``serial``: use the calling thread
    alone. A codec may be used by several threads at once, a state by one at a time.
    """

    def __init__(self, text: str, *, serial: bool = False):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"expected a codec's text, as in '3lc:s=1.75', got {kind}")
        self._take(_library.choose(text, _library.SERIAL if serial else 0))

    @classmethod
    def _of(cls, coder: _library.Coder) -> "Codec":
        codec = cls.__new__(cls)
        codec._take(coder)
        return codec

    def _changed(self, changes: dict, flags: int) -> "Codec":
        """The same codec with some parameters changed, chosen with the flags of narrows.h."""
        return self._of(_library.choose(self._text({**self.params, **changes}), flags))

    def _take(self, coder: _library.Coder) -> None:
        self._coder, self._scratch = coder, threading.local()
        self.ref = ctypes.byref(coder)
        self.description = _describe(coder.codec)
        self.name, self.kind = self.description.name, self.description.kind
        self.params = {p.name: coder.param[i] for i, p in enumerate(self.description.parameters)}

    @property
    def impl(self) -> str:
        """The implementation that runs it, as in "avx512+omp"."""
        return lib.narrows_coder_impl(self.ref).decode()

    def _text(self, params: dict) -> str:
        said = ",".join(f"{name}={value:.17g}" for name, value in params.items())
        return f"{self.name}:{said}" if said else self.name

    def __repr__(self) -> str:
        return f"narrows.Codec({self._text(self.params)!r})"

    def _size(self, ask, n: int) -> int:
        if not 0 <= n <= 1 << 40:
            raise ValueError(f"expected 0 to 2^40 values, got {n}")
        return ask(self.ref, n)

    def bound(self, n: int) -> int:
        """Bytes that a payload of n values has at most."""
        return self._size(lib.narrows_payload_bound, n)

    def state_bytes(self, n: int) -> int:
        """Bytes of the state of a tensor of n values."""
        return self._size(lib.narrows_state_bytes, n)

    def state(self, n: int) -> np.ndarray:
        """A fresh state for one tensor of n values and one direction, which encode() updates."""
        return aligned(self.state_bytes(n))

    def work_bytes(self, n: int) -> int:
        """Bytes of scratch of a call for n values."""
        return self._size(lib.narrows_work_bytes, n)

    def work(self, n: int) -> Optional[int]:
        """Where scratch for n values is, the calling thread's own, kept from call to call."""
        need, have = self.work_bytes(n), getattr(self._scratch, "work", None)
        if need == 0:
            return None
        if have is None or have.nbytes < need:
            have = self._scratch.work = aligned(need)
        return have.ctypes.data

    def _state(self, state: Optional[np.ndarray], n: int) -> np.ndarray:
        need = self.state_bytes(n)
        if state is None:
            return aligned(need)
        if (
            not isinstance(state, np.ndarray)
            or state.dtype != np.uint8
            or not state.flags.c_contiguous
        ):
            raise TypeError("state: expected an array that state() made")
        if state.nbytes != need:
            raise ValueError(f"state: expected {need} bytes for {n} values, got {state.nbytes}")
        if not state.flags.writeable:
            raise ValueError("state: expected an array that can be written")
        return state

    def _out(self, out: Optional[np.ndarray], need: int) -> np.ndarray:
        if out is None:
            return aligned(need)
        if not isinstance(out, np.ndarray) or out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise TypeError("out: expected a contiguous array of uint8")
        if out.nbytes < need:
            raise ValueError(f"out: expected at least {need} bytes, got {out.nbytes}")
        if not out.flags.writeable:
            raise ValueError("out: expected an array that can be written")
        return out

    def _write(self, function, bound, values, state, out) -> np.ndarray:
        values = _values(values, "values")
        n, nbytes = values.size, ctypes.c_size_t()
        state, out = self._state(state, n), self._out(out, self._size(bound, n))
        check(
            function(
                self.ref,
                out.ctypes.data,
                ctypes.byref(nbytes),
                values.ctypes.data,
                n,
                state.ctypes.data if state.nbytes else None,
                self.work(n),
            ),
            self.name,
        )
        return out[: nbytes.value]

    def encode(
        self,
        values: np.ndarray,
        state: Optional[np.ndarray] = None,
        out: Optional[np.ndarray] = None,
    ) -> np.ndarray:
        """The payload of the values: the first bytes of 'out', or of a new array.

        Without 'state' this is a tensor's first step, and what is not sent is forgotten.
        """
        return self._write(lib.narrows_encode, lib.narrows_payload_bound, values, state, out)

    def seal(
        self,
        values: np.ndarray,
        state: Optional[np.ndarray] = None,
        out: Optional[np.ndarray] = None,
    ) -> np.ndarray:
        """As encode(), as a stream: the payload behind a header with codec, parameters, n and
        checksum.
        """
        return self._write(lib.narrows_seal, lib.narrows_stream_bound, values, state, out)

    def _read(self, function, payload, values: np.ndarray) -> np.ndarray:
        payload = _bytes(payload, "payload")
        check(
            function(
                self.ref,
                values.ctypes.data,
                values.size,
                payload.ctypes.data,
                payload.nbytes,
                self.work(values.size),
            ),
            self.name,
        )
        return values

    def decode(
        self, payload, n: Optional[int] = None, out: Optional[np.ndarray] = None
    ) -> np.ndarray:
        """The values of a payload, in 'out' or in a new array of n; after an error 'out' is
        unchanged.
        """
        if (n is None) == (out is None):
            raise TypeError(
                "expected the number of values or an array to write them to, one of the two"
            )
        if out is None:
            self.bound(n)  # refuses what no tensor has
            values = np.empty(n, np.float32)
        else:
            values = _values(out, "out", written=True)
        return self._read(lib.narrows_decode, payload, values)

    def decode_add(self, payload, out: np.ndarray) -> np.ndarray:
        """Add the values of a payload to 'out'; after an error 'out' is unchanged."""
        return self._read(lib.narrows_decode_add, payload, _values(out, "out", written=True))

    @classmethod
    def open(cls, stream, *, serial: bool = False) -> Opened:
        """What is in a stream that seal() or ``narrows compress`` wrote: codec, number of values
        and payload.
        """
        stream = _bytes(stream, "stream")
        coder, n, where, nbytes = (
            _library.Coder(),
            ctypes.c_size_t(),
            ctypes.c_void_p(),
            ctypes.c_size_t(),
        )
        check(
            lib.narrows_open(
                ctypes.byref(coder),
                ctypes.byref(n),
                ctypes.byref(where),
                ctypes.byref(nbytes),
                stream.ctypes.data,
                stream.nbytes,
                _library.SERIAL if serial else 0,
            ),
            "stream",
        )
        start = (where.value or stream.ctypes.data) - stream.ctypes.data
        return Opened(cls._of(coder), n.value, stream[start : start + nbytes.value])


__all__ = ["Codec", "Description", "Error", "Opened", "Parameter", "aligned", "codecs"]
