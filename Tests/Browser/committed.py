# SPDX-License-Identifier: Apache-2.0
"""What the command makes of the values that the studio has committed."""
import json


def assert_equal_to_command(library, before, photo, extension, folder):
    """The file of the studio's last edit is that of the command with these values, on a copy of the library from before.

    Returns the values.
    """
    original = before.exported(photo, folder / "original")
    values = library.run("history", photo)[-1]["values"]
    settings = [part for name, value in values.items() for part in ("--set", f"{name}={_setting(value)}")]
    before.run("edit", photo, "--with", extension, *settings)
    assert before.run("history", photo)[-1]["values"] == values
    studio, command = library.exported(photo, folder / "studio"), before.exported(photo, folder / "command")
    assert studio != original and studio == command
    return values


def _setting(value):
    """A value as `--set` takes it."""
    if isinstance(value, dict):
        return ",".join(repr(value[key]) for key in ("x", "y", "width", "height") if key in value)
    return value if isinstance(value, str) else json.dumps(value)
