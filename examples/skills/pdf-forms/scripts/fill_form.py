#!/usr/bin/env python3
"""Fill a PDF form. Usage: fill_form.py form.pdf values.json filled.pdf"""

import json
import os
import sys

from pypdf import PdfReader, PdfWriter

from list_fields import fields


def problems(known, values):
    """What is wrong with the given values, one sentence each."""
    for name, value in values.items():
        if name not in known:
            yield f'There is no field "{name}". Fields: {", ".join(sorted(known))}.'
        elif known[name]["type"] == "button":
            allowed = {*known[name]["on"], "/Off"}
            if value not in allowed:
                yield f'"{name}" takes {" or ".join(sorted(allowed))}, not "{value}".'
        elif known[name]["type"] == "signature":
            yield f'"{name}" is a signature; it stays empty.'


def merged(entries):
    """Fields by name; the "on" values of all buttons of a group together."""
    known = {}
    for entry in entries:
        first = known.setdefault(entry["name"], entry)
        if first is not entry and "on" in entry:
            first["on"] = sorted({*first["on"], *entry["on"]})
    return known


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, values_file, target = sys.argv[1:]
    if os.path.exists(target) and os.path.samefile(source, target):
        sys.exit("The result must not replace the form.")
    with open(values_file, encoding="utf-8") as file:
        values = json.load(file)
    reader = PdfReader(source)
    found = list(problems(merged(fields(reader)), values))
    if found:
        sys.exit("\n".join(found))
    writer = PdfWriter(clone_from=reader)
    writer.set_need_appearances_writer(True)
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    writer.write(target)


if __name__ == "__main__":
    main()
