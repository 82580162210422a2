"""Whatever a program may get wrong, a thousand calls of it from a seed for each model: each ends in an exception of the kinds that the docs name, or does what
it says; none ends Python."""

import math
import random
import threading

import headwater
import numpy as np
import pytest
from headwater import Place, World

SCENES = {
    "flow": 'model = "flow"\n[grid]\nnx = 24\nny = 17\n[terrain]\nplane = { height = 9, slope = [0.1, 0] }\n[water]\ndepth = 0.5\n[time]\nuntil = 9\n',
    "waves": "pond",
    "blocks": "u-tube",
    "columns": "kettle",
    "hydrology": 'model = "hydrology"\n[grid]\nnx = 24\nny = 24\n[terrain]\nnoise = { height = 40, scale = 300 }\n[time]\nuntil = 2\n',
}

# What may come of a wrong call: the library's own, and what Python says of types that do not fit.
TOLD = (headwater.HeadwaterError, TypeError, ValueError, BufferError)

NUMBERS = [0, -0.0, 1, -1, 0.5, 3, 17, 1e-320, 1e300, -1e300, 2**64, -(2**70), math.nan, math.inf, -math.inf, True, None, "7", "\0", [], 1j, np.float32(2), np.int8(3)]
TEXTS = ["", "depth", "surface", "bed", "lower", "raise", "pour", "gauge", "source", "body", "\ud800", "é" * 5000, "physics.gravity", "name = 'x'\nat = [5, 5]\nevery = 1", "do = 'pour'", 7, None, b"depth", {"do": "pour"}, {"name": "x", "at": [5, math.nan]}, {1: 2}, {"at": object()}]


def made(scene):
    return World(text=scene) if "\n" in scene else World(scene)


def number(any):
    return any.choice(NUMBERS) if any.random() < 0.5 else any.uniform(0, 20)


def array(any, shape):
    """An array that fits, or does not: of another type, shape, order or stride, read-only, byte-swapped, or none at all."""
    ny, nx = shape
    return any.choice(
        [
            lambda: np.zeros(shape, np.float32),
            lambda: np.zeros(shape, np.float64),
            lambda: np.zeros((nx + 1, ny), np.float32),
            lambda: np.zeros((ny, nx, 1), np.float32),
            lambda: np.zeros(nx * ny, np.float32),
            lambda: np.zeros(shape, np.float32, order="F"),
            lambda: np.zeros((2 * ny, 2 * nx), np.float32)[::2, ::2],
            lambda: np.zeros(shape, np.float32)[::-1, ::-1],
            lambda: np.broadcast_to(np.float32(1), shape),
            lambda: np.zeros(shape, ">f4"),
            lambda: np.zeros(shape, object),
            lambda: np.zeros(shape, "U3"),
            lambda: np.frombuffer(bytes(4 * nx * ny + 1), np.uint8)[1:].view("<f4").reshape(shape),
            lambda: np.frombuffer(bytearray(4 * nx * ny + 1), np.uint8)[1:].view("<f4").reshape(shape),
            lambda: [[0.0] * nx] * ny,
            lambda: None,
        ]
    )()


def place(any):
    point = [number(any), number(any)]
    return any.choice(
        [
            lambda: Place.disc(point, number(any)),
            lambda: Place.disc([5, 5], 3, any.choice(["flat", "smooth", "dance"])),
            lambda: Place.rect(point, [number(any), number(any)]),
            lambda: Place.line([point, [4, 4]], number(any)),
            lambda: Place.line([], 1),
            lambda: Place.polygon([point] * any.randrange(5)),
            lambda: Place.polygon([[1, 1], [8, 1], [4, 9]]),
            Place.everywhere,
            lambda: "disc",
        ]
    )()


def tiles(any):
    return any.choice([None, [], [(0, 0, 4, 4)], [(0, 0, 1 << 40, 1)], [(2**63, 0, 2**63, 1)], [(1, 2)], [(-1, 0, 1, 1)], "tiles", [number(any)] * 4])


