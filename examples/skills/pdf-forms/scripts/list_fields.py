#!/usr/bin/env python3
"""Print the form fields of a PDF as JSON. Usage: list_fields.py form.pdf"""

import json
import sys

from pypdf import PdfReader

KINDS = {"/Tx": "text", "/Btn": "button", "/Ch": "choice", "/Sig": "signature"}


def inherited(widget, key):
    """The value of a key that a widget may take over from its parents."""
    while widget is not None:
        if key in widget:
            return widget[key]
        widget = widget["/Parent"].get_object() if "/Parent" in widget else None
    return None


def full_name(widget):
    """The names from the outermost field to the widget, joined by dots."""
    parts = []
    while widget is not None:
        if "/T" in widget:
            parts.append(str(widget["/T"]))
        widget = widget["/Parent"].get_object() if "/Parent" in widget else None
    return ".".join(reversed(parts))


def on_values(widget):
    """The values that switch a check box or radio button on."""
    normal = widget.get("/AP", {}).get("/N", {})
    return sorted(str(key) for key in normal if key != "/Off")


def fields(reader):
    for number, page in enumerate(reader.pages, start=1):
        for reference in page.get("/Annots") or []:
            widget = reference.get_object()
            kind = inherited(widget, "/FT")
            if widget.get("/Subtype") != "/Widget" or kind is None:
                continue
            value = inherited(widget, "/V")
            entry = {
                "name": full_name(widget),
                "type": KINDS.get(str(kind), str(kind)),
                "page": number,
                "rectangle": [round(float(edge), 1) for edge in widget["/Rect"]],
                "value": None if value is None else str(value),
            }
            if kind == "/Btn":
                entry["on"] = on_values(widget)
            yield entry


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    reader = PdfReader(sys.argv[1])
    form = reader.trailer["/Root"].get("/AcroForm")
    if form is not None and "/XFA" in form.get_object():
        print("This is an XFA form; the fields below may not be what viewers show.", file=sys.stderr)
    print(json.dumps(list(fields(reader)), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
