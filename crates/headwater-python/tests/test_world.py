"""Tests of worlds of all models: advancing, editing, reading, saving, errors."""

import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import headwater
import numpy as np
import pytest
from headwater import Place, World

PUDDLE = """
model = "flow"
[grid]
nx = 100
ny = 70
cell = 2
[time]
until = 10
[terrain]
plane = { height = 500, slope = [0.01, 0] }
[water]
depth = 0.5
[[gauge]]
name = "middle"
at = [100, 70]
every = 1
"""


@pytest.fixture
def world():
    return World(text=PUDDLE)


def test_world_metadata(world):
    assert world.model == "flow"
    assert world.grid == (100, 70, (2.0, 2.0), "square")
    assert (world.time, world.steps, world.time_unit) == (0.0, 0, "s")
    assert world.center(0, 0) == (1.0, 1.0)
    assert "70 × 100" in repr(world)
    assert not world.is_settling and isinstance(world.notices, list)


@pytest.mark.parametrize("scene", ["pond", "u-tube", "castle-cistern", "hex-valley", "young-range"])
def test_every_model_advances_and_has_layers(scene):
    world = World.create(scene)
    assert isinstance(world, World)
    assert world.step(3).steps == 3
    for name, layer in world.layers().items():
        array = world.layer(name)
        assert array.shape == layer.shape and array.dtype == layer.dtype
    assert world.ledger().now >= 0.0
    assert world.edits() and isinstance(world.parameters(), dict)


def test_short_advances_equal_a_long_one():
    short, long = World("pond"), World("pond")
    for _ in range(60):
        short.advance(1 / 60)
    long.advance(1.0)
    assert short.state_hash() == long.state_hash()


def test_progress_callback_reports_and_stops(world):
    reports = []
    arrived = world.advance(20.0, lambda at: reports.append(at) or at.part < 0.5)
    assert not arrived.done and 10.0 <= arrived.time < 15.0
    assert reports[0].part == 0.0 and reports[-1].steps == arrived.steps


def test_exceptions_of_the_progress_callback_propagate(world):
    with pytest.raises(ZeroDivisionError):
        world.advance(20.0, lambda at: 1 / 0)
    assert world.advance(1.0).done


def test_edits_report_changed_tiles(world):
    kept = world.layer("bed")
    stamp = world.changed("bed").stamp
    world.edit("flatten", Place.disc((20, 20), 6, falloff="flat"), 510.0)
    tiles, stamp = world.changed("bed", stamp)
    assert len(tiles) == 1
    world.read_layer("bed", kept, tiles)
    assert np.array_equal(kept, world.layer("bed"))
    assert kept[10, 10] == 510.0 and kept[tiles[0].slices].max() == 510.0
    assert world.changed("bed", stamp).tiles == []


def test_a_layer_is_sampled_at_many_points(world):
    bed, points = world.layer("bed"), np.array([(21.0, 41.0), (-5.0, 0.0)])
    found = world.sample_many("bed", points)
    assert found.dtype == np.float32 and found[0] == bed[20, 10] and np.isnan(found[1])
    assert world.sample_many("depth", np.zeros((0, 2))).shape == (0,)
    for wrong in (points[0], np.zeros((2, 3)), points + np.inf, "points"):
        with pytest.raises(headwater.InputError):
            world.sample_many("bed", wrong)
    with pytest.raises(headwater.InputError):
        world.sample_many("deep", points)


def test_place_kinds(world):
    for place in (
        Place.everywhere(),
        Place.disc((20, 20), 5, "smooth"),
        Place.rect((10, 10), (20, 30), "linear"),
        Place.line([(10, 10), (50, 50)], 4),
        Place.polygon([(10, 10), (40, 12), (25, 30)]),
    ):
        world.edit("raise", place, 0.1)
        assert repr(place).startswith("Place.")


