"""Runs every example and checks its image."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py") if not path.name.startswith("_"))


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_writes_its_image(example, tmp_path):
    pytest.importorskip("matplotlib")
    if example == "carved_land.py":
        pytest.importorskip("xarray")
    picture = tmp_path / "picture.png"
    command = [sys.executable, str(FOLDER / example), "--quick", "--out", str(picture)]
    environment = {**os.environ, "MPLCONFIGDIR": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000


def test_number_of_examples():
    assert len(EXAMPLES) >= 5
