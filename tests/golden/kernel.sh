#!/usr/bin/env bash
# usage: kernel.sh SLAB NAME — simulates the first check case of a kernel of the library on v6e and compares what is
# printed with kernels/NAME.expected.
set -u
slab=$1 name=$2
folder=../../kernels/$name
first=$(grep -m1 -oP '"name": "\K\w+(?=", "kind": "check")' "$folder/cases.json")
actual=$("$slab" run "$folder/$name.slab" --case "$first" 2>&1 </dev/null; echo "exit code: $?")
expected=kernels/$name.expected
if [ -n "${UPDATE_GOLDEN:-}" ]; then printf '%s\n' "$actual" >"$expected"; exit 0; fi
if ! diff -u "$expected" <(printf '%s\n' "$actual"); then
  echo "if the new output is right: UPDATE_GOLDEN=1 ctest -L golden"
  exit 1
fi
