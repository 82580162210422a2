"""Tests of faults found by external testers: escaping views, threads, forks, recursive values."""

import gc
import multiprocessing
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import headwater


def pond(n=50):
    return headwater.World.from_arrays(np.zeros((n, n)), np.ones((n, n)))


@pytest.mark.parametrize(
    "see",
    [
        lambda d: np.ma.masked_less(d, 0.1, copy=False),
        np.asmatrix,
        lambda d: d.view(np.recarray),
        lambda d: np.lib.stride_tricks.sliding_window_view(d, (2, 2)),
        lambda d: np.lib.stride_tricks.as_strided(d),
        lambda d: d.flat,
        np.nditer,
        lambda d: np.broadcast(d, 1),
        np.from_dlpack,
        memoryview,
        lambda d: [d],
    ],
)
def test_world_is_busy_while_a_view_exists(see):
    world = pond()
    snapshot = world.snapshot()
    with world.borrow("depth") as depth:
        seen = see(depth)
    for change in (world.step, lambda: world.restore(snapshot)):
        with pytest.raises(headwater.BusyError, match="depth"):
            change()
    del seen, depth
    gc.collect()
    world.step()


def test_a_view_under_the_name_of_the_array_is_detected():
    world = pond()
    with world.borrow("depth") as depth:
        depth = np.ma.masked_less(depth, 0.1, copy=False)
    with pytest.raises(headwater.BusyError):
        world.step()
    del depth
    world.step()


def test_plain_variables_do_not_block_the_world():
    world = pond()

    def inner(depth):
        alias = depth
        return float(alias.mean())

    with world.borrow("depth") as depth:
        same = depth
        assert inner(depth) == 1.0
    world.step()
    assert depth.size == 0 and same.size == 0


def test_ended_borrow_blocks_are_released():
    world = pond()
    before = None
    for turn in range(3):
        for _ in range(2000):
            with world.borrow("depth"):
                pass
        now = sum(1 for _ in gc.get_objects())
        if before is not None:
            assert now <= before + 100, turn
        before = now
    world.step()


def test_borrowing_and_stepping_threads_do_not_deadlock():
    script = """
        import sys, threading, numpy as np, headwater as hw
        sys.setswitchinterval(1e-6)
        world = hw.World.from_arrays(np.zeros((50, 50)), np.ones((50, 50)))
        def borrow():
            for _ in range(5000):
                try:
                    with world.borrow("depth") as depth: float(depth[0, 0])
                except hw.BusyError: pass
        def step():
            for _ in range(5000):
                try: world.step(1)
                except hw.BusyError: pass
        threads = [threading.Thread(target=work) for work in (borrow, step)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    """
    for _ in range(3):
        subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=120)


def test_recursive_values_are_rejected():
    world = pond()
    itself = {}
    itself["disc"] = itself
    nested = 1
    for _ in range(100_000):
        nested = [nested]
    for value in (itself, {"disc": nested}):
        with pytest.raises(TypeError, match="deep"):
            world.act(value)
    while isinstance(nested, list):
        nested = nested[0]


def step_in_a_fork(_):
    try:
        pond().step(1)
    except headwater.BrokenError as error:
        return str(error)
    return "stepped"


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context") or sys.platform == "win32", reason="no forks")
def test_forked_process_raises_an_error():
    pond(400).step(1)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        said = pool.map_async(step_in_a_fork, [0]).get(timeout=60)[0]
    assert "forked" in said and "spawn" in said


def test_daemon_threads_end_with_python():
    program = textwrap.dedent(
        """
        import sys, threading, time
        import numpy as np, headwater
        worlds = [headwater.World.from_arrays(np.zeros((60, 60)), np.ones((60, 60))) for _ in range(6)]
        def play(world, n):
            while True:
                world.advance(1e6, None if n % 2 else lambda at: None)
        def look(world):
            while True:
                try:
                    world.snapshot(), world.layer("height"), world.state_hash()
                except headwater.BusyError:
                    pass
        for n, world in enumerate(worlds):
            threading.Thread(target=play, args=(world, n), daemon=True).start()
        threading.Thread(target=look, args=(headwater.World("pond"),), daemon=True).start()
        time.sleep(0.2)
        """
    )
    for _ in range(8):
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stderr) == (0, "")


