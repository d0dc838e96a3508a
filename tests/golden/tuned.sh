#!/usr/bin/env bash
# usage: tuned.sh SLAB — what `slab validate --tuned` prints of the files in tuned/, as text, Markdown and JSON, and what it
# says of rows that are wrong; compared with tuned/expected.
set -u
slab=$1
say() {
  echo "\$ slab validate --tuned $*"
  "$slab" validate --tuned "$@" 2>&1 </dev/null
  echo "exit code: $?"
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# kernels of golden cases begin with commands and are tests of their own, so this one stands here
cat >"$folder/copied.slab" <<'SLAB'
kernel copied[b = 8](x: hbm f32[M, 8], out y: hbm f32[M, 8])
grid (i in M/b par)
  in xb = x[i@b, :]
  out yb = y[i@b, :]
{
  yb = xb
}
SLAB
cp tuned/*.json "$folder"
actual=$(cd "$folder" && {
  say --points rows.json
  say --points rows.json --group short --markdown
  say --points rows.json --group short --json
  say --points rows.json --group none
  say --points rows.json --ablation
  say --points wrong.json
  say --points illegal.json
})
if [ -n "${UPDATE_GOLDEN:-}" ]; then printf '%s\n' "$actual" >tuned/expected; exit 0; fi
if ! diff -u tuned/expected <(printf '%s\n' "$actual"); then
  echo "if the new output is right: UPDATE_GOLDEN=1 ctest -L golden"
  exit 1
fi
