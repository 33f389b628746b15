# SPDX-License-Identifier: Apache-2.0
"""Puts generated values into an order that JSON Schema cannot require."""
import schemathesis


def ordered(value):
    """Returns a value with the ends of areas and of ranges of positions in their order."""
    if isinstance(value, list):
        return [ordered(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: ordered(item) for name, item in value.items()}
    area = value.get("inside")
    if isinstance(area, dict) and all(is_number(area.get(name)) for name in ("south", "north")):
        area["south"], area["north"] = sorted((area["south"], area["north"]))
    if isinstance(value.get("positions"), list):
        value["positions"] = [
            sorted(pair) if isinstance(pair, list) and all(map(is_number, pair)) else pair for pair in value["positions"]]
    return value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@schemathesis.hook
def before_call(context, case, kwargs):
    case.body = ordered(case.body)
