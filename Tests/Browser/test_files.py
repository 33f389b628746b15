# SPDX-License-Identifier: Apache-2.0
"""The files of the page, without a browser."""
import re
import subprocess

import pytest

from conftest import ROOT, WEB

pytestmark = pytest.mark.smoke

FILES = [path for path in WEB.rglob("*") if path.is_file() and path.suffix != ".ts"]
PAGE = (WEB / "index.html").read_text()


def test_page_is_at_most_400_kilobytes(tmp_path):
    subprocess.run([ROOT / "Scripts/copy-page", tmp_path / "page"], check=True)
    assert sum(path.stat().st_size for path in (tmp_path / "page").rglob("*") if path.is_file()) <= 400_000


def test_installed_page_lacks_only_comments(tmp_path):
    subprocess.run([ROOT / "Scripts/copy-page", tmp_path / "page"], check=True)
    installed = {str(path.relative_to(tmp_path / "page")) for path in (tmp_path / "page").rglob("*") if path.is_file()}
    assert installed == {str(path.relative_to(WEB)) for path in FILES} - {"types.js"}
    for name in installed:
        if name.endswith((".js", ".css")):
            whole, short = ((folder / name).read_text() for folder in (WEB, tmp_path / "page"))
            assert len(code(short)) > 20 and code(short) == code(whole), name


def code(text):
    """A file without the lines that are only comments."""
    text = re.sub(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", "", text, flags=re.M | re.S)
    return re.sub(r"^[ \t]*//.*\n", "", text, flags=re.M)


def test_page_preloads_exactly_its_modules():
    modules = {f"/{path.relative_to(WEB)}" for path in FILES if path.suffix == ".js"} - {"/main.js", "/types.js"}
    assert set(re.findall(r'rel="modulepreload" href="([^"]+)"', PAGE)) == modules


def test_nothing_is_inline_or_from_elsewhere():
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)", PAGE)
    for path in FILES:
        text = path.read_text()
        assert "http://www.w3.org/2000/svg" in text or not re.search(r"https?://", text), path
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), path


def test_every_message_exists_in_every_language():
    keys = [re.findall(r"^    (\w+):", (WEB / f"text/{language}.js").read_text(), re.M) for language in ("en", "de")]
    assert keys[0] == keys[1]
