#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""images.py BUILD WORK REPORT [COUNT]

Measures pictures for viewing against vipsthumbnail, Pillow and ImageMagick, on COUNT (500) JPEGs of 12 megapixels and a fifth as
many HEIF pictures and PNGs, all cores for everybody, and writes its part of REPORT.
"""
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tables import section  # noqa: E402

BUILD, WORK, REPORT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 500
EDITHOST = f"{BUILD}/edithost"
CORES = os.cpu_count()
VERSION = subprocess.run(["convert", "-version"], capture_output=True, text=True, check=False).stdout if shutil.which("convert") else ""
IMAGEMAGICK = VERSION.startswith("Version: ImageMagick")
PILLOW = """
import sys
from multiprocessing import Pool
from PIL import Image, ImageOps
def draw(job):
    source, target = job
    with Image.open(source) as image:
        image.draft("RGB", (512, 512))
        image = ImageOps.exif_transpose(image)
        image.thumbnail((256, 256), Image.LANCZOS)
        image.convert("RGB").save(target, quality=85)
if __name__ == "__main__":
    names = sys.argv[2:]
    jobs = [(name, f"{sys.argv[1]}/{index}.jpg") for index, name in enumerate(names)]
    with Pool() as pool:
        pool.map(draw, jobs, chunksize=4)
"""


def with_thumbnail(jpeg, thumbnail):
    """A JPEG whose EXIF has a thumbnail (EXIF 2.32, 4.5)."""
    end = 26 + 2 + 36 + 4
    tiff = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x0112, 3, 1, 1, 26)
    tiff += struct.pack("<H", 3) + struct.pack("<HHII", 0x0103, 3, 1, 6)
    tiff += struct.pack("<HHII", 0x0201, 4, 1, end) + struct.pack("<HHII", 0x0202, 4, 1, len(thumbnail))
    exif = b"Exif\0\0" + tiff + struct.pack("<I", 0) + thumbnail
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def make(kind, count):
    """Different files of ten photos; what comes behind a picture makes them differ."""
    folder = WORK / f"images-{kind}-{count}"
    if folder.exists():
        return folder
    part = WORK / f"images-{kind}-part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    sources = sorted((WORK / "photographs").glob("*.jpg"))
    for index in range(count):
        source = sources[index % len(sources)]
        if kind in ("heic", "png"):
            converted = WORK / f"{source.stem}.{kind}"
            if not converted.exists():
                subprocess.run(["vips", "copy", source, converted], check=True)
            source = converted
        data = source.read_bytes()
        if kind == "thumbnail":
            small = WORK / f"{source.stem}.thumbnail"
            if not small.exists():
                subprocess.run(["vipsthumbnail", "--size", "160x120!", "-o", f"{small.absolute()}.jpg", source], check=True)
                pathlib.Path(f"{small}.jpg").rename(small)
            data = with_thumbnail(data, small.read_bytes())
        (part / f"{kind}{index:04}.{'jpg' if kind in ('jpeg', 'thumbnail') else kind}").write_bytes(
            data + index.to_bytes(4, "big"))
    part.rename(folder)
    return folder


def measured(command, **options):
    """Wall and processor seconds, children included."""
    def cpu():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before, start = cpu(), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command[:3]}: {done.stderr.decode()[-300:]}")
    return time.perf_counter() - start, cpu() - before


def competitors(folder, output, kind):
    files = sorted(str(path.absolute()) for path in folder.iterdir())
    script = WORK / "pillow_thumbnails.py"
    script.write_text(PILLOW)
    spread = ["xargs", "-0", "-P", str(CORES), "-n", str(max(1, len(files) // CORES // 4))]
    listed = "\0".join(files).encode()
    yield "vipsthumbnail", spread + [
        "vipsthumbnail", "--size", "256x256", "-o", f"{output.absolute()}/%s.jpg[Q=85]"], {
            "input": listed, "env": os.environ | {"VIPS_CONCURRENCY": "1"}}
    if kind == "heic":
        return
    yield "Pillow", ["python3", str(script), str(output)] + files, {}
    if IMAGEMAGICK:
        yield "ImageMagick", ["xargs", "-0", "-P", str(CORES), "-n", "1", "sh", "-c",
            f"convert -limit thread 1 -define jpeg:size=512x512 \"$1\" -auto-orient -thumbnail 256x256 "
            f"-quality 85 {output.absolute()}/$(basename \"$1\").jpg", "_"], {"input": listed}


def cold(kind, count, rows):
    folder = make(kind, count)
    library = WORK / f"images-{kind}.editlibrary"
    shutil.rmtree(library, ignore_errors=True)
    subprocess.run([EDITHOST, "import", "--library", library, folder], check=True, stdout=subprocess.DEVNULL)
    ours = None
    results = []
    output = WORK / "images-out"
    for name in ["edithost"] + [name for name, _, _ in competitors(folder, output, kind)]:
        best = None
        for _ in range(3):
            shutil.rmtree(output, ignore_errors=True)
            output.mkdir()
            if name == "edithost":
                shutil.rmtree(library / "cache" / "thumbnails", ignore_errors=True)
                seconds = measured([EDITHOST, "image", "--all", "--size", "256x256", "--to", output,
                                    "--library", library])
            else:
                command, options = next((c, o) for n, c, o in competitors(folder, output, kind) if n == name)
                seconds = measured(command, **options)
            if len(list(output.iterdir())) != count:
                raise SystemExit(f"{name} drew {len(list(output.iterdir()))} of {count}")
            best = min(best or seconds, seconds, key=lambda pair: pair[1])
        results.append((name, best))
    ours = results[0][1]
    for name, (wall, cpu) in results:
        rows.append(f"| {count} {kind.upper()} | {name} | {count / wall:.0f} | {cpu / count * 1000:.1f} ms | "
                    f"{ours[1] / cpu:.2f} |")
    shutil.rmtree(output, ignore_errors=True)
    return library


def main():
    rows = []
    library = cold("jpeg", COUNT, rows)
    for kind in ("heic", "png"):
        cold(kind, max(10, COUNT // 5), rows)
    subprocess.run([EDITHOST, "import", "--library", library, make("thumbnail", 50)], check=True,
                   stdout=subprocess.DEVNULL)
    program = f"{BUILD}/ImageBenchmark"
    lines = subprocess.run([program, os.path.realpath(EDITHOST), library], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    values = dict(line.split() for line in lines)
    text = ["## Pictures for viewing", "",
            f"256-pixel thumbnails of 12-megapixel photos, with an empty cache and {CORES} processes for each program; the run of three",
            "with the least processor time. The ratio is edithost's processor time divided by that of the other program.", "",
            "| files | program | per second | processor time per file | ratio |", "|---|---|---|---|---|", *rows, "",
            "With the Swift API, from the library's cache:", "",
            "| | |", "|---|---|",
            f"| files a second | {float(values['encoded']):.0f} |",
            f"| decoded pixels a second | {float(values['drawn']):.0f} |",
            f"| pixels in memory a second | {float(values['memory']):.0f} |",
            f"| first degraded picture if the EXIF block contains a thumbnail, median | {values['degraded']} ms |",
            f"| scrolling through 10,000 pictures, thirty requested at a time | {values['scrolling']} s |",
            f"| memory at the end, divided by memory halfway | {values['memory-ratio']} |", ""]
    section(REPORT, "## Pictures for viewing", text)


main()
