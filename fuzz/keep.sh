#!/usr/bin/env bash
# Keeps of a corpus what goes ways that nothing else goes: keep.sh TARGET [FOLDER]. The folder is
# corpus/TARGET where nobody says another one; the inputs go to kept/TARGET.txt, one a line.
set -euo pipefail
cd "$(dirname "$0")"
target=$1
folder=$(realpath "${2:-corpus/$target}")
smallest=$(mktemp -d)
trap 'rm -rf "$smallest"' EXIT
cargo +nightly fuzz run --sanitizer none --no-trace-compares "$target" -- \
  -set_cover_merge=1 "$smallest" "$folder"
for input in "$smallest"/*; do
  xxd -p "$input" | tr -d '\n'
  echo
done | sort > "kept/$target.txt"
wc -l "kept/$target.txt"