class Told(Exception):
    pass


def watcher(any, world):
    """A callback that raises, calls back, stops, or is none."""

    def raises(_):
        raise Told

    def nosy(_):
        world.step(1)

    def destroys(_):
        world.restore(world.snapshot())

    return any.choice([raises, nosy, destroys, lambda _: False, lambda: None, lambda _: np.zeros(3), 3])


def call(any, world, kept):
    shape = (world.grid.ny, world.grid.nx)
    text, other = any.choice(TEXTS), any.choice(TEXTS)
    calls = [
        lambda: world.advance(0.01, watcher(any, world)),
        lambda: world.advance(number(any), lambda at: at.part == 0 and at.steps < 3),
        lambda: world.step(any.choice([0, 1, 2, -1, 1.5, None, "3"])),
        lambda: world.edit(text, place(any), number(any)),
        lambda: world.edit(any.choice(world.edits()).name, place(any), any.uniform(0, 3)),
        lambda: world.act(text),
        lambda: world.add(text, other),
        lambda: world.change(text, other),
        lambda: world.remove(text, other),
        lambda: world.set(text, number(any)),
        lambda: world.set(any.choice(list(world.parameters())), number(any)),
        lambda: world.add_spring(place(any), number(any)),
        lambda: world.set_spring(number(any), place(any), number(any)),
        lambda: world.remove_spring(number(any)),
        lambda: world.add_drain(place(any), number(any)),
        lambda: world.set_drain(any.randrange(4), place(any), number(any)),
        lambda: world.remove_drain(number(any)),
        lambda: world.add_body((number(any), number(any)), (number(any), number(any))),
        lambda: world.remove_body(number(any)),
        lambda: world.layer(text),
        lambda: world.read_layer("depth", array(any, shape), tiles(any)),
        lambda: world.read_layer(any.choice(list(world.layers())), array(any, shape), tiles(any)),
        lambda: world.changed(text),
        lambda: world.at(number(any), number(any)),
        lambda: world.center(number(any), number(any)),
        lambda: world.restore(any.choice([b"", b"nonsense", number(any), np.zeros(9), world.snapshot()[: any.randrange(2000)]])),
        lambda: world.restore(world.snapshot()),
        lambda: World(text, set={"grid.nx": number(any)}),
        lambda: World(text=text, files={"a": other}),
        lambda: World.from_arrays(array(any, shape), array(any, shape), cell=number(any)),
        lambda: headwater.hydrology_report(array(any, shape), number(any)),
        lambda: kept.append(world.borrow(any.choice(list(world.layers())))),
        lambda: kept[-1].__enter__().sum() if kept else None,
        lambda: kept.pop().__exit__(None, None, None) if kept else None,
    ]
    return any.choice(calls)()


@pytest.mark.parametrize("model", SCENES)
def test_a_thousand_wrong_calls(model):
    any = random.Random(model)
    world, kept, refused, done = made(SCENES[model]), [], 0, 0
    for number_of_call in range(1000):
        try:
            call(any, world, kept)
            done += 1
        except (*TOLD, Told) as error:
            assert isinstance(error, Told) or str(error), f"call {number_of_call} is refused without a word"
            refused += 1
        if number_of_call % 100 == 99:
            while kept:
                kept.pop().__exit__(None, None, None)
            try:
                world.step(1)
            except headwater.HeadwaterError:
                world = made(SCENES[model])
    assert refused > 100 and done > 100
    assert len(world.state_hash()) == 16


def test_two_threads_in_one_world():
    world = made(SCENES["flow"])
    found = []

    def work():
        for _ in range(300):
            try:
                world.step(1)
                world.layer("depth")
                world.edit("lower", Place.disc([5, 5], 3), 0.001)
            except headwater.HeadwaterError as error:
                found.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found) and math.isfinite(float(world.layer("depth").sum()))
