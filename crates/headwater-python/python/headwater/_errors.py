"""Exceptions with the key, the value found and the allowed values."""

from __future__ import annotations


class HeadwaterError(Exception):
    """Base class of all errors.

    key: key or description of the faulty value; None if there is none.
    found: value found; None if unknown.
    allowed: allowed values, with unit; None if unknown.
    """

    def __init__(
        self,
        message: str,
        key: str | None = None,
        found: str | None = None,
        allowed: str | None = None,
    ) -> None:
        super().__init__(message)
        self.key = key
        self.found = found
        self.allowed = allowed

    @classmethod
    def of(cls, key: str, found: str, allowed: str) -> HeadwaterError:
        """Creates an error with the standard message."""
        return cls(f"{key}: found {found}, allowed is {allowed}", key, found, allowed)

    def __reduce__(self):
        return type(self), (*self.args, self.key, self.found, self.allowed)


class SceneError(HeadwaterError, ValueError):
    """The scene is invalid; the message has a line per error."""


class InputError(HeadwaterError, ValueError):
    """A name, number or shape is invalid. Nothing was changed."""


class SnapshotError(HeadwaterError, ValueError):
    """The bytes are not a snapshot of this world. Nothing was changed."""


class BrokenError(HeadwaterError, RuntimeError):
    """The world cannot continue."""


class BusyError(HeadwaterError, RuntimeError):
    """Another thread uses the world, or its layers are viewed. Nothing was changed."""
