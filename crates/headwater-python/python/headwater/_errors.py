"""Exceptions that name the invalid value, the value found and the allowed values."""

from __future__ import annotations


class HeadwaterError(Exception):
    """Base class of all errors.

    key: key of the invalid value, or a description of it; None if no value is invalid.
    found: invalid value that was found; None if unknown.
    allowed: description of the allowed values, with their unit; None if unknown.
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
        """Creates an error with a message of the form "key: found …, allowed is …"."""
        return cls(f"{key}: found {found}, allowed is {allowed}", key, found, allowed)

    def __reduce__(self):
        return type(self), (*self.args, self.key, self.found, self.allowed)


class SceneError(HeadwaterError, ValueError):
    """The scene is invalid. The message contains one line per error."""


class InputError(HeadwaterError, ValueError):
    """An argument, such as a name, number or shape, is invalid. Nothing was changed."""


class SnapshotError(HeadwaterError, ValueError):
    """The bytes are not a snapshot of this world. Nothing was changed."""


class BrokenError(HeadwaterError, RuntimeError):
    """The model failed, and the world can no longer be advanced."""


class BusyError(HeadwaterError, RuntimeError):
    """The world is in use by another thread, or one of its layers is borrowed. Nothing was
    changed."""
