"""A bucket of gradients between its workers: what the codec keeps of it, warm buffers, and the way
its class asks.
"""

import collections
import ctypes
import hashlib

import torch
import torch.distributed as dist

from narrows import _library
from narrows._library import check, lib
from narrows.codec import ALIGN

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}

# Small tensors take no longer than what is between Python and them.
_encode, _decode = lib.narrows_encode, (lib.narrows_decode, lib.narrows_decode_add)

_last = collections.deque(maxlen=8)


def exchanged(tensor):
    """A tensor, or a list of them, for a collective. Gloo's threads let go of it a moment after the
    collective has returned; one that held the last reference while the interpreter ends would abort
    the process.
    """
    _last.append(tensor)
    return tensor


def _up(nbytes: int) -> int:
    return -(-nbytes // ALIGN) * ALIGN


class Segment:
    """Values of a bucket that are one tensor to the codec."""

    def __init__(self, codec, offset: int, n: int, device):
        self.codec, self.offset, self.n = codec, offset, n
        self.ref, self.bound = codec.ref, codec.bound(n)
        self.state = torch.zeros(codec.state_bytes(n), dtype=torch.uint8, device=device)
        self.state_at = self.state.data_ptr() or None


def _work(segments: list, device) -> torch.Tensor:
    need = max((s.codec.work_bytes(s.n) for s in segments), default=0)
    return torch.empty(need, dtype=torch.uint8, device=device)


class Host:
    """Encoding and decoding of CPU tensors, by the addresses of values and payloads."""

    def __init__(self, segments: list, device):
        self.work = _work(segments, device)
        self.work_at = self.work.data_ptr() or None
        self.counts = (ctypes.c_int64 * len(segments))()
        self.slots = [ctypes.byref(self.counts, 8 * i) for i in range(len(segments))]
        self.sizes = torch.frombuffer(self.counts, dtype=torch.int64)

    def encode(self, i: int, s: Segment, payload: int, values: int) -> int:
        """Bytes that it may fill of what follows: so many as the payload has."""
        code = _encode(s.ref, payload, self.slots[i], values, s.n, s.state_at, self.work_at)
        if code:
            check(code, s.codec.name)
        return self.counts[i]

    def decode(self, i: int, s: Segment, values: int, payload: int, nbytes: int, add: bool) -> None:
        code = _decode[add](s.ref, values, s.n, payload, nbytes, self.work_at)
        if code:
            check(code, s.codec.name)

    def finish(self) -> None:
        """Everything is done and checked already."""


class Cuda:
    """The same of CUDA tensors, on the current stream. What was found wrong is raised at the next
    call.
    """

    def __init__(self, segments: list, device):
        self.work, self.device = _work(segments, device), device
        self.work_at = self.work.data_ptr() or None
        self.sizes = torch.zeros(len(segments), dtype=torch.int64, device=device)
        self.errors = torch.zeros(len(segments), dtype=torch.int32, device=device)

    def _stream(self) -> int:
        return torch.cuda.current_stream(self.device).cuda_stream

    def encode(self, i: int, s: Segment, payload: int, values: int) -> int:
        """As Host's, but how many bytes it fills is not known yet: as many as there can be."""
        code = lib.narrows_encode_on(
            s.ref,
            payload,
            self.sizes.data_ptr() + 8 * i,
            values,
            s.n,
            s.state_at,
            self.work_at,
            self._stream(),
        )
        check(code, s.codec.name)
        return s.bound

    def decode(self, i: int, s: Segment, values: int, payload: int, nbytes: int, add: bool) -> None:
        code = lib.narrows_decode_on(
            s.ref,
            values,
            s.n,
            add,
            payload,
            nbytes,
            self.work_at,
            self.errors.data_ptr() + 4 * i,
            self._stream(),
        )
        check(code, s.codec.name)

    def finish(self) -> None:
        for code in self.errors.tolist():
            check(code)


def _seed(given: float, rank: int, name: str) -> int:
    """Of one worker and tensor: below 2^53, as parameters are."""
    text = f"{given:.17g} {rank} {name}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") >> 11


