#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py PROGRAMS SCHEMATHESIS [EXAMPLES]

Checks the studio's server against docs/reference/studio.openapi.yaml with generated requests.

PROGRAMS is the folder with the built programs, SCHEMATHESIS the program of that name (see requirements.txt). A library of
generated pictures is made in a temporary folder.
"""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A stream never ends, and the login must not. StudioTests test the login; here, wrong tokens would be counted.
LEFT_OUT = ["getEvents", "logIn", "logOut"]


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
    """A running server, and a login of it."""

    def __init__(self, programs, folder):
        library, pictures = folder / "Photos.editlibrary", folder / "pictures"
        pictures.mkdir()
        for number in range(3):
            png(pictures / f"{number}.png", number * 80)
        environment = {**os.environ, "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        environment.pop("XDG_RUNTIME_DIR", None)
        subprocess.run([programs / "edithost", "import", pictures, "--library", library], check=True,
                       env=environment, stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [programs / "edithost-studio", "--library", library, "--no-open", "--json", "--web",
             ROOT / "Sources/Studio/Web"],
            stdout=subprocess.PIPE, text=True, env=environment)
        ready = json.loads(self.process.stdout.readline())
        self.host, self.port = ready["url"].split("/")[2], ready["port"]
        token = re.search(r"#token=([0-9a-f]+)", Path(ready["login"]).read_text())[1]
        self.bearer = self.log_in(token)

    def log_in(self, token):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.putrequest("POST", "/api/login", skip_host=True)
        connection.putheader("Host", self.host)
        connection.putheader("Authorization", f"Bearer {token}")
        connection.endheaders()
        return json.loads(connection.getresponse().read())["bearer"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10)


def main(programs, schemathesis, examples="20"):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(programs), Path(folder))
        try:
            left_out = [word for name in LEFT_OUT for word in ("--exclude-operation-id", name)]
            # It stores what it finds in the working folder.
            done = subprocess.run(
                [os.path.abspath(shutil.which(schemathesis) or schemathesis), "run",
                 ROOT / "docs/reference/studio.openapi.yaml",
                 "--url", f"http://127.0.0.1:{server.port}", "-H", f"Host: {server.host}",
                 "-H", f"Authorization: Bearer {server.bearer}", "--max-examples", examples,
                 "--phases", "examples,coverage,fuzzing", "--exclude-checks", "ignored_auth",
                 "--request-timeout", "30", *left_out],
                cwd=folder, check=False)
        finally:
            status = server.stop()
        return done.returncode or status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
