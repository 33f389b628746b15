# SPDX-License-Identifier: Apache-2.0
"""Extensions that a test can remove."""
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def vips_flags():
    """What the compiler needs for libvips."""
    return subprocess.run(
        ["pkg-config", "--cflags", "--libs", "vips"], check=True, capture_output=True, text=True).stdout.split()


def build_adder(folder, name, written=None, parameters=(), media=("image",)):
    """Builds the extension org.example.NAME, which adds to all values of a picture, and returns its folder.

    `written` is the format of the recipes that it reads and writes; by default its own. Its manifest has `parameters`
    besides `amount`. `media` are the types of media that it edits.
    """
    identifier = f"org.example.{name}"
    written = written or identifier
    target = Path(folder) / f"{name}.editingextension"
    target.mkdir(parents=True)
    subprocess.run(
        ["cc", "-std=gnu11", "-O1", "-fPIC", "-shared", f"-I{ROOT}/Sources/CEditingExtension/include",
         f'-DIDENTIFIER="{identifier}"', f'-DFORMAT="{written}"', "-o", target / f"lib{name}.so",
         ROOT / "Tests/TestSupport/Plugins/adder.c", *vips_flags()], check=True)
    formats = [{"formatIdentifier": written}]
    (target / "manifest.json").write_text(json.dumps({
        "identifier": identifier, "name": name.title(), "version": "1.0", "abi": "1.0", "library": f"lib{name}.so",
        "supportedMediaTypes": media, "reads": formats, "writes": formats,
        "parameters": [{"name": "amount", "type": "number", "minimum": -255, "maximum": 255, "step": 1, "default": 10}, *parameters],
    }))
    return target
