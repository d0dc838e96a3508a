#!/usr/bin/env bash
# usage: plots.sh SLAB — `slab validate --plots` draws every point, the same each time, and the page links to the drawings.
set -u
slab=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "$1"; failed=1; }
marks() { grep -c 'class="point"' "$1"; }

mkdir "$folder/a" "$folder/b"
"$slab" validate --group read_reduce --markdown --plots "$folder/a" >"$folder/page" || fail "--plots ends in $?"
"$slab" validate --group read_reduce --json --plots "$folder/b" >"$folder/json" || fail "--plots with --json ends in $?"
for name in validation_times validation_errors; do
  cmp "$folder/a/$name.svg" "$folder/b/$name.svg" || fail "$name.svg differs from run to run"
  [ "$(marks "$folder/a/$name.svg")" = 4 ] || fail "$name.svg: $(marks "$folder/a/$name.svg") marks of 4 points"
  grep -q "^!\[.*\]($name.svg)$" "$folder/page" || fail "the page does not link to $name.svg"
done
head -c 1 "$folder/json" | grep -q '{' || fail "--json prints something else"
"$slab" validate --group read_reduce --markdown | grep -q '\.svg' && fail "the page links to plots that nobody asked for"

"$slab" validate --group read_reduce --plots "$folder/none" >/dev/null 2>"$folder/said"
[ $? = 2 ] && grep -q 'cannot write' "$folder/said" || fail "a folder that is not there: $(cat "$folder/said")"

# what docs/ shows is of one run
docs=../../docs
points=$(sed -n '/^## Points/,/^## Errors/p' "$docs/validation.md" | grep -c '^| .* %')
for name in validation_times validation_errors; do
  grep -q "($name.svg)" "$docs/validation.md" || fail "docs/validation.md does not show $name.svg"
  [ "$(marks "$docs/$name.svg")" = "$points" ] || fail "docs/$name.svg is not of the $points points of docs/validation.md"
done
exit $failed
