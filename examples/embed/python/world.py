"""Worlds from Python: libworld through ctypes, arrays of numpy without copies.

    from world import World
    world = World("island.world")
    heights = world.grid("land.ground").heights              # (rows, columns) of float32, meters: the world's own memory
    slopes = world.function("land.slope")(places)            # places: (n, 3) of float64; answers n numbers
    steep = world.map("land.slope", (-100, -100, 100, 100), 512)   # (512, 512), as `worldc map` asks it
    trees = world.table("island.vegetation.layout")          # {"id": [...], "at": (n, 3), "size": (n,), ...}

The library is found as `libworld.so.0` is by the system; WORLD_LIBRARY names another file. A mistake in a world is a WorldError
whose text is what `worldc` would print. Lengths are in meters, angles in radians, times in seconds.

Threads: calls of functions may run at once; everything else waits its turn. What `grid` answers is good until something is set,
or the world is reloaded or closed: copy what shall stay.
"""
import ctypes
import os
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_float, c_int, c_int64, c_size_t, c_uint32, c_void_p
from typing import NamedTuple

import numpy

OK, ERROR_ARGUMENT, ERROR_STALE = 0, 2, 7
NONE, NUMBER, INT, BOOL, TEXT, VECTOR = range(6)
STYLE_HUMAN = 0


class WorldError(Exception):
    """What went wrong, in the library's words; `status` is world.h's number."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Grid(NamedTuple):
    """A height grid: heights[row, column] stands at (x0 + column * cell, z0 + row * cell)."""
    heights: numpy.ndarray
    cell: float
    x0: float
    z0: float
    outside: float


class _Handle(ctypes.Structure):
    _fields_ = [("id", c_uint32), ("generation", c_uint32)]


class _GridView(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("columns", c_int), ("rows", c_int), ("cell", c_double), ("x0", c_double), ("z0", c_double),
                ("outside", c_double), ("heights", POINTER(c_float))]


# The structs that describe engines and worlds grow; zeros are their defaults, so room enough for any of them will do.
_DEFAULTS = ctypes.create_string_buffer(4096)


def _load():
    library = ctypes.CDLL(os.environ.get("WORLD_LIBRARY", "libworld.so.0"))
    pointer, text, size = c_void_p, c_char_p, c_size_t
    declarations = {
        "world_status_text": (text, c_int),
        "world_engine_create": (c_int, pointer, POINTER(pointer)),
        "world_engine_destroy": (None, pointer),
        "world_open_file": (c_int, pointer, text, pointer, POINTER(pointer)),
        "world_open_text": (c_int, pointer, text, size, pointer, POINTER(pointer)),
        "world_close": (None, pointer),
        "world_reload": (c_int, pointer),
        "world_diagnostics_text": (text, pointer, pointer, c_int),
        "world_ask": (c_int, pointer, text, POINTER(pointer)),
        "world_value_destroy": (None, pointer),
        "world_value_text": (text, pointer),
        "world_value_json": (text, pointer),
        "world_set": (c_int, pointer, text, text),
        "world_hash": (c_int, pointer, POINTER(ctypes.c_uint64)),
        "world_function": (c_int, pointer, text, text, POINTER(_Handle)),
        "world_function_shape": (c_int, pointer, _Handle, POINTER(c_int), POINTER(c_int)),
        "world_function_letters": (text, pointer, _Handle),
        "world_call_batch": (c_int, pointer, _Handle, size, pointer, pointer),
        "world_grid": (c_int, pointer, text, POINTER(_GridView)),
        "world_table": (c_int, pointer, text, POINTER(pointer)),
        "world_stats": (c_int, pointer, text, POINTER(pointer)),
        "world_table_destroy": (None, pointer),
        "world_table_rows": (size, pointer),
        "world_table_columns": (c_int, pointer),
        "world_table_name": (text, pointer, c_int),
        "world_table_kind": (c_int, pointer, c_int),
        "world_table_number": (c_double, pointer, size, c_int),
        "world_table_int": (c_int64, pointer, size, c_int),
        "world_table_text": (text, pointer, size, c_int),
        "world_table_vector": (c_bool, pointer, size, c_int, POINTER(c_double)),
    }
    for name, (result, *arguments) in declarations.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


class World:
    """A world from a file, or from a text with `text=`. Closed by close(), by `with`, or with its last reference."""

    def __init__(self, path=None, *, text=None):
        if (path is None) == (text is None):
            raise TypeError("World takes a path or a text")
        self._engine, self._world = c_void_p(), c_void_p()
        self._must(_library.world_engine_create(_DEFAULTS, byref(self._engine)))
        if text is None:
            status = _library.world_open_file(self._engine, os.fsencode(path), _DEFAULTS, byref(self._world))
        else:
            encoded = text.encode()
            status = _library.world_open_text(self._engine, encoded, len(encoded), _DEFAULTS, byref(self._world))
        self._must(status)

    def close(self):
        engine, self._engine, self._world = getattr(self, "_engine", None), None, None
        if engine:
            _library.world_engine_destroy(engine)

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _must(self, status, asked=""):
        if status == OK:
            return
        said = _library.world_diagnostics_text(self._engine, self._world, STYLE_HUMAN) if self._engine else b""
        bare = (f"'{asked}': " if asked else "") + _library.world_status_text(status).decode()
        raise WorldError(status, said.decode().rstrip() or bare)

    def _open(self):
        if not self._world:
            raise ValueError("the world is closed")
        return self._world

    def ask(self, expression):
        """Any expression's value as an author would write it: "4.6 m"."""
        return self._ask(expression, _library.world_value_text)

    def json(self, expression):
        """The same as JSON's text."""
        return self._ask(expression, _library.world_value_json)

    def _ask(self, expression, form):
        value = c_void_p()
        self._must(_library.world_ask(self._open(), expression.encode(), byref(value)))
        try:
            return form(value).decode()
        finally:
            _library.world_value_destroy(value)

    def set(self, path, expression):
        """Sets a field to an expression's value; what read it, and only that, is worked out again."""
        self._must(_library.world_set(self._open(), path.encode(), str(expression).encode()))

    def reload(self):
        """Reads the file again; functions found before are found anew."""
        self._must(_library.world_reload(self._open()))

    def hash(self):
        """One number of everything built, the same on every machine."""
        number = ctypes.c_uint64()
        self._must(_library.world_hash(self._open(), byref(number)))
        return number.value

    def grid(self, path):
        """A height grid's samples where the world keeps them, read-only."""
        view = _GridView(size=ctypes.sizeof(_GridView))
        self._must(_library.world_grid(self._open(), path.encode(), byref(view)), path)
        heights = numpy.ctypeslib.as_array(view.heights, shape=(view.rows, view.columns))
        heights.flags.writeable = False
        return Grid(heights, view.cell, view.x0, view.z0, view.outside)

    def function(self, name, signature=None):
        """A function of numbers, quantities, points and directions, to be called with arrays: a row a call. The slots of a row are
        its arguments in a row, a point three; one of a single slot takes and answers flat arrays."""
        return _Function(self, name, signature)

    def map(self, question, over, size=512):
        """A function of a place, or an expression in which `here` is the place, at the middles of size[0] x size[1] squares of the rectangle
        x0, z0, x1, z1: (rows, columns), or with what answers three numbers (rows, columns, 3). Row 0 is the smallest z."""
        columns, rows = (size, size) if isinstance(size, int) else size
        try:
            function = self.function(question)
        except WorldError:
            function = self.function(f"fn(here: point) {{ {question} }}")
        places = numpy.zeros((rows, columns, 3))
        places[:, :, 0] = over[0] + (over[2] - over[0]) * (numpy.arange(columns) + 0.5) / columns
        places[:, :, 2] = (over[1] + (over[3] - over[1]) * (numpy.arange(rows) + 0.5) / rows)[:, None]
        return function(places).reshape((rows, columns) + ((function.results,) if function.results > 1 else ()))

    def table(self, expression):
        """A list's columns: numbers as arrays, points as (n, 3), texts as lists."""
        return self._table(_library.world_table, expression)

    def stats(self, path=""):
        """What each rule of the scatters tried, placed and refused."""
        return self._table(_library.world_stats, path)

    def _table(self, ask, text):
        table = c_void_p()
        self._must(ask(self._open(), text.encode(), byref(table)), text)
        try:
            rows = _library.world_table_rows(table)
            columns = range(_library.world_table_columns(table))
            return {_library.world_table_name(table, c).decode(): _column(table, rows, c) for c in columns}
        finally:
            _library.world_table_destroy(table)


