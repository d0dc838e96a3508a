#!/usr/bin/env bash
# usage: limits.sh SLAB — long texts are checked in seconds, hostile ones end in a message, and no byte that steers a
# terminal reaches it. The limits leave room for a debug build on a busy machine.
set -u
slab=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() { echo "$1"; failed=1; }
within() { (ulimit -t "$1"; shift; exec "$@"); }  # seconds of this process, whatever else runs
repeat() { head -c "$2" /dev/zero | tr '\0' "$1"; }

head='kernel k(x: hbm f32[64, 256], out y: hbm f32[64, 256])\ngrid (i in 1)\n  in a = x\n  out z = y\n{\n'
{ printf "$head"; printf '  z = a\n'
  for ((i = 0; i < 9000; i++)); do printf '  let b%d = a*%d + 1 // one of many\n' $i $i; done
  printf '}\n'; for ((i = 0; i < 1000; i++)); do printf 'const c%d = %d\n' $i $i; done; } >"$folder/long.slab"
within 10 "$slab" check "$folder/long.slab" >"$folder/said" 2>&1 || fail "10,000 lines: $(head -c 300 "$folder/said")"

for open in '(' '[' '{'; do
  { printf "$head"; printf '  z = '; repeat "$open" 10000; } >"$folder/deep.slab"
  within 5 "$slab" check "$folder/deep.slab" >"$folder/said" 2>&1
  [ $? = 1 ] && grep -q '^error\[E0001\]: brackets are nested deeper' "$folder/said" || fail "10,000 of $open"
done

{ printf "$head"; printf '  z = a * '; repeat 9 100000; printf '\n  z = '; repeat n 100000; printf '\n}\n'; } >"$folder/digits.slab"
within 10 "$slab" check "$folder/digits.slab" >"$folder/said" 2>&1
[ $? = 1 ] || fail "a number of 100,000 digits"
[ "$(wc -c <"$folder/said")" -lt 3000 ] || fail "a number of 100,000 digits is printed in full"
within 10 "$slab" check "$folder/long.slab" --set "M=$(repeat 9 100000)" >"$folder/said" 2>&1
[ $? = 2 ] && [ "$(wc -c <"$folder/said")" -lt 3000 ] || fail "--set with 100,000 digits"

steers=$'a\e[31mb\a\x7f\xc2\x9bc'
file="$folder/long.slab" named="$folder/$steers.slab"
printf 'kernel k(' >"$named"
try() {
  "$slab" "$@" >"$folder/said" 2>&1 </dev/null
  code=$?
  [ $code = 1 ] || [ $code = 2 ] || fail "\`$1\` with control bytes ends in $code"
  ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$folder/said" ||
    fail "\`$1 $2\` prints control bytes"
}
for command in check run fmt; do try $command "$named"; done
for flag in --kernel --set --set-chip --case --with --chip "--$steers"; do try check "$flag" "$steers" "$file"; done
try chips "$steers"
try explain "$steers"
try "$steers" "$file"
printf '{"schema": "slab.cases/1", "cases": [{"name": "a\\u001b[31m", "kind": "check", "kernel": "long", "x": 1}]}' \
  >"$folder/cases.json"
try check "$file"
exit $failed
