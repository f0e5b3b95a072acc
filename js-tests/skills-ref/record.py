"""Records what skills-ref prints of the skills in golden.json: its own command, in this process.

Whoever changes a skill there, or the version, runs it with Python 3.11 or newer:

    python3 -m venv /tmp/skills-ref
    /tmp/skills-ref/bin/pip install --require-hashes -r js-tests/skills-ref/requirements.txt
    /tmp/skills-ref/bin/python js-tests/skills-ref/record.py
"""

import json
import tempfile
from pathlib import Path

from click.testing import CliRunner
from skills_ref.cli import main

GOLDEN = Path(__file__).with_name("golden.json")


def printed(*words):
    """What a command printed, or None where it failed."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.stdout if result.exit_code == 0 else None


def record(skills, root):
    """Fills in what is printed of each skill."""
    for name, skill in skills.items():
        folder = root / name
        folder.mkdir()
        (folder / "SKILL.md").write_bytes(skill["file"].encode())
        skill["properties"] = printed("read-properties", folder)
        prompt = printed("to-prompt", folder)
        skill["prompt"] = prompt and prompt.replace(str(root), "ROOT")


golden = json.loads(GOLDEN.read_text())
with tempfile.TemporaryDirectory() as place:
    record(golden, Path(place).resolve())
GOLDEN.write_text(json.dumps(golden, indent=2) + "\n")