def _column(table, rows, column):
    kind = _library.world_table_kind(table, column)
    if kind == VECTOR:
        out = numpy.full((rows, 3), numpy.nan)
        for row in range(rows):
            _library.world_table_vector(table, row, column, out[row].ctypes.data_as(POINTER(c_double)))
        return out
    if kind == NUMBER:
        return numpy.fromiter((_library.world_table_number(table, row, column) for row in range(rows)), float, rows)
    if kind in (INT, BOOL):
        whole = numpy.fromiter((_library.world_table_int(table, row, column) for row in range(rows)), numpy.int64, rows)
        return whole.astype(bool) if kind == BOOL else whole
    return [_library.world_table_text(table, row, column).decode() for row in range(rows)]


class _Function:
    def __init__(self, world, name, signature):
        self.world, self.name, self.signature = world, name, signature
        self._find()

    def _find(self):
        self.handle = _Handle()
        world = self.world._open()
        said = self.signature.encode() if self.signature else None
        self.world._must(_library.world_function(world, self.name.encode(), said, byref(self.handle)), self.name)
        arguments, results = c_int(), c_int()
        self.world._must(_library.world_function_shape(world, self.handle, byref(arguments), byref(results)))
        self.arguments, self.results = arguments.value, results.value
        letters = _library.world_function_letters(world, self.handle).decode()
        if set(letters) != {"F"}:
            raise WorldError(ERROR_ARGUMENT, f"'{self.name}' answers no numbers: ask for its values")

    def __call__(self, places):
        rows = numpy.ascontiguousarray(places, dtype=numpy.float64).reshape(-1, self.arguments)
        out = numpy.empty((len(rows), self.results))
        status = _library.world_call_batch(self.world._open(), self.handle, len(rows), rows.ctypes.data, out.ctypes.data)
        if status == ERROR_STALE:  # the world was reloaded
            self._find()
            return self(places)
        self.world._must(status)
        return out[:, 0] if self.results == 1 else out
