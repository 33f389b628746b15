# SPDX-License-Identifier: Apache-2.0
"""The programs and the page, as tests use them."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

# Everything that changes is waited for; this is the limit of a slow machine, not a pause.
PATIENCE = float(os.environ.get("EDITHOST_TEST_PATIENCE", "60")) * 1000


class Library:
    """A library, and the command that works on it."""

    def __init__(self, programs, path):
        self.programs, self.path = programs, Path(path)

    def run(self, *arguments):
        """Runs the command, and returns its rows."""
        command = [self.programs / "edithost", *arguments, "--json", "--library", str(self.path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return [json.loads(line) for line in done.stdout.splitlines()]

    def copy(self, path):
        shutil.copytree(self.path, path)
        return Library(self.programs, path)

    def exported(self, photo, folder):
        """The bytes of a photo's file as it is now."""
        row, = self.run("export", photo, "--to", str(folder))
        return Path(row["path"]).read_bytes()

    def ids(self):
        return [row["id"] for row in self.run("list")]


class Studio:
    """A running server."""

    def __init__(self, library, state, web, arguments=()):
        self.library = library
        state.mkdir(mode=0o700, exist_ok=True)
        self.environment = {**os.environ, "XDG_STATE_HOME": str(state), "XDG_RUNTIME_DIR": str(state)}
        self.program = [str(library.programs / "edithost-studio")]
        self.arguments = ["--library", str(library.path), "--no-open", "--json", "--web", str(web), *arguments]
        self.run("--port", "0")

    def run(self, *arguments):
        """Starts the server, without arguments at the port of its last start."""
        self.process = subprocess.Popen(
            [*self.program, *self.arguments, *arguments], stdout=subprocess.PIPE, text=True, env=self.environment)
        self.ready = json.loads(self.process.stdout.readline())
        self.url = self.ready["url"]

    def login_url(self):
        """The first URL of a browser. Its fragment is a token, which is valid once."""
        page = self.ready.pop("login", None) or self.issue()
        return re.search(r"url=([^\"]+)", Path(page).read_text())[1]

    def issue(self):
        done = subprocess.run(
            [*self.program, "login", "--library", str(self.library.path), "--no-open", "--json"],
            capture_output=True, text=True, check=True, env=self.environment)
        return json.loads(done.stdout)["login"]

    def files(self):
        """The folder of the page's files in its URLs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ready["port"])
        connection.putrequest("GET", "/", skip_host=True)
        connection.putheader("Host", self.url.split("/")[2])
        for name, value in (("Site", "none"), ("Mode", "navigate"), ("Dest", "document")):
            connection.putheader(f"Sec-Fetch-{name}", value)
        connection.endheaders()
        return re.search(r'src="/(\w+)/main\.js"', connection.getresponse().read().decode())[1]

    def kill(self):
        """Ends the server at once, without a chance to end anything properly."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=PATIENCE / 1000)


class Held:
    """Requests of a page that wait until the test releases them."""

    def __init__(self, page, pattern):
        self.page, self.pattern, self.routes = page, re.compile(pattern), []
        page.route(self.pattern, lambda route: self.routes.append(route))

    def wait(self):
        """Waits for a request."""
        while not self.routes:
            self.page.wait_for_timeout(10)

    def release(self):
        for route in self.routes:
            route.continue_()
        self.page.unroute(self.pattern)


