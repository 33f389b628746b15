# SPDX-License-Identifier: Apache-2.0
"""The sections and tables of the report."""
import re
import statistics


def section(report, heading, lines, after=None):
    """Writes a section of the report, in the place of what it was; a new one follows the section `after`."""
    text = report.read_text() if report.exists() else ""
    made = "\n".join(lines).strip() + "\n"
    start, end = place(text, heading)
    if start is None:
        start = end = place(text, after)[1] if after else len(text)
    parts = (text[:start], made, text[end:])
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text("\n\n".join(part.strip() for part in parts if part.strip()) + "\n")


def place(text, heading):
    """Where a section begins and ends; nowhere and the end of the text if there is none."""
    found = re.search(rf"^{re.escape(heading)}$", text, re.MULTILINE)
    if not found:
        return None, len(text)
    following = re.search(r"^## ", text[found.end():], re.MULTILINE)
    return found.start(), found.end() + following.start() if following else len(text)


def write(report, text):
    """Writes each section of a text in its place; what other programs have written stays."""
    head, *sections = text.split("\n## ")
    before = report.read_text() if report.exists() else ""
    others = re.search(r"^## ", before, re.MULTILINE)
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(head.strip() + "\n\n" + (before[others.start():] if others else ""))
    previous = None
    for part in sections:
        heading = "## " + part.split("\n", 1)[0]
        section(report, heading, ["## " + part], after=previous)
        previous = heading


def row(label, values, unit):
    scale, digits = (1000, 1) if unit == "ms" else (1, 2)
    scaled = [value * scale for value in values]
    return (f"| {label} | {statistics.median(scaled):.{digits}f} {unit} |"
            f" {min(scaled):.{digits}f} to {max(scaled):.{digits}f} |")


def table(results, ours, theirs, unit):
    """A markdown table: medians, ranges, and the ratio of each pair."""
    lines = ["| | median | range |", "|---|---|---|"]
    for index, name in ((0, "wall"), (1, "CPU")):
        ratios = [pair[0][index] / pair[1][index] for pair in results]
        lines += [
            row(f"{ours}, {name}", [pair[0][index] for pair in results], unit),
            row(f"{theirs}, {name}", [pair[1][index] for pair in results], unit),
            f"| **ratio, {name}** | **{statistics.median(ratios):.2f}** |"
            f" {min(ratios):.2f} to {max(ratios):.2f} |",
        ]
    return "\n".join(lines)