def test_adding_changing_and_removing_entries(world):
    place = Place.disc((50, 50), 5)
    spring, drain = world.add_spring(place, 2.0), world.add_drain(place, 1.0)
    world.set_spring(spring, place, 3.0)
    world.set_drain(drain, place, 0.5)
    assert (world.springs(), world.drains()) == ([spring], [drain])
    world.advance(1.0)
    world.remove_spring(spring)
    world.remove_drain(drain)
    assert (world.springs(), world.drains()) == ([], [])
    raft = world.add_body((100, 70), (6, 4), draft=0.2)
    world.set_body(raft, (90, 70), (6, 4), draft=0.2)
    assert world.bodies()[raft].position == (90.0, 70.0)
    world.remove_body(raft)
    with pytest.raises(headwater.InputError):
        world.remove_body(raft)


def test_gauges_values_and_ledger(world):
    world.advance(5.0)
    assert len(world.gauges()["middle"].times) == 6
    assert set(world.gauges()["middle"].values) >= {"depth_m"}
    world.add("gauge", {"name": "corner", "at": [10, 10], "every": 1})
    world.change("gauge", "name = 'corner'\nat = [12, 10]\nevery = 1")
    assert "corner" in world.gauges()
    world.remove("gauge", "corner")
    disc = {"center": np.array([50, 50]), "radius": np.float32(10)}
    world.act({"do": "pour", "disc": disc, "amount": 1})
    ledger = world.ledger()
    assert ledger.unit == "m³" and sum(ledger.came.values()) > 100
    assert abs(ledger.residual_relative) < 1e-6
    assert "pour" in world.text()
    world.set("physics.gravity", 1.62)
    assert world.parameters()["physics.gravity"].value == 1.62
    assert world.at(100, 70)["depth"].unit == "m" and world.at(-1, 0) == {}


def test_restored_world_continues_bit_for_bit(world):
    world.advance(3.0)
    world.add_spring(Place.disc((50, 50), 5), 2.0)
    again = World(text=PUDDLE)
    again.restore(world.snapshot())
    for one in (world, again):
        one.advance(2.0)
    assert again.state_hash() == world.state_hash()
    damaged = bytearray(world.snapshot())
    damaged[100] ^= 1
    for data in (bytes(damaged), b"", b"nothing"):
        with pytest.raises(headwater.SnapshotError):
            again.restore(data)
    assert again.state_hash() == world.state_hash()


def test_views_end_with_the_block(world):
    with world.borrow("depth") as depth:
        assert depth.shape == (70, 100) and depth.max() == 0.5
        assert np.shares_memory(depth, depth.T) and not depth.flags.writeable
        for call in (
            lambda: world.advance(1.0),
            lambda: world.edit("raise", Place.everywhere(), 1.0),
            lambda: world.restore(b""),
        ):
            with pytest.raises(headwater.BusyError, match="depth"):
                call()
        assert world.layer("depth").max() == 0.5
        with pytest.raises(ValueError):
            depth[0, 0] = 1.0
    assert depth.shape == (0, 0)
    assert world.advance(1.0).done


def test_a_view_that_outlives_its_block_blocks_the_world(world):
    with world.borrow("depth") as depth:
        row = depth[3]
        column = depth.T[5]
    with pytest.raises(headwater.BusyError, match="sliced"):
        world.advance(1.0)
    assert row.max() == 0.5 and column.max() == 0.5
    del row
    with pytest.raises(headwater.BusyError):
        world.advance(1.0)
    del column
    assert world.advance(1.0).done


def test_a_view_keeps_its_world_alive():
    with World(text=PUDDLE).borrow("surface") as surface:
        gc.collect()
        assert surface.min() > 499.0
        half = surface[:, :50]
    gc.collect()
    assert half.min() > 499.0


def test_simultaneous_views(world):
    with world.borrow("depth") as depth, world.borrow("bed") as bed:
        assert (depth + bed).shape == (70, 100)
        with world.borrow("depth") as again:
            assert np.shares_memory(depth, again)
        assert depth.shape == (70, 100) and again.shape == (0, 0)
    assert world.advance(1.0).done


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((70, 100)),
        np.zeros((100, 70), np.float32),
        np.zeros((70, 200), np.float32)[:, ::2],
        np.zeros((100, 70), np.float32).T,
        np.zeros(7000, np.float32),
        [[0.0]],
        None,
    ],
)
def test_mismatched_arrays_are_rejected(world, array):
    with pytest.raises(headwater.InputError) as refused:
        world.read_layer("depth", array)
    assert refused.value.found and "70 × 100" in refused.value.allowed


