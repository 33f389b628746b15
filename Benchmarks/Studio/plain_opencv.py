#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plain_opencv.py JPEG SIDE - a server that renders sepia with OpenCV for plain.html, and prints its address.

The picture is decoded and made smaller once. A request is answered with a JPEG of quality 90.
"""
import http.server
import pathlib
import sys
import urllib.parse

import cv2
import numpy

PAGE = pathlib.Path(__file__).with_name("plain.html").read_bytes()
# https://www.w3.org/TR/filter-effects-1/#sepiaEquivalent; OpenCV stores blue first.
SEPIA = numpy.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])


def picture(path, side):
    whole = cv2.imread(path)
    scale = side / max(whole.shape)
    return cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


PICTURE = picture(sys.argv[1], int(sys.argv[2]))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the last bytes of an answer wait for the acknowledgement of the first.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/":
            return self.answer("text/html", PAGE)
        if url.path != "/frame":
            return self.send_error(404)
        intensity = float(urllib.parse.parse_qs(url.query)["intensity"][0])
        matrix = (1 - intensity) * numpy.eye(3) + intensity * SEPIA
        frame = cv2.imencode(".jpg", cv2.transform(PICTURE, matrix), [
            cv2.IMWRITE_JPEG_QUALITY, 90, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420])[1]
        return self.answer("image/jpeg", frame.tobytes())

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
