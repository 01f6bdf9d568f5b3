"""narrows.compare and narrows.results: the program's rows, from arrays and from its database."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import narrows

PROGRAM = os.environ["NARROWS"]
QUICK = ("--seconds", "0.001")


def steps(n):
    draw = np.random.default_rng(3)
    return [
        {
            "a.weight": draw.standard_normal((40, 30)).astype("f4"),
            "a.bias": draw.standard_normal(30).astype("f4"),
        }
        for _ in range(n)
    ]


def rows(table):
    return table if isinstance(table, list) else table.to_dict("records")


class Compare(unittest.TestCase):
    def test_numbers_are_those_of_the_codec(self):
        (step,) = steps(1)
        table = narrows.compare(step, ["8bit", "fp16"], tensors=True, options=QUICK)
        found = {(r["scope"], r["name"], r["codec"]): r for r in rows(table)}
        self.assertEqual({codec for _, _, codec in found}, {"8bit", "fp16"})
        for text in "8bit", "fp16":
            for name, values in step.items():
                codec = narrows.Codec(text)
                stream = codec.seal(values)
                back = codec.decode(narrows.Codec.open(stream).payload, values.size)
                row = found["tensor", name, text]
                flat = values.ravel().astype("f8")
                cosine = flat @ back / np.linalg.norm(flat) / np.linalg.norm(back.astype("f8"))
                self.assertAlmostEqual(row["bits"], 8 * stream.nbytes / values.size)
                self.assertAlmostEqual(row["cosine"], cosine, places=6)
        self.assertEqual(found["whole", "", "8bit"]["values"], 1230)
        self.assertIn("8bit keeps a cosine of", table.attrs["answer"])
        self.assertEqual((table.attrs["fewest_bits"], table.attrs["source"]), ("8bit", "arrays"))

    def test_steps_one_array_and_files(self):
        self.assertEqual(narrows.compare(steps(3), ["fp16"], options=QUICK).attrs["steps"], 3)
        one = narrows.compare(np.ones(99, np.float16), ["fp32"], options=QUICK)
        self.assertEqual(rows(one)[0]["values"], 99)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "g.npy"
            np.save(path, steps(1)[0]["a.weight"])
            self.assertEqual(
                rows(narrows.compare(path, ["fp32"], options=QUICK))[0]["values"], 1200
            )

    def test_a_cluster_is_forecast(self):
        table = narrows.compare(steps(1), ["8bit", "fp32"], scenario="break-even", options=QUICK)
        whole = {r["codec"]: r for r in rows(table) if r["scope"] == "whole"}
        self.assertGreater(whole["8bit"]["step_ms"], 0)
        self.assertGreater(table.attrs["fp32_step_ms"], 0)

    def test_refusals(self):
        table = [
            (lambda: narrows.compare([]), ValueError, "at least one step"),
            (
                lambda: narrows.compare({"x": np.arange(3)}),
                TypeError,
                "x: expected float32 or float16, got int64",
            ),
            (lambda: narrows.compare("/nowhere.npy", ["8bit"]), narrows.Refused, "/nowhere.npy"),
            (lambda: narrows.compare(steps(1), ["9bit"]), narrows.Refused, "9bit"),
            (
                lambda: narrows.compare(steps(1) + [{"a": np.ones(3, "f4")}], ["8bit"]),
                narrows.Refused,
                "step",
            ),
        ]
        for i, (call, kind, words) in enumerate(table):
            with self.subTest(row=i), self.assertRaises(kind) as caught:
                call()
            self.assertIn(words, str(caught.exception), f"row {i}")

    def test_without_the_program(self):
        before = os.environ.pop("NARROWS"), os.environ["PATH"]
        os.environ["PATH"] = "/nowhere"
        try:
            self.assertRaisesRegex(
                FileNotFoundError, "not in the package", narrows.compare, steps(1)
            )
        finally:
            os.environ["NARROWS"], os.environ["PATH"] = before


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.db = Path(cls.folder.name) / "of a run?.db"
        subprocess.run(
            [PROGRAM, "run", "break-even", "--db", cls.db], check=True, capture_output=True
        )

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_views_are_read(self):
        results = narrows.results(self.db)
        self.assertTrue({"gain", "answer", "measure", "run"} <= set(results))
        gains = rows(results["gain"])
        self.assertTrue(gains and {"variant", "speedup", "gain_pct"} <= set(gains[0]))
        (count,) = rows(
            results.query("SELECT count(*) AS n FROM gain WHERE variant <> ?", ("nothing",))
        )
        self.assertEqual(count["n"], len(gains))
        for name in "answer", "newest_measure", "run", "point":
            self.assertTrue(len(results[name]), name)

    def test_refusals(self):
        results = narrows.results(self.db)
        self.assertRaisesRegex(KeyError, "no table or view 'gian'", lambda: results["gian"])
        self.assertRaisesRegex(ValueError, "syntax error", results.query, "SELEKT")
        self.assertRaisesRegex(ValueError, "readonly", results.query, "DELETE FROM run")
        self.assertRaises(FileNotFoundError, narrows.results, "/nowhere.db")
        path = Path(self.folder.name) / "no.db"
        path.write_text("this is no database, but long enough to be one\n" * 40)
        self.assertRaisesRegex(ValueError, "not a database", narrows.results, path)


class WithoutPandas(unittest.TestCase):
    def test_rows_are_dicts(self):
        had = sys.modules.get("pandas")
        sys.modules["pandas"] = None
        try:
            table = narrows.compare(steps(1), ["fp16"], options=QUICK)
        finally:
            del sys.modules["pandas"]
            if had:
                sys.modules["pandas"] = had
        self.assertIsInstance(table, list)
        self.assertEqual(table[0]["codec"], "fp16")
        self.assertIn("answer", table.attrs)


if __name__ == "__main__":
    unittest.main()