class Bucket:
    """The key is that of the parameters in it: where they change, all of it is made afresh."""

    def __init__(self, choice, group, bucket, parameters: list, key: tuple):
        buffer = bucket.buffer()
        self.key, self.group, self.device = key, group, buffer.device
        self.world, self.rank = dist.get_world_size(group), dist.get_rank(group)
        self.kind = self._kind(choice.codec)
        self.segments = [
            Segment(self._codec(choice, parameter, name), offset, n, self.device)
            for name, offset, n, parameter in self._parts(choice, bucket, buffer, parameters)
        ]
        self.ops = (Host if self.device.type == "cpu" else Cuda)(self.segments, self.device)
        self.payload = self._bytes(sum(_up(s.bound) for s in self.segments))
        self.gathered = self._bytes(0)

    def _bytes(self, nbytes: int) -> torch.Tensor:
        return torch.zeros(nbytes, dtype=torch.uint8, device=self.device)

    def _kind(self, codec) -> str:
        """How payloads become a sum; gathering them does for every codec."""
        host = self.device.type == "cpu"
        kind, nbytes = codec.kind, codec.bound(1)
        if kind == "reducible":
            count = ctypes.c_size_t()
            number = lib.narrows_payload_numbers(codec.ref, nbytes, ctypes.byref(count))
            self.dtype = DTYPES.get(_library.NUMBERS[number])
            if self.dtype is None or (
                self.dtype == torch.bfloat16 and dist.get_backend(self.group) == "gloo"
            ):
                return "gathered"
        elif kind == "reducible twice" and not host:
            return "gathered"
        elif kind == "scattered" and not (host and "block" in codec.params):
            return "gathered"
        return kind

    def _parts(self, choice, bucket, buffer, parameters):
        if choice.by == "bucket" or self.kind == "scattered":
            yield f"bucket {bucket.index()}", 0, buffer.numel(), None
            return
        for i, (gradient, parameter) in enumerate(zip(bucket.gradients(), parameters)):
            offset = gradient.storage_offset() - buffer.storage_offset()
            yield f"bucket {bucket.index()} tensor {i}", offset, gradient.numel(), parameter

    def _codec(self, choice, parameter, name: str):
        changes = {}
        if "seed" in choice.codec.params:
            changes["seed"] = _seed(choice.codec.params["seed"], self.rank, name)
        if (
            choice.codec.name == "powersgd"
            and parameter is not None
            and "columns=" not in choice.text
        ):
            changes["columns"] = max(
                1, parameter.numel() // (parameter.shape[0] if parameter.dim() > 1 else 1)
            )
        return choice.coder(self.device, **changes)

    def exchange(self, values: torch.Tensor) -> tuple:
        """Make values the mean of all workers'. Bytes of this worker's payloads, and handed to the
        collectives.
        """
        self.ops.finish()
        if self.kind == "reducible twice":
            return self._rounds(values)
        values.div_(self.world)
        if self.kind == "scattered":
            return self._scatter(values)
        sizes = self._encode(values)
        return self._add(values, sizes) if self.kind == "reducible" else self._gather(values, sizes)

    def _encode(self, values: torch.Tensor) -> list:
        """The payloads one behind the other, each on its boundary. Their sizes."""
        first, start = values.data_ptr(), self.payload.data_ptr()
        at, places = 0, []
        for i, s in enumerate(self.segments):
            places.append(at)
            at += _up(self.ops.encode(i, s, start + at, first + 4 * s.offset))
        sizes, to = self.ops.sizes.tolist(), 0
        for at, size in zip(places, sizes):
            if at != to:
                self.payload[to : to + size] = self.payload[at : at + size].clone()
            to += _up(size)
        return sizes

    def _decode(self, values: torch.Tensor, payload: int, sizes: list, add: bool) -> None:
        first = values.data_ptr()
        for i, (s, size) in enumerate(zip(self.segments, sizes)):
            self.ops.decode(i, s, first + 4 * s.offset, payload, size, add)
            payload += _up(size)

    def _add(self, values: torch.Tensor, sizes: list) -> tuple:
        """Payloads are arrays of numbers; what stands behind them in a payload all workers have
        alike.
        """
        total, at, tails = sum(map(_up, sizes)), 0, []
        for s, size in zip(self.segments, sizes):
            count = ctypes.c_size_t()
            lib.narrows_payload_numbers(s.codec.ref, size, ctypes.byref(count))
            numbers = count.value * torch.finfo(self.dtype).bits // 8
            tail = self.payload[at + numbers : at + size]
            tails.append((tail, tail.clone()))
            at += _up(size)
        if total:
            dist.all_reduce(exchanged(self.payload[:total].view(self.dtype)), group=self.group)
        for tail, kept in tails:
            tail.copy_(kept)
        self._decode(values, self.payload.data_ptr(), sizes, add=False)
        return sum(sizes), total

    def _all_gather(self, mine: torch.Tensor, out: torch.Tensor) -> list:
        rows = list(out.view(self.world, -1).unbind(0))
        dist.all_gather(exchanged(rows), exchanged(mine), group=self.group)
        return rows

    def _gather(self, values: torch.Tensor, sizes: list) -> tuple:
        """Sizes first, then payloads as long as the longest worker's; all add them up in the same
        order.
        """
        every = torch.empty(self.world * len(sizes), dtype=torch.int64, device=self.device)
        self._all_gather(self.ops.sizes, every)
        every = every.view(self.world, -1).tolist()
        longest = max(sum(map(_up, of_one)) for of_one in every)
        if self.gathered.numel() < self.world * longest:
            self.gathered = self._bytes(self.world * longest)
        rows = []
        if longest:
            rows = self._all_gather(self.payload[:longest], self.gathered[: self.world * longest])
        for i, of_one in enumerate(every):
            self._decode(
                values, rows[i].data_ptr() if rows else self.payload.data_ptr(), of_one, add=i > 0
            )
        return sum(sizes), longest + 8 * len(sizes)

    def _scatter(self, values: torch.Tensor) -> tuple:
        """Each worker sums up one part of all, as payloads, and all gather the sums."""
        (whole,) = self.segments
        codec, block = whole.codec, int(whole.codec.params["block"])
        length = -(-whole.n // (self.world * block)) * block
        counts = [min(length, max(0, whole.n - i * length)) for i in range(self.world)]
        stride, nbytes = _up(codec.bound(length)), ctypes.c_size_t()
        if self.gathered.numel() < 3 * self.world * stride:
            self.gathered = self._bytes(3 * self.world * stride)
        there, here, sums = self.gathered[: 3 * self.world * stride].view(3, -1)
        part_bytes = []
        for i, n in enumerate(counts):
            check(
                lib.narrows_encode(
                    codec.ref,
                    there.data_ptr() + i * stride,
                    ctypes.byref(nbytes),
                    values.data_ptr() + 4 * i * length,
                    n,
                    None,
                    codec.work(n),
                ),
                codec.name,
            )
            part_bytes.append(nbytes.value)
        dist.all_to_all_single(exchanged(here), exchanged(there), group=self.group)
        n = counts[self.rank]
        check(
            lib.narrows_reduce(
                codec.ref,
                self.payload.data_ptr(),
                ctypes.byref(nbytes),
                here.data_ptr(),
                stride,
                part_bytes[self.rank],
                self.world,
                n,
                codec.work(n),
            ),
            codec.name,
        )
        sent = sum(part_bytes) + nbytes.value
        rows = self._all_gather(self.payload[:stride], sums)
        for i, n in enumerate(counts):
            check(
                lib.narrows_decode(
                    codec.ref,
                    values.data_ptr() + 4 * i * length,
                    n,
                    rows[i].data_ptr(),
                    part_bytes[i],
                    codec.work(n),
                ),
                codec.name,
            )
        return sent, (self.world + 1) * stride

    def _rounds(self, values: torch.Tensor) -> tuple:
        """Of each round the mean of what all workers have, in one collective for all segments."""
        at, where = 0, []
        for s in self.segments:
            where.append(at)
            at += _up(s.bound)
        sent = 0
        for number in range(3):
            parts = []
            for s, at in zip(self.segments, where):
                first, nbytes = ctypes.c_size_t(), ctypes.c_size_t()
                check(
                    lib.narrows_round(
                        s.codec.ref,
                        number,
                        self.payload.data_ptr() + at,
                        ctypes.byref(first),
                        ctypes.byref(nbytes),
                        values.data_ptr() + 4 * s.offset,
                        s.n,
                        s.state_at,
                    ),
                    s.codec.name,
                )
                start = at + first.value
                if nbytes.value:
                    parts.append(self.payload[start : start + nbytes.value].view(torch.float32))
            if parts:
                sent += 4 * self._mean(parts)
        for i, (s, at) in enumerate(zip(self.segments, where)):
            start = self.payload.data_ptr() + at
            self.ops.decode(i, s, values.data_ptr() + 4 * s.offset, start, s.bound, add=False)
        return sent, sent

    def _mean(self, parts: list) -> int:
        flat = parts[0] if len(parts) == 1 else torch.cat(parts)
        dist.all_reduce(exchanged(flat), group=self.group)
        flat.div_(self.world)
        if len(parts) > 1:
            for part, mean in zip(parts, flat.split([p.numel() for p in parts])):
                part.copy_(mean)
        return flat.numel()
