"""Reading curves: every clause of the reading rules, on real bytes."""

import io
import math
import os
import pickle
import struct
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reliability.curves import read_curve
from reliability.delimited import FAST_LIMIT, MAX_LINE, Table, read_careful, read_clean
from reliability.records import Curve, UnreadableCurve


@pytest.fixture
def read(tmp_path):
    def read(content, name="result.csv", **options):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_curve(path, **options)

    return read


def is_curve(curve, x, y):
    assert isinstance(curve, Curve), curve
    return curve.x.tolist() == x and curve.y.tolist() == y


def checks(curve):
    return [finding.check for finding in curve.findings]


# ------------------------------------------------------------------------------------------------------- text formats

X, Y = [2.0, 3.0, 4.0], [977.25, 925.5, -8.5e-7]


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("l,TT\n2,977.25\n3,925.5\n4,-8.5e-7\n", "comma"),
        ("2,977.25\n3,925.5\n4,-8.5e-7", "comma"),
        ("l,TT\r\n2,977.25\r\n3,925.5\r\n4,-8.5e-7\r\n", "comma"),
        ("l,TT\r2,977.25\r3,925.5\r4,-8.5e-7\r", "comma"),
        ("l;TT\n2;977.25\n3;925.5\n4;-8.5e-7\n", "semicolon"),
        ("l\tTT\n2\t977.25\n3\t925.5\n4\t-8.5e-7\n", "tab"),
        ("l TT\n2   977.25\n  3 925.5\n4\t -8.5e-7\n", "blanks"),
        ("# l TT\n2.000e+00 9.7725e+02\n3 925.5\n4 -8.5e-7\n", "blanks"),
        ("# made by me\n#\n# l, TT\n2, 977.25\n3, 925.5 # third peak\n# half way\n4, -8.5e-7\n", "comma"),
        ("\ufeffl,TT\n2,977.25\n3,925.5\n4,-8.5e-7\n", "comma"),
        ("l,TT\n2,9.7725D+02\n3,9.255d2\n4,-8.5D-07\n", "comma"),
        ('"l","TT"\n"2","977.25"\n"3","925.5"\n"4","-8.5e-7"\n', "comma"),
        ("l,TT,\n2,977.25,\n3,925.5,\n4,-8.5e-7,\n", "comma"),
        ("l,TT\n2,977.25,\n3,925.5,\n4,-8.5e-7,\n", "comma"),
        ("\n\nl,TT\n\n2,977.25\n3,925.5\n\n4,-8.5e-7\n\n", "comma"),
        ("l;TT\n2;977,25\n3;925,5\n4;-8,5e-7\n", "semicolon, decimal comma"),
        ("l\tTT\n2\t977,25\n3\t925,5\n4\t-8,5e-7\n", "tab, decimal comma"),
        ("l,TT\n-,uK^2\n2,977.25\n3,925.5\n4,-8.5e-7\n", "comma"),
        ("l, TT\n+2, +977.25\n03, 925.50\n4., -.85e-6\n", "comma"),
    ],
)
def test_accepted_text(read, content, rule):
    curve = read(content)
    assert is_curve(curve, X, Y)
    assert curve.column_rule == f"first two numeric columns ({rule})"
    assert (curve.n_columns, curve.n_dropped, curve.is_ambiguous) == (2, 0, False)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_and_32_with_byte_order_mark(read, encoding):
    mark = "" if encoding in {"utf-16", "utf-32"} else "\ufeff"
    assert is_curve(read((mark + "l,TT [µK²]\n2,1.5\n3,2.5\n").encode(encoding)), [2, 3], [1.5, 2.5])


def test_latin_1_header_is_read_and_said(read):
    curve = read("l,TT (µK²)\n2,1.5\n3,2.5\n".encode("latin-1"))
    assert is_curve(curve, [2, 3], [1.5, 2.5])
    assert curve.y_name == "TT (µK²)"
    assert checks(curve) == ["encoding"]


def test_names_are_kept(read):
    curve = read("# l,C_l^{TT}\n2,1\n3,2\n")
    assert (curve.x_name, curve.y_name) == ("l", "C_l^{TT}")
    assert read("2,1\n3,2\n").y_name == "column 2"


