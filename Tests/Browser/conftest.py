# SPDX-License-Identifier: Apache-2.0
"""What the tests of the studio's page share: libraries, servers, and pages that fail on unexpected errors.

EDITHOST_TEST_PROGRAMS is the folder of the built programs; without it, the release build is used.
"""
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from attacker import Attacker
from extensions import vips_flags
from pictures import make_detailed, make_pictures
from studio import PATIENCE, Library, Studio, StudioPage

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ.get("EDITHOST_TEST_PROGRAMS", ROOT / ".build/release"))
SCREENSHOTS = ROOT / ".build/screenshots"
PHOTOS = ROOT / ".build/demo-photographs/photographs"
WEB = ROOT / "Sources/Studio/Web"
VIEWPORT = {"width": 1280, "height": 800}

expect.set_options(timeout=PATIENCE)


def shared(tmp_path_factory, name, make):
    """A library in a folder that is made once for all processes that run tests. Tests do not change it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    made = folder / name
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "complete").exists():
            made.mkdir()
            make(made)
            (made / "complete").touch()
    return made / "Photos.editlibrary"


@pytest.fixture(scope="session")
def programs():
    if not (PROGRAMS / "edithost-studio").exists():
        pytest.exit(f"{PROGRAMS}/edithost-studio is missing; run make build", returncode=1)
    return PROGRAMS


@pytest.fixture(scope="session")
def photos(tmp_path_factory):
    """The photos of the demo; small ones are made if they have not been downloaded."""
    if PHOTOS.exists():
        return PHOTOS
    return make_pictures(tmp_path_factory.mktemp("photos"))


@pytest.fixture(scope="session")
def imported(programs, photos, browser, tmp_path_factory):
    """A library of the photos, two of them edited, with the pictures of the grid. Tests copy it."""
    def make(folder):
        library = Library(programs, folder / "Photos.editlibrary")
        library.run("import", str(photos))
        first, second = library.ids()[:2]
        library.run("edit", first, "--with", "sepia", "--set", "intensity=0.8")
        library.run("edit", second, "--with", "croprotate", "--set", "turns=1")
        library.run("edit", second, "--with", "sepia")
        studio = Studio(library, folder / "state", WEB)
        try:
            with browser.new_context(viewport=VIEWPORT) as context:
                StudioPage(context, studio).open().wait_for_pictures()
        finally:
            studio.stop()

    return Library(programs, shared(tmp_path_factory, "imported", make))


@pytest.fixture
def library(imported, tmp_path):
    """A library of photos that the test may change."""
    return imported.copy(tmp_path / "Photos.editlibrary")


@pytest.fixture(scope="session")
def imported_detailed(programs, tmp_path_factory):
    """A library of a photo without edits in which shifts of less than a pixel are seen. Tests copy it."""
    folder = tmp_path_factory.mktemp("detailed")
    library = Library(programs, folder / "Photos.editlibrary")
    library.run("import", str(make_detailed(folder / "detailed.jpg", 2400, 1600, 1)))
    return library


@pytest.fixture
def detailed(imported_detailed, tmp_path):
    """A library of one detailed photo that the test may change."""
    return imported_detailed.copy(tmp_path / "Detailed.editlibrary")


@pytest.fixture(scope="session")
def hundred_thousand(programs, tmp_path_factory):
    """A library of 100,000 rows by the generator of the benchmarks. Its originals are missing."""
    def make(folder):
        library = Library(programs, folder / "Photos.editlibrary")
        # The server creates the library.
        Studio(library, folder / "state", WEB).stop()
        subprocess.run([sys.executable, ROOT / "Benchmarks/generate.py", library.path, "100000"], check=True)

    return Library(programs, shared(tmp_path_factory, "hundred-thousand", make))


@pytest.fixture
def every(tmp_path_factory, monkeypatch):
    """Installs an extension with a parameter of each type."""
    folder = tmp_path_factory.getbasetemp() / "extensions/Every.editingextension"
    if not folder.exists():
        folder.mkdir(parents=True)
        source = Path(__file__).parent / "Every"
        shutil.copy(source / "manifest.json", folder)
        subprocess.run(["cc", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-I", ROOT / "Sources/CEditingExtension/include",
                        "-o", folder / "libevery.so", source / "every.c", *vips_flags()], check=True)
    monkeypatch.setenv("EDITHOST_EXTENSION_PATH", str(folder.parent))


@pytest.fixture
def start(tmp_path):
    """Starts servers, and stops them after the test."""
    started = []

    def start(library, *arguments):
        started.append(Studio(library, tmp_path / f"state{len(started)}", WEB, arguments))
        return started[-1]

    yield start
    for studio in started:
        studio.stop()


@pytest.fixture(scope="session")
def browser():
    arguments = ["--enable-features=SplitCacheByNetworkIsolationKey"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens pages; after the test, an error that it did not expect is a failure."""
    opened = []

    def open_page(studio, **options):
        options = {"viewport": VIEWPORT, "locale": "en-GB", **options}
        page = StudioPage(browser.new_context(**options), studio)
        opened.append(page)
        return page.open()

    yield open_page
    for page in opened:
        page.context.close()
    problems = [problem for page in opened for problem in page.unexpected]
    assert not problems, "\n".join(problems)


@pytest.fixture
def attacker():
    """A second server on this machine, which attacks."""
    attacker = Attacker()
    yield attacker
    attacker.close()


@pytest.fixture
def screenshot():
    """Saves screenshots in .build/screenshots, by default of the light and the dark page."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def screenshot(page, name, schemes=("light", "dark")):
        is_dark = page.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        for scheme in schemes:
            page.page.emulate_media(color_scheme=scheme)
            page.page.screenshot(path=SCREENSHOTS / f"{name}-{scheme}.png")
        page.page.emulate_media(color_scheme="dark" if is_dark else "light")

    return screenshot
