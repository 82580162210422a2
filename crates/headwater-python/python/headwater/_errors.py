"""What is wrong: exceptions that tell the key, what was found and what is allowed."""

from __future__ import annotations


class HeadwaterError(Exception):
    """Something is wrong.

    key: the key, or the thing in words; None if none is to blame.
    found: what was found; None if it cannot be told.
    allowed: what is allowed, with its unit; None if it cannot be told.
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
        """An error in the words of this house."""
        return cls(f"{key}: found {found}, allowed is {allowed}", key, found, allowed)

    def __reduce__(self):
        return type(self), (*self.args, self.key, self.found, self.allowed)


class SceneError(HeadwaterError, ValueError):
    """The scene cannot be used; the message has a line for each problem."""


class InputError(HeadwaterError, ValueError):
    """A name, a number or a shape cannot be worked with. Nothing was done."""


class SnapshotError(HeadwaterError, ValueError):
    """The bytes are no snapshot of this world. Nothing was done."""


class BrokenError(HeadwaterError, RuntimeError):
    """The world cannot go on."""


class BusyError(HeadwaterError, RuntimeError):
    """Another thread is at work in the world, or something views its layers. Nothing was done."""