# ----------------------------------------------------------------------------------------------------------- columns


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ("z,TT,l", "by name (comma)"),
        ("z,tt,L", "by name (comma)"),
        ("# z, TT ,l", "by name (comma)"),
        ("z,TT [uK^2],l", "by name without unit (comma)"),
        ("z,TT (uK^2),#l", "by name without unit (comma)"),
    ],
)
def test_declared_names_win(read, header, rule):
    curve = read(f"{header}\n9,10,2\n8,11,3\n", columns=("l", "TT"))
    assert is_curve(curve, [2, 3], [10, 11])
    assert curve.column_rule == rule
    assert curve.n_columns == 3


def test_without_the_names_the_first_two_numeric_columns(read):
    curve = read("label,ell,Dl,x\na,2,10,5\nb,3,11,6\n", columns=("l", "TT"))
    assert is_curve(curve, [2, 3], [10, 11])
    assert curve.column_rule == "first two numeric columns (comma)"
    assert curve.n_columns == 3
    assert is_curve(read("l,a,b\n2,5,10\n", columns=("l", "TT")), [2], [5])  # one name alone does not count


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "index", "Index"])
def test_row_index_is_dropped(read, name):
    curve = read(f"{name},l,TT\n0,2,10\n1,3,11\n2,4,12\n")
    assert is_curve(curve, [2, 3, 4], [10, 11, 12])
    assert curve.column_rule == "row index dropped, first two numeric columns (comma)"
    assert curve.n_columns == 2


def test_what_is_not_a_row_index_stays(read):
    assert is_curve(read("l,TT,EE\n0,0,1\n1,0,2\n"), [0, 1], [0, 0])  # a real column that starts at 0
    assert is_curve(read(",TT\n0,5\n1,6\n"), [0, 1], [5, 6])  # nothing would be left
    assert is_curve(read(",l,TT\n1,5,8\n2,6,9\n"), [1, 2], [5, 6])  # not 0 .. n-1
    assert is_curve(read("0,5,8\n1,6,9\n"), [0, 1], [5, 6])  # no header at all


def test_data_frame_without_names(read):
    assert is_curve(read(",0,1\n0,2.0,10.5\n1,3.0,11.5\n"), [2, 3], [10.5, 11.5])


def test_header_with_one_name_less_names_the_last_columns(read):
    curve = read('"l" "TT"\n"1" 2 10\n"2" 3 11\n', columns=("l", "TT"))
    assert is_curve(curve, [2, 3], [10, 11])


@pytest.mark.parametrize("text", ["2020-01-01", "True", "(1+2j)", "1_000", "0x10", "error", "1.2.3", "1:30"])
def test_dates_booleans_complex_and_text_are_no_numbers(read, text):
    curve = read(f"what,l,TT\n{text},2,10\n{text},3,11\n")
    assert is_curve(curve, [2, 3], [10, 11])
    assert curve.n_columns == 2
    assert "no line holds two numbers, e.g. line 2" in read(f"l,TT\n2,{text}\n3,{text}\n").reason


# --------------------------------------------------------------------------------------------------------------- rows


def test_rows_that_are_not_finite_are_dropped_and_counted(read):
    curve = read("l,TT\n2,1\n3,nan\n4,inf\n5,\n6,-Infinity\nNaN,7\n8,N/A\n9,2\n10,1e999\n")
    assert is_curve(curve, [2, 9], [1, 2])
    assert curve.n_dropped == 7
    assert [(f.check, f.line) for f in curve.findings] == [("not_finite", 3)]


def test_a_stray_word_costs_its_row(read):
    curve = read("l,TT\n2,1\n3,oops\n4,2\n5,3\n")
    assert is_curve(curve, [2, 4, 5], [1, 2, 3])
    assert curve.n_dropped == 1
    assert [(f.check, f.line) for f in curve.findings] == [("not_a_number", 3), ("not_finite", 3)]