class StudioPage:
    """A browser with its own login, and what went wrong in it."""

    def __init__(self, context, studio):
        self.context, self.studio = context, studio
        self.expected, self.unexpected = [], []
        context.set_default_timeout(PATIENCE)
        context.on("page", self._watch)
        self.page = context.new_page()

    def _watch(self, page):
        page.on("pageerror", lambda error: self._report(f"page error: {error}"))
        page.on("console", lambda line: self._report(f"console: {line.text}") if line.type == "error" else None)
        page.on("response", lambda answer: self._report(f"{answer.status}: {answer.url}") if answer.status >= 400 else None)
        page.on("requestfailed", self._failed)

    def _failed(self, request):
        # The page cancels what has left the screen.
        if request.failure != "net::ERR_ABORTED":
            self._report(f"{request.failure}: {request.url}")

    def _report(self, problem):
        if not any(re.search(pattern, problem) for pattern in self.expected):
            self.unexpected.append(problem)

    def expect(self, *patterns):
        """Allows problems that match one of these regular expressions."""
        self.expected += patterns
        self.unexpected = [p for p in self.unexpected if not any(re.search(e, p) for e in patterns)]
        return self

    def hold(self, pattern):
        """Holds the requests whose URLs match a regular expression."""
        return Held(self.page, pattern)

    def open(self, fragment=""):
        self.page.goto(self.studio.login_url())
        self.wait_for_grid()
        return self

    def new_tab(self):
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.goto(self.studio.url)
        page.wait_for_selector(".cell")
        return page

    # The grid

    def wait_for_grid(self):
        self.page.wait_for_selector(".cell[aria-label]")

    def wait_for_pictures(self):
        """Waits until every picture on the screen is shown."""
        self.page.wait_for_function(
            """() => {
                const grid = document.querySelector('.grid-scroller').getBoundingClientRect();
                const images = [...document.querySelectorAll('.cell img')].filter(image => {
                    const box = image.getBoundingClientRect();
                    return box.bottom > grid.top && box.top < grid.bottom;
                });
                return images.length > 0 && images.every(image => image.complete && image.naturalWidth > 0);
            }""")

    @property
    def grid(self):
        return self.page.locator(".grid-scroller")

    def cell(self, position):
        return self.page.locator(f"#photo-{position}")

    def count(self):
        return int(re.sub(r"\D", "", self.page.locator(".count").inner_text()) or 0)

    def wait_for_count(self, count):
        self.page.wait_for_function(
            "count => document.querySelector('.count').textContent.replace(/\\D/g, '') === String(count)", arg=count)

    def active(self):
        """The position of the photo that the keyboard acts on, if it is in the document."""
        name = self.grid.get_attribute("aria-activedescendant")
        return int(name.removeprefix("photo-")) if name else None

    def wait_for_active(self, position):
        self.page.wait_for_function(
            "id => document.querySelector('.grid-scroller').getAttribute('aria-activedescendant') === id",
            arg=f"photo-{position}")

    def positions(self, mark):
        """Where the photos with a word in their labels are."""
        return [index for index in range(self.count()) if mark in self.cell(index).get_attribute("aria-label")]

    def top_of(self, position):
        """Where a photo is on the screen."""
        return round(self.cell(position).bounding_box()["y"])

    def key_of(self, position):
        """The content key of the picture that a cell shows."""
        return self.cell(position).locator("img").get_attribute("src").split("/")[3]

    # The viewer

    @property
    def viewer(self):
        return self.page.locator("photo-viewer")

    def open_photo(self, position):
        self.cell(position).dblclick()
        self.wait_for_viewer()

    def wait_for_viewer(self):
        self.page.wait_for_selector("photo-viewer:not([hidden]) .pane:not(.other) .picture[src]")
        self.page.wait_for_function("() => document.querySelector('.pane:not(.other) .picture').naturalWidth > 0")

    def wait_for_grid_again(self):
        self.page.wait_for_selector("photo-viewer", state="hidden")

    def open_panel(self, photo, tab):
        """Opens a photo, and a tab of the panel beside it. Its edits may be changed."""
        self.expect_replaced_pictures()
        ids = [row["id"] for row in self.studio.library.run("list", "--sort", "date:desc")]
        self.open_photo(ids.index(photo))
        self.page.keyboard.press("i")
        self.page.get_by_role("tab", name=tab).click()
        return self

    def expect_replaced_pictures(self):
        """Allows requests for a picture under a content key that an edit has replaced meanwhile: the server has none."""
        self.expect("404: .*/pictures/", "status of 404")

    def picture(self):
        """The URL of the picture in the viewer."""
        return self.page.locator(".pane:not(.other) .picture").first.get_attribute("src")

    def wait_for_other_pane(self):
        """Waits until the picture is shown that the photo is compared with."""
        self.page.wait_for_function("""() => {
            const { loading, picture } = document.querySelector('photo-viewer').compare.other;
            return loading.size === 0 && picture.complete && picture.naturalWidth > 0;
        }""")

    def wait_for_other_picture(self, old):
        """Waits until the viewer shows another picture."""
        self.page.wait_for_function(
            """old => {
                const image = document.querySelector('.pane:not(.other) .picture');
                return image.getAttribute('src') !== old && image.complete && image.naturalWidth > 0;
            }""", arg=old)

    # The editing window

    @property
    def editor(self):
        return self.page.locator("edit-window")

    def edit(self, extension):
        """Opens the editing window, and waits for the first frame."""
        self.page.keyboard.press("e")
        self.page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{extension} ")).click()
        self.wait_for_frame()

    def wait_for_frame(self):
        """Waits until the last frame of the values that are set now is shown."""
        self.page.wait_for_function(
            """() => {
                const { phase, loop, stage, doneButton } = document.querySelector('edit-window');
                return phase === 'editing' && !doneButton.disabled && loop && !loop.isBusy && loop.plan() === null && !stage.whole.hidden;
            }""")

    def wait_for_presets(self):
        """Waits for the pictures of the presets."""
        self.page.wait_for_function("() => [...document.querySelectorAll('.preset-picture')].every(canvas => canvas.width > 1)")

    def field(self, name):
        return self.editor.get_by_role("spinbutton", name=name, exact=True)

    def finish(self):
        self.expect_replaced_pictures()
        self.editor.get_by_role("button", name="Done").click()
        self.page.wait_for_selector("edit-window", state="hidden")

    def values(self):
        """The values that are set in the form."""
        return self.page.evaluate("document.querySelector('edit-window').history.values")