def test_out_of_range_integers_are_rejected():
    world = pond()
    wrong = {
        "0 to 18446744073709551615": [lambda: world.step(-1), lambda: world.changed("bed", (0, 2**64))],
        "0 to 4294967295": [lambda: world.remove_body(-3), lambda: world.set_drain(2**32, headwater.Place.everywhere(), 1)],
        "9223372036854775807": [lambda: world.set("physics.gravity", 2**63), lambda: world.add("gauge", {"name": 10**30})],
    }
    for allowed, calls in wrong.items():
        for call in calls:
            with pytest.raises(headwater.InputError, match="a whole number.*" + allowed):
                call()


def test_range_limits_are_inclusive():
    world = pond()
    for key, parameter in world.parameters().items():
        for end in parameter.allowed:
            try:
                world.set(key, end)
            except headwater.HeadwaterError as error:
                # Other parameters may limit the value further. The message names them.
                assert "`" in str(error), error
    low, _ = world.parameters()["physics.gravity"].allowed
    assert 0 < low < 1e-3


def test_errors_name_the_override():
    with pytest.raises(headwater.SceneError, match="^arrays: set grid.cell=-1"):
        headwater.World.from_arrays(np.zeros((4, 4)), cell=-1)


def test_restoring_marks_everything_changed():
    world = pond()
    snapshot, stamp = world.snapshot(), world.changed("bed").stamp
    world.edit("raise", headwater.Place.disc((25, 25), 10), 5.0)
    stamp = world.changed("bed", stamp).stamp
    world.restore(snapshot)
    assert world.changed("bed", stamp).tiles
    other = pond()
    assert other.changed("bed", world.changed("bed").stamp).tiles


def test_arrays_with_a_time_table_in_the_scene():
    bed = np.zeros((9, 9))
    world = headwater.World.from_arrays(bed, scene="time.until = 50")
    assert "50" in world.text() and "3600" not in world.text()
    headwater.World.from_arrays(bed, scene="# no [time] here")
    headwater.World.from_arrays(bed, set={"time.dt": 0.01})
    hexagons = headwater.World.from_arrays(bed, set={"grid.lattice": "hex"})
    assert hexagons.grid.lattice == "hex"


def test_xarray_preserves_walls_and_positions():
    xarray = pytest.importorskip("xarray")
    bed = np.zeros((5, 6))
    bed[:, 3] = np.nan
    world = headwater.World.from_arrays(bed, np.ones((5, 6)))
    again = headwater.World.from_xarray(world.to_xarray())
    assert np.array_equal(again.layer("closed"), world.layer("closed")) and again.layer("closed").any()
    row = headwater.World.from_arrays(np.zeros((1, 6)))
    assert headwater.World.from_xarray(row.to_xarray()).grid.nx == 6
    valley = headwater.World("hex-valley")
    data = valley.to_xarray(["bed"])
    assert float(data.x[1, 0]) == valley.center(0, 1)[0] and data.attrs["lattice"] == "hex"
    degrees = {"lat": np.linspace(47.2, 47.0, 21), "lon": np.linspace(8.0, 8.4, 41)}
    swiss = xarray.DataArray(np.zeros((21, 41)), dims=("lat", "lon"), coords=degrees)
    across, down = headwater.World.from_xarray(swiss).grid.cell
    assert abs(across - 759) < 2 and abs(down - 1112) < 2
    west = swiss.isel(lon=slice(None, None, -1))
    with pytest.raises(headwater.InputError, match="west to east"):
        headwater.World.from_xarray(west)
