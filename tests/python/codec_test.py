"""narrows.Codec: the bytes of the program, on arrays that stay where they are."""

import os
import subprocess
import sys
import tempfile
import threading
import tracemalloc
import unittest
from pathlib import Path

import numpy as np

import narrows

PROGRAM = os.environ["NARROWS"]
N = 5003


def gradient(n=N, seed=1):
    draw = np.random.default_rng(seed)
    return (draw.standard_normal(n) * np.exp(draw.standard_normal(n))).astype(np.float32)


def program(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


class SameBytes(unittest.TestCase):
    """Two steps with state, of every codec, next to narrows compress and decompress."""

    def test_every_codec(self):
        self.assertGreater(len(narrows.codecs()), 15)
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("in.f32", "out.nws", "out.state", "back.f32")]
            for of in narrows.codecs():
                with self.subTest(codec=of.name):
                    self.one(of, *paths)

    def one(self, of, values_path, stream_path, state_path, back_path):
        codec = narrows.Codec(of.name)
        self.assertEqual((codec.name, codec.kind), (of.name, of.kind))
        self.assertEqual(codec.params, {p.name: p.preset for p in of.parameters})
        state = codec.state(N)
        state_path.unlink(missing_ok=True)
        for step in range(2):
            values = gradient(seed=step)
            values.tofile(values_path)
            program("compress", of.name, values_path, stream_path, "--state", state_path)
            stream = codec.seal(values, state)
            self.assertEqual(stream.tobytes(), stream_path.read_bytes())
            self.assertTrue(np.array_equal(values, gradient(seed=step)))
        program("decompress", stream_path, back_path)
        opened = narrows.Codec.open(stream_path.read_bytes())
        self.assertEqual((opened.n, opened.codec.params), (N, codec.params))
        decoded = opened.codec.decode(opened.payload, N)
        self.assertEqual(decoded.tobytes(), back_path.read_bytes())
        added = gradient(seed=9)
        codec.decode_add(opened.payload, added)
        self.assertTrue(np.array_equal(added, gradient(seed=9) + decoded))

    def test_text_gives_the_codec_again(self):
        for text in ("3lc:s=1.75", "dct:dropped=0.99", "topk"):
            codec = narrows.Codec(text)
            again = eval(repr(codec), {"narrows": narrows})
            self.assertEqual((again.name, again.params), (codec.name, codec.params))
        self.assertEqual(narrows.Codec("3lc:s=1.75").params, {"s": 1.75})
        self.assertNotIn("omp", narrows.Codec("3lc", serial=True).impl)


class NoCopies(unittest.TestCase):
    def test_arrays_stay_where_they_are(self):
        codec, values = narrows.Codec("3lc"), gradient(1 << 20)
        state, out = codec.state(values.size), narrows.aligned(codec.bound(values.size))
        back = np.empty((1 << 10, 1 << 10), np.float32)
        codec.decode(codec.encode(values, state, out), out=back)  # scratch is made
        tracemalloc.start()
        payload = codec.encode(values.reshape(2, -1), state, out)
        got = codec.decode(payload, out=back)
        codec.decode_add(payload, back)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 16 << 10)
        self.assertEqual(payload.ctypes.data, out.ctypes.data)
        self.assertIs(got, back)

    def test_a_payload_lies_in_its_stream(self):
        codec = narrows.Codec("8bit")
        stream = codec.seal(gradient())
        self.assertTrue(np.shares_memory(narrows.Codec.open(stream).payload, stream))

    def test_what_is_made_is_aligned(self):
        codec = narrows.Codec("dct")
        for made in (
            codec.state(N),
            codec.encode(gradient()),
            codec.seal(gradient()),
            narrows.aligned(1),
        ):
            self.assertEqual(made.ctypes.data % 64, 0)

    def test_bytes_anywhere_are_read(self):
        codec, values = narrows.Codec("8bit"), gradient()
        payload = codec.encode(values)
        shifted = narrows.aligned(payload.nbytes + 1)[1:]
        shifted[:] = payload
        for given in (
            shifted,
            payload.tobytes(),
            bytearray(payload.tobytes()),
            memoryview(payload),
        ):
            self.assertTrue(np.array_equal(codec.decode(given, N), codec.decode(payload, N)))

    def test_no_values(self):
        for of in narrows.codecs():
            codec = narrows.Codec(of.name)
            payload = codec.encode(np.empty(0, np.float32))
            self.assertEqual(codec.decode(payload, 0).size, 0, of.name)