def test_ragged_rows_are_dropped_and_counted(read):
    curve = read("l,TT\n2,1\n3\n4,2,7\n5,3\nTotal: 3 rows\n")
    assert is_curve(curve, [2, 5], [1, 3])
    assert curve.n_dropped == 3
    assert [(f.check, f.line) for f in curve.findings] == [("ragged_row", 3)]


def test_ragged_rows_with_the_right_total_are_seen(read):
    """Four numbers in two lines are not two rows of two."""
    assert read("l,TT\n1,2,3\n4\n5,6\n7,8\n").n_dropped == 2


def test_unsorted_x_is_sorted(read):
    curve = read("l,TT\n4,1\n2,3\n3,2\n")
    assert is_curve(curve, [2, 3, 4], [3, 2, 1])
    assert checks(curve) == ["unsorted_x"]
    assert is_curve(read("k,P\n3,1\n2,2\n1,3\n"), [1, 2, 3], [3, 2, 1])


def test_repeated_rows_are_collapsed(read):
    curve = read("l,TT\n2,1\n2,1\n3,2\n2,1\n")
    assert is_curve(curve, [2, 3], [1, 2])
    assert not curve.is_ambiguous
    assert "repeated_rows" in checks(curve)


def test_same_x_with_different_y_is_ambiguous_and_keeps_its_order(read):
    curve = read("l,TT\n2,9\n3,5\n2,1\n3,4\n")
    assert is_curve(curve, [2, 2, 3, 3], [9, 1, 5, 4])
    assert curve.is_ambiguous
    assert ("duplicate_x", 4) in [(f.check, f.line) for f in curve.findings]


# --------------------------------------------------------------------------------------------------------- unreadable


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n\n", "blanks"),
        (b"l,TT\n", "no data rows"),
        (b"# nothing\n#\n", "no data rows"),
        (b"l\n2\n3\n", "one numeric column only"),
        (b"2\n3\n4\n", "one numeric column only"),
        (b"l,TT\n2,\n3,\n", "one numeric column only"),
        (b"l,TT\n2,nan\n3,nan\n", "no row with two finite numbers (2 rows dropped)"),
        (b"Traceback (most recent call last):\n  File x\nKeyError: 'total'\n", "line 2"),
        (b"l;TT\n2;1,234\n3;5,678\n", "no line holds two numbers"),
        (b"l,TT\n2,1\n3,\x00\n", "line 3"),
        (b"\x89HDF\r\n\x1a\n" + b"\x00" * 50, "HDF5"),
        (pickle.dumps({"a": 1}), "pickle"),
        (bytes(range(256)) * 10, "binary"),
        (b"\xff\xfe1\x00,\x00\x01", "UTF-16"),
        (b"2,1" + b"1" * MAX_LINE, "longer than"),
        (b"1," * 1500 + b"1\n" + b"1," * 1500 + b"2\n", "1501 columns"),
    ],
)
def test_no_curve_with_reason(read, content, reason):
    found = read(content)
    assert isinstance(found, UnreadableCurve)
    assert reason in found.reason
    assert "\n" not in found.reason
    assert len(found.reason) < 300


