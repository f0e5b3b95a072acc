#!/usr/bin/env bash
# Makes the folder that libFuzzer begins with of the inputs that are kept: unpack.sh TARGET.
set -euo pipefail
cd "$(dirname "$0")"
target=$1
mkdir -p "corpus/$target"
number=0
while read -r line; do
  number=$((number + 1))
  printf %s "$line" | xxd -r -p > "corpus/$target/kept-$number"
done < "kept/$target.txt"
echo "corpus/$target has $number inputs."