class Threads(unittest.TestCase):
    def test_one_codec_in_many(self):
        codec, found = narrows.Codec("dct", serial=True), {}

        def work(seed):
            values = gradient(20000 + seed, seed)
            found[seed] = [codec.encode(values).tobytes() for _ in range(20)]

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, payloads in found.items():
            self.assertEqual(set(payloads), {codec.encode(gradient(20000 + seed, seed)).tobytes()})
        self.assertEqual(len(found), 4)


class Refusals(unittest.TestCase):
    def test_every_one_says_why(self):
        codec, values = narrows.Codec("3lc"), gradient()
        payload, readonly = codec.encode(values), gradient()
        readonly.flags.writeable = False
        off = np.frombuffer(bytes(4 * N + 1), np.uint8)[1:].view(np.float32)
        unaligned_out = narrows.aligned(codec.bound(N) + 1)[1:]
        table = [
            (
                lambda: narrows.Codec("3lc:s=9"),
                narrows.Error,
                "s: expected a number from 1 to 2, got 9",
            ),
            (lambda: narrows.Codec("4lc"), narrows.Error, "no codec is called '4lc'"),
            (lambda: narrows.Codec("3lc:q=1"), narrows.Error, "no parameter 'q'"),
            (lambda: narrows.Codec(3), TypeError, "expected a codec's text"),
            (lambda: codec.encode([1.0]), TypeError, "expected a numpy array of float32, got list"),
            (lambda: codec.encode(values.astype("f8")), TypeError, "expected float32, got float64"),
            (lambda: codec.encode(values.astype(">f4")), TypeError, "expected float32"),
            (lambda: codec.encode(values[::2]), ValueError, "contiguous"),
            (lambda: codec.encode(off), ValueError, "boundary"),
            (lambda: codec.encode(values, codec.state(N - 1)), ValueError, f"bytes for {N} values"),
            (lambda: codec.encode(values, bytes(4 * N)), TypeError, "state() made"),
            (lambda: codec.encode(values, out=narrows.aligned(9)), ValueError, "at least"),
            (lambda: codec.encode(values, out=unaligned_out), narrows.Error, "start"),
            (lambda: codec.encode(values, out=values), TypeError, "uint8"),
            (lambda: codec.decode(payload), TypeError, "the number of values or an array"),
            (lambda: codec.decode(payload, N, out=values), TypeError, "one of the two"),
            (lambda: codec.decode(payload, out=readonly), ValueError, "can be written"),
            (lambda: codec.decode(payload, -1), ValueError, "0 to 2^40"),
            (lambda: codec.decode("text", N), TypeError, "contiguous bytes"),
            (lambda: codec.bound(1 << 41), ValueError, "0 to 2^40"),
            (lambda: narrows.Codec.open(b"no stream at all" * 8), narrows.Error, "stream"),
            (lambda: narrows.nothing, AttributeError, "no attribute 'nothing'"),
        ]
        for i, (call, kind, words) in enumerate(table):
            with self.subTest(row=i), self.assertRaises(kind) as caught:
                call()
            self.assertIn(words, str(caught.exception), f"row {i}")

    def test_after_an_error_values_are_as_before(self):
        codec = narrows.Codec("3lc")
        stream = codec.seal(gradient())
        payload = narrows.Codec.open(stream).payload
        for damaged in (payload[:-1], payload[:0]):
            out = np.full(N, 7, np.float32)
            for decode in (
                lambda: codec.decode(damaged, out=out),
                lambda: codec.decode_add(damaged, out),
            ):
                with self.assertRaises(narrows.Error) as caught:
                    decode()
                self.assertGreater(caught.exception.code, 0)
            self.assertTrue((out == 7).all())
        stream[70] ^= 1
        self.assertRaises(narrows.Error, narrows.Codec.open, stream)


class WithoutTorch(unittest.TestCase):
    def test_it_is_not_imported(self):
        self.assertNotIn("torch", sys.modules)


if __name__ == "__main__":
    unittest.main()