def test_folder_pipe_device_and_missing_file(tmp_path):
    (tmp_path / "result.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    assert "directory" in read_curve(tmp_path / "result.csv").reason
    assert "pipe" in read_curve(tmp_path / "pipe.csv").reason
    assert "device" in read_curve("/dev/zero").reason
    assert "No such file" in read_curve(tmp_path / "none.csv").reason
    assert read_curve("a\0b").reason


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_file_without_permission(tmp_path):
    path = tmp_path / "result.csv"
    path.write_text("1,2\n")
    path.chmod(0)
    assert "Permission" in read_curve(path).reason


def test_size_limit_applies_before_reading(tmp_path):
    path = tmp_path / "result.csv"
    with path.open("wb") as stream:
        stream.truncate(2**30)
    start = time.process_time()
    assert read_curve(path).reason == f"larger than the size limit of {64 * 2**20} bytes; not read"
    assert time.process_time() - start < 0.1
    path.write_text("l,TT\n2,1\n3,2\n")
    assert isinstance(read_curve(path, max_bytes=13), Curve)
    assert "size limit" in read_curve(path, max_bytes=12).reason


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no /proc")
def test_a_file_that_is_longer_than_it_says():
    """Files in /proc claim 0 bytes, as one that grows while it is read claims too few."""
    assert "size limit of 20 bytes" in read_curve("/proc/self/maps", max_bytes=20).reason


# ---------------------------------------------------------------------------------------------------- NumPy's own files


def as_bytes(save, *args, **kwargs):
    stream = io.BytesIO()
    save(stream, *args, **kwargs)
    return stream.getvalue()


def test_npy(read):
    table = np.array([[2, 10.5], [3, 11.5], [4, 12.5]])
    assert is_curve(read(as_bytes(np.save, table), "a.npy"), [2, 3, 4], [10.5, 11.5, 12.5])
    wide = read(as_bytes(np.save, table.T), "a.npy")
    assert is_curve(wide, [2, 3, 4], [10.5, 11.5, 12.5])
    assert "two rows taken as columns" in wide.column_rule
    named = np.array([(10.5, 2), (11.5, 3)], dtype=[("TT", float), ("l", ">i4")])
    assert is_curve(read(as_bytes(np.save, named), "a.npy", columns=("l", "TT")), [2, 3], [10.5, 11.5])


def test_npz(read):
    raw = as_bytes(np.savez, TT=np.array([10.5, 11.5]), l=np.array([2, 3]), note=np.array(["x", "y"]))
    assert is_curve(read(raw, "a.npz", columns=("l", "TT")), [2, 3], [10.5, 11.5])


@pytest.mark.parametrize(
    "array",
    [np.array([{}, []], object), np.array([1.0, 2.0]), np.array(["a"]), np.array(1.0), np.zeros((2, 2), complex)],
)
def test_arrays_that_are_no_curve(read, array):
    assert isinstance(read(as_bytes(np.save, array), "a.npy"), UnreadableCurve)


def test_pickle_in_npy_clothes_is_not_loaded(read, tmp_path):
    class Bomb:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "exploded"),))

    for raw in (pickle.dumps(Bomb()), as_bytes(np.save, np.array([Bomb()], dtype=object))):
        for name in ("a.npy", "a.npz", "a.csv"):
            assert isinstance(read(raw, name), UnreadableCurve)
    assert not (tmp_path / "exploded").exists()


def test_damaged_npz(read):
    raw = as_bytes(np.savez, x=np.arange(5.0), y=np.arange(5.0))
    for end in range(0, len(raw), 7):
        assert isinstance(read(raw[:end], "a.npz"), UnreadableCurve)
    for start in range(0, len(raw), 7):
        found = read(raw[:start] + raw[start + 1 :], "a.npz")
        assert isinstance(found, Curve) or (found.reason and "\n" not in found.reason)


def test_zip_bomb_and_false_shape(read):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", b"\0" * 2**21)
    assert "unpacks to" in read(stream.getvalue(), "a.npz", max_bytes=2**20).reason
    huge = as_bytes(np.save, np.zeros((3, 2)))
    huge = huge.replace(b"(3, 2), }            ", b"(999999999999, 2), } ")
    assert b"999999999999" in huge
    assert isinstance(read(huge, "a.npy"), UnreadableCurve)


# ---------------------------------------------------------------------------------- fast way = careful way = float()

finite = st.floats(allow_nan=False, allow_infinity=False)
formats = st.sampled_from(["%r", "%.15e", "%.16g", "%.17e", "%.20e", "%.6f", "%g"])


