"""Functions shared by the examples."""

import argparse

import numpy as np


def arguments(out, **more):
    """Parses the command line. `more` contains the defaults of further arguments, by name."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=out, help="path of the image")
    parser.add_argument("--quick", action="store_true", help="small and short, for tests")
    for name, default in more.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default=default)
    return parser.parse_args()


def hillshade(heights, cell, exaggeration=1.0):
    """Returns the brightness (0 to 1) of a terrain in light from the north-west."""
    south, east = np.gradient(np.nan_to_num(heights) * exaggeration, cell)
    slope = np.sqrt(1 + south**2 + east**2)
    return np.clip(0.55 * (1 + (east + south) * 0.7 / slope), 0, 1)
