"""libnarrows by ctypes: where it is found, what its functions take, and its errors as exceptions.

The library inside the package comes first, then that of NARROWS_LIBRARY, then the system's.
Nothing here computes; narrows.h is the contract of every function named below.
"""

import ctypes
import ctypes.util
import os
from pathlib import Path

PARAMS = 4
SERIAL, DEVICE = 1, 2
KINDS = ("reducible", "reducible twice", "gathered", "scattered")
NUMBERS = (None, "float32", "float16", "bfloat16")

HERE = Path(__file__).resolve().parent


class Error(Exception):
    """What the library refused: ``code`` is a narrows_error of narrows.h, the text is the
    library's own.
    """

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


class Param(ctypes.Structure):
    """A narrows_param."""

    _fields_ = [(name, ctypes.c_char_p) for name in ("name", "unit", "what")] + [
        (name, ctypes.c_double) for name in ("lowest", "highest", "preset", "multiple")
    ]


class Coder(ctypes.Structure):
    """A narrows_coder."""

    _fields_ = [
        ("codec", ctypes.c_void_p),
        ("param", ctypes.c_double * PARAMS),
        ("row", ctypes.c_void_p),
        ("reserved", ctypes.c_uint64 * 4),
    ]


_void, _size, _int, _text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p
_coder = _sizes = _void  # also an address in a tensor's memory

_SIGNATURES = {
    "version": (_text,),
    "error_text": (_text, _int),
    "codec_at": (_void, _size),
    "codec_find": (_void, _text),
    "codec_name": (_text, _void),
    "codec_what": (_text, _void),
    "codec_source": (_text, _void),
    "codec_class": (_int, _void),
    "codec_param": (_int, _void, _size, _void),
    "coder_choose": (_int, _coder, _text, ctypes.c_uint, _text, _size),
    "coder_impl": (_text, _coder),
    "payload_bound": (_size, _coder, _size),
    "payload_numbers": (_int, _coder, _size, _sizes),
    "state_bytes": (_size, _coder, _size),
    "work_bytes": (_size, _coder, _size),
    "encode": (_int, _coder, _void, _sizes, _void, _size, _void, _void),
    "decode": (_int, _coder, _void, _size, _void, _size, _void),
    "decode_add": (_int, _coder, _void, _size, _void, _size, _void),
    "reduce": (_int, _coder, _void, _sizes, _void, _size, _size, _size, _size, _void),
    "round": (_int, _coder, _int, _void, _sizes, _sizes, _void, _size, _void),
    "encode_on": (_int, _coder, _void, _void, _void, _size, _void, _void, _void),
    "decode_on": (_int, _coder, _void, _size, _int, _void, _size, _void, _void, _void),
    "stream_bound": (_size, _coder, _size),
    "seal": (_int, _coder, _void, _sizes, _void, _size, _void, _void),
    "open": (_int, _coder, _sizes, _void, _sizes, _void, _size, ctypes.c_uint),
}


def _candidates():
    for folder in (HERE / "lib", HERE):
        yield from sorted(folder.glob("libnarrows.so*"))
    named = os.environ.get("NARROWS_LIBRARY")
    if named:
        yield Path(named)
    found = ctypes.util.find_library("narrows")
    if found:
        yield Path(found)


def _load() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(str(path))
        except OSError as e:
            tried.append(f"{path}: {e}")
            continue
        for name, (returns, *takes) in _SIGNATURES.items():
            function = getattr(library, "narrows_" + name, None)
            if function is None:
                raise ImportError(
                    f"{path} has no narrows_{name}: it is of another version than this package"
                )
            function.restype, function.argtypes = returns, takes
        return library
    raise ImportError(
        "libnarrows.so was not found: not in the package, nor where NARROWS_LIBRARY says, nor on "
        "the system" + "".join("\n  " + line for line in tried)
    )


lib = _load()


def check(code: int, context: str = "") -> None:
    """Raise Error unless a function of the library returned 0; 'context' says what was tried."""
    if code:
        text = lib.narrows_error_text(code).decode()
        raise Error(code, f"{context}: {text}" if context else text)


def choose(text: str, flags: int) -> Coder:
    """A coder by text, as in "3lc:s=1.75"."""
    coder, why = Coder(), ctypes.create_string_buffer(512)
    code = lib.narrows_coder_choose(ctypes.byref(coder), text.encode(), flags, why, len(why))
    if code:
        raise Error(code, why.value.decode() or f"{text}: {lib.narrows_error_text(code).decode()}")
    return coder