@st.composite
def clean_files(draw):
    width = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(finite | st.integers(-(2**70), 2**70), min_size=width, max_size=width), min_size=1))
    cells = [[draw(formats) % value if isinstance(value, float) else str(value) for value in row] for row in rows]
    names = draw(st.sampled_from([None, [f"c{i}" for i in range(width)], ["", *["a b", "# c", "d[x]"][: width - 1]]]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [",".join(row) for row in ([names] if names else []) + cells]
    return end.join(lines) + draw(st.sampled_from(["", end])), cells, names


@given(clean_files())
@settings(max_examples=150)
def test_both_ways_give_the_bits_of_float(file):
    text, cells, names = file
    expected = [np.array([float(row[j]) for row in cells]).tobytes() for j in range(len(cells[0]))]
    careful = read_careful(text.encode())
    fast = read_clean(text.encode())
    assert isinstance(careful, Table)
    if fast is not None:
        assert [column.tobytes() for column in fast.columns] == expected
        assert (fast.names, fast.numeric, fast.format) == (careful.names, careful.numeric, careful.format)
        assert list(fast.lines) == list(careful.lines)
    assert (careful.names is None) == (names is None)
    assert [column.tobytes() for column in careful.columns] == expected


@given(st.binary(max_size=200) | st.text("0123456789.,-+eE#\n\r \t;\"'lTnaif", max_size=200).map(str.encode))
@settings(max_examples=300)
def test_any_bytes_have_an_answer_and_both_ways_agree(raw):
    careful = read_careful(raw)
    assert isinstance(careful, Table | UnreadableCurve)
    fast = read_clean(raw)
    if fast is not None and isinstance(careful, Table):
        assert [c.tobytes() for c in fast.columns] == [c.tobytes() for c in careful.columns]
        assert (fast.names, fast.numeric) == (careful.names, careful.numeric)
    assert fast is None or isinstance(careful, Table)


def test_same_numbers_without_the_fast_parser(monkeypatch):
    raw = b"l,TT\n1,0.1\n2,-2.4703282292062328e-324\n3,123456789012345678901234567890\n"
    with_it = read_clean(raw)
    monkeypatch.setitem(sys.modules, "orjson", None)
    without = read_clean(raw)
    assert [c.tobytes() for c in without.columns] == [c.tobytes() for c in with_it.columns]
    assert read_clean(b"1,2\n3," + b"9" * 5000) is None


@pytest.mark.parametrize(
    "text",
    ["-0", "-0.0", "9007199254740993", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
     "0.1000000000000000055511151231257827", "8.5e-7", "123456789012345678901234567890", "6.02214076e+23"],
)  # fmt: skip
def test_hard_numbers_are_correctly_rounded(read, text):
    curve = read(f"l,TT\n1,{text}\n2,0\n")
    assert struct.pack("d", curve.y[0]) == struct.pack("d", float(text))


def test_the_fast_way_takes_clean_files_and_only_those():
    assert read_clean(b"l,TT\n2,1.5\n3,2.5\n") is not None
    assert read_clean(b"2,1.5\n3,2.5") is not None
    for text in (
        "l,TT\n1,-0\n2,3",
        "1,2,3\n4\n5,6",
        "l,TT\n1,2\n\n3,4",
        "l,TT\n1,-0",
        "a,b\n1,1e5-3",
        "a,b\n1,nan",
        "a,b\n1,1e999",
        "1,2\n3,",
        "a,b\n1,007",
    ):
        assert read_clean(text.encode()) is None, text


def test_careful_reading_of_a_large_file_is_linear():
    row = b"1;2\n"
    start = time.process_time()
    table = read_careful(row * 20_000)
    small = time.process_time() - start
    start = time.process_time()
    read_careful(row * 160_000)
    assert time.process_time() - start < 24 * small + 0.1
    assert len(table.lines) == 20_000
    assert FAST_LIMIT < 64 * 2**20


def test_speed_against_pandas(tmp_path):
    """Exactly rounded floats at about the price of pandas' C reader; best of many, in one process, hence a ratio."""
    import pandas as pd

    rng = np.random.default_rng(1)
    path = tmp_path / "result.csv"
    path.write_text("l,TT\n" + "".join(f"{i},{v!r}\n" for i, v in enumerate(rng.lognormal(5, 2, 3000).tolist(), 2)))
    ours, theirs = [math.inf], [math.inf]
    for _ in range(60):
        start = time.perf_counter()
        read_curve(path, columns=("l", "TT"))
        middle = time.perf_counter()
        pd.read_csv(path, engine="c")
        ours.append(middle - start)
        theirs.append(time.perf_counter() - middle)
    assert min(ours) < 1.5 * min(theirs)
