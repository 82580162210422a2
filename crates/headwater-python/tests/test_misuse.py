"""Fuzz test: makes a thousand random calls per model, from a fixed seed. Every call must succeed or
raise a documented exception, and none may crash Python."""

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

# Exceptions that an invalid call may raise: those of the library and those of type conversions.
ALLOWED_ERRORS = (headwater.HeadwaterError, TypeError, ValueError, BufferError)

NUMBERS = [0, -0.0, 1, -1, 0.5, 3, 17, 1e-320, 1e300, -1e300, 2**64, -(2**70), math.nan, math.inf, -math.inf, True, None, "7", "\0", [], 1j, np.float32(2), np.int8(3)]
TEXTS = ["", "depth", "surface", "bed", "lower", "raise", "pour", "gauge", "source", "body", "\ud800", "é" * 5000, "physics.gravity", "name = 'x'\nat = [5, 5]\nevery = 1", "do = 'pour'", 7, None, b"depth", {"do": "pour"}, {"name": "x", "at": [5, math.nan]}, {1: 2}, {"at": object()}]


def make_world(scene):
    return World(text=scene) if "\n" in scene else World(scene)


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.uniform(0, 20)


def array(rng, shape):
    """Returns a valid array, a read-only array, an array with another dtype, shape, order, stride or
    byte order, or a value that is not an array."""
    ny, nx = shape
    return rng.choice(
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


def place(rng):
    point = [number(rng), number(rng)]
    return rng.choice(
        [
            lambda: Place.disc(point, number(rng)),
            lambda: Place.disc([5, 5], 3, rng.choice(["flat", "smooth", "dance"])),
            lambda: Place.rect(point, [number(rng), number(rng)]),
            lambda: Place.line([point, [4, 4]], number(rng)),
            lambda: Place.line([], 1),
            lambda: Place.polygon([point] * rng.randrange(5)),
            lambda: Place.polygon([[1, 1], [8, 1], [4, 9]]),
            Place.everywhere,
            lambda: "disc",
        ]
    )()


def tiles(rng):
    return rng.choice([None, [], [(0, 0, 4, 4)], [(0, 0, 1 << 40, 1)], [(2**63, 0, 2**63, 1)], [(1, 2)], [(-1, 0, 1, 1)], "tiles", [number(rng)] * 4])


class CallbackError(Exception):
    pass


def callback(rng, world):
    """Returns a callback that raises an exception, calls the world or stops the advance, or a value that
    is not callable."""

    def raises(_):
        raise CallbackError

    def steps(_):
        world.step(1)

    def restores(_):
        world.restore(world.snapshot())

    return rng.choice([raises, steps, restores, lambda _: False, lambda: None, lambda _: np.zeros(3), 3])


def call(rng, world, borrows):
    shape = (world.grid.ny, world.grid.nx)
    text, other = rng.choice(TEXTS), rng.choice(TEXTS)
    calls = [
        lambda: world.advance(0.01, callback(rng, world)),
        lambda: world.advance(number(rng), lambda at: at.part == 0 and at.steps < 3),
        lambda: world.step(rng.choice([0, 1, 2, -1, 1.5, None, "3"])),
        lambda: world.edit(text, place(rng), number(rng)),
        lambda: world.edit(rng.choice(world.edits()).name, place(rng), rng.uniform(0, 3)),
        lambda: world.act(text),
        lambda: world.add(text, other),
        lambda: world.change(text, other),
        lambda: world.remove(text, other),
        lambda: world.set(text, number(rng)),
        lambda: world.set(rng.choice(list(world.parameters())), number(rng)),
        lambda: world.add_spring(place(rng), number(rng)),
        lambda: world.set_spring(number(rng), place(rng), number(rng)),
        lambda: world.remove_spring(number(rng)),
        lambda: world.add_drain(place(rng), number(rng)),
        lambda: world.set_drain(rng.randrange(4), place(rng), number(rng)),
        lambda: world.remove_drain(number(rng)),
        lambda: world.add_body((number(rng), number(rng)), (number(rng), number(rng))),
        lambda: world.remove_body(number(rng)),
        lambda: world.layer(text),
        lambda: world.read_layer("depth", array(rng, shape), tiles(rng)),
        lambda: world.read_layer(rng.choice(list(world.layers())), array(rng, shape), tiles(rng)),
        lambda: world.changed(text),
        lambda: world.at(number(rng), number(rng)),
        lambda: world.center(number(rng), number(rng)),
        lambda: world.restore(rng.choice([b"", b"nonsense", number(rng), np.zeros(9), world.snapshot()[: rng.randrange(2000)]])),
        lambda: world.restore(world.snapshot()),
        lambda: World(text, set={"grid.nx": number(rng)}),
        lambda: World(text=text, files={"a": other}),
        lambda: World.from_arrays(array(rng, shape), array(rng, shape), cell=number(rng)),
        lambda: headwater.hydrology_report(array(rng, shape), number(rng)),
        lambda: borrows.append(world.borrow(rng.choice(list(world.layers())))),
        lambda: borrows[-1].__enter__().sum() if borrows else None,
        lambda: borrows.pop().__exit__(None, None, None) if borrows else None,
    ]
    return rng.choice(calls)()


@pytest.mark.parametrize("model", SCENES)
def test_random_calls(model):
    rng = random.Random(model)
    world, borrows, error_count, success_count = make_world(SCENES[model]), [], 0, 0
    for call_index in range(1000):
        try:
            call(rng, world, borrows)
            success_count += 1
        except (*ALLOWED_ERRORS, CallbackError) as error:
            assert isinstance(error, CallbackError) or str(error), f"call {call_index} has no message"
            error_count += 1
        if call_index % 100 == 99:
            while borrows:
                borrows.pop().__exit__(None, None, None)
            try:
                world.step(1)
            except headwater.HeadwaterError:
                world = make_world(SCENES[model])
    assert error_count > 100 and success_count > 100
    assert len(world.state_hash()) == 16


def test_threads_in_one_world():
    world = make_world(SCENES["flow"])
    messages = []

    def work():
        for _ in range(300):
            try:
                world.step(1)
                world.layer("depth")
                world.edit("lower", Place.disc([5, 5], 3), 0.001)
            except headwater.HeadwaterError as error:
                messages.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(messages) and math.isfinite(float(world.layer("depth").sum()))
