"""What the examples share."""

import argparse

import numpy as np


def arguments(out, **more):
    """The command line; `more` are arguments with their defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=out, help="the picture")
    parser.add_argument("--quick", action="store_true", help="small and short, to try whether it runs")
    for name, default in more.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default=default)
    return parser.parse_args()


def hillshade(heights, cell, exaggeration=1.0):
    """Light from the north-west, 0 to 1."""
    south, east = np.gradient(np.nan_to_num(heights) * exaggeration, cell)
    slope = np.sqrt(1 + south**2 + east**2)
    return np.clip(0.55 * (1 + (east + south) * 0.7 / slope), 0, 1)
