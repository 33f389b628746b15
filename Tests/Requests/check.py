#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the studio's server against docs/reference/studio.openapi.yaml with generated requests.

Makes a library of generated pictures in a temporary folder, and prints how many operations passed and failed. The exit
status is not 0 if one failed, or if the server did not end as it should.
"""
import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
# A stream never ends, and the login must not. StudioTests test the login; here, wrong tokens would be counted.
LEFT_OUT = ["getEvents", "logIn", "logOut"]
# Long enough for a busy machine: a request that takes longer is a failure.
SECONDS = 120


def png(path, shade):
    """Writes a picture of 32 by 24 pixels."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = (32).to_bytes(4, "big") + (24).to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    rows = b"".join(b"\0" + bytes(
        value for x in range(32) for value in (shade, x * 8, y * 10)) for y in range(24))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
                     + chunk(b"IEND", b""))


class Server:
    """A server with a library in a folder, for a `with` statement. It chooses a free port."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.problem = None

    def __enter__(self):
        library, pictures = self.folder / "Photos.editlibrary", self.folder / "pictures"
        pictures.mkdir()
        for number in range(3):
            png(pictures / f"{number}.png", number * 80)
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder),
                       "XDG_CACHE_HOME": str(self.folder)}
        environment.pop("XDG_RUNTIME_DIR", None)
        subprocess.run([self.programs / "edithost", "import", pictures, "--library", library], check=True,
                       env=environment, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [self.programs / "edithost-studio", "--library", library, "--no-open", "--json", "--web",
             ROOT / "Sources/Studio/Web"],
            stdout=subprocess.PIPE, text=True, env=environment)
        try:
            ready = json.loads(self.process.stdout.readline() or "null")
            if not ready:
                raise SystemExit("check.py: edithost-studio did not start; see above")
            self.host, self.port = ready["url"].split("/")[2], ready["port"]
            token = re.search(r"#token=([0-9a-f]+)", Path(ready["login"]).read_text())[1]
            self.bearer = self.log_in(token)
        except BaseException:
            self.__exit__()
            raise
        return self

    def log_in(self, token):
        """Returns the bearer token of a new login."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.putrequest("POST", "/api/login", skip_host=True)
        connection.putheader("Host", self.host)
        connection.putheader("Authorization", f"Bearer {token}")
        connection.endheaders()
        return json.loads(connection.getresponse().read())["bearer"]

    def __exit__(self, *_):
        """Ends the server, and sets `problem` if it did not run until then or did not end as it should."""
        if self.process.poll() is not None:
            self.problem = f"edithost-studio ended early, with status {self.process.returncode}"
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            if self.process.wait(SECONDS) != 0:
                self.problem = f"edithost-studio ended with status {self.process.returncode}"
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=Path, help="the folder of the built programs")
    parser.add_argument("schemathesis", help="the program of this name; see requirements.txt")
    parser.add_argument("--examples", type=int, default=20, help="requests of each operation, besides systematic ones")
    parser.add_argument("--seed", default="1", help="of the generated requests; `random` chooses one and prints it")
    return parser.parse_args()


def run(options, seed, server, folder, report):
    """Sends the requests, and returns the status of schemathesis. It stores what it finds in the folder."""
    left_out = [word for name in LEFT_OUT for word in ("--exclude-operation-id", name)]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(Path(__file__).parent),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [os.path.abspath(shutil.which(options.schemathesis) or options.schemathesis),
         "--config-file", Path(__file__).with_name("schemathesis.toml"), "run",
         ROOT / "docs/reference/studio.openapi.yaml",
         "--url", f"http://127.0.0.1:{server.port}", "-H", f"Host: {server.host}",
         "-H", f"Authorization: Bearer {server.bearer}", "--seed", str(seed),
         "--max-examples", str(options.examples), "--phases", "examples,coverage,fuzzing",
         "--exclude-checks", "ignored_auth", "--request-timeout", str(SECONDS), "--generation-database", "none",
         "--report", "junit", "--report-junit-path", report, *left_out],
        cwd=folder, check=False, env=environment).returncode


def counts(report):
    """Returns how many operations passed and failed. Those that were not tested are neither."""
    outcomes = [{child.tag for child in case} for case in ElementTree.parse(report).getroot().iter("testcase")]
    return sum(not tags for tags in outcomes), sum(bool(tags & {"failure", "error"}) for tags in outcomes)


def main():
    # Like Ctrl-C, so that nothing stays behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = arguments()
    seed = random.getrandbits(32) if options.seed == "random" else int(options.seed)
    print(f"to repeat these requests: make test-requests SEED={seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        with Server(options.programs.resolve(), Path(folder)) as server:
            status = run(options, seed, server, folder, report)
        passed, failed = counts(report) if report.exists() else (0, 1)
    print(f"{passed} passed, {failed} failed (operations, seed {seed})")
    if server.problem:
        print(f"check.py: {server.problem}", file=sys.stderr)
    return 1 if status or failed or passed == 0 or server.problem else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