def test_read_only_arrays_are_rejected(world):
    array = np.zeros((70, 100), np.float32)
    array.flags.writeable = False
    with pytest.raises(headwater.InputError):
        world.read_layer("depth", array)


def test_exception_types(world):
    hash_before = world.state_hash()
    with pytest.raises(headwater.InputError) as refused:
        world.edit("lover", Place.disc((10, 10), 3), 1.0)
    error = refused.value
    assert error.found == '"lover"' and "lower" in error.allowed and isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)).found == error.found
    nan = float("nan")
    for call in (
        lambda: world.advance(nan),
        lambda: world.advance(-1.0),
        lambda: world.edit("lower", Place.disc((10, 10), 3), nan),
        lambda: Place.disc((nan, 0), 3),
        lambda: Place.disc((0, 0), -3),
        lambda: Place.polygon([(0, 0)]),
        lambda: world.layer("deep"),
        lambda: world.borrow("deep"),
        lambda: world.changed("deep"),
        lambda: world.at(nan, 0),
        lambda: world.set("physics.gravity", -1),
        lambda: world.set("physics.gravy", 1),
        lambda: world.act({"do": "dance"}),
        lambda: world.act("do = "),
        lambda: world.remove_spring(77),
        lambda: World("nowhere"),
        lambda: World(),
        lambda: World("pond", text=PUDDLE),
    ):
        with pytest.raises(headwater.InputError):
            call()
    for call in (lambda: world.act(3), lambda: world.set("physics.gravity", object())):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(headwater.SceneError) as refused:
        World(text=PUDDLE, set={"grid.nx": -3})
    assert refused.value.key == "grid.nx"
    with pytest.raises(headwater.SceneError):
        World("no/such/scene.toml")
    with pytest.raises(headwater.SceneError):
        headwater.check("model = 'flow'")
    assert world.state_hash() == hash_before


def test_threads_run_concurrently_but_not_in_one_world():
    world = World("dam-breach", set={"grid.nx": 512, "grid.ny": 512})
    begun, done, counted, refused = threading.Event(), threading.Event(), 0, []

    def run():
        world.advance(3.0, lambda at: begun.set() or time.sleep(0.005))
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    while not done.is_set():
        counted += 1
        try:
            world.state_hash()
        except headwater.BusyError as error:
            refused.append(error)
    thread.join()
    assert counted > 10 and refused
    assert world.advance(0.1).done


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_interrupts_an_advance():
    script = (
        "import headwater, signal, sys\n"
        # A background job of a shell ignores SIGINT unless it restores the handler.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "world = headwater.World('dam-breach')\n"
        "try:\n"
        "    print('begun', flush=True)\n"
        "    world.advance(1e6)\n"
        "except KeyboardInterrupt:\n"
        "    print(world.steps > 0 and world.step().done)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[0] == "True\n"


def test_version_and_library():
    assert headwater.scenes()[0] == "dam-breach" and "pond" in headwater.scenes()
    headwater.check(headwater.scene_text("pond"))


def test_scene_resolution():
    command = [sys.executable, "-m", "headwater", "u-tube", "20"]
    reports = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    world = World("u-tube")
    world.step(20)
    assert reports["hash"] == world.state_hash() and reports["steps"] == 20


def test_worlds_can_be_confined_and_limited_in_memory(tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "scenes"
    folder.mkdir()
    scene = folder / "a.toml"
    scene.write_text('model = "flow"\nterrain.file = "../secret.txt"\n[time]\nuntil = 1\n')
    with pytest.raises(headwater.SceneError, match="outside the folder of the scene"):
        World(scene, confined=True)
    text = 'model = "waves"\ngrid = { nx = 100, ny = 50, cell = 1 }\n[time]\nuntil = 1\n'
    World(text=text, confined=True, memory_limit=2**20)
    with pytest.raises(headwater.SceneError, match="needs about"):
        World(text=text, memory_limit=1000)
