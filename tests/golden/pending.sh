#!/usr/bin/env bash
# usage: pending.sh SLAB CASE.slab — an example of a rule that is not checked yet must be a text of the language, and
# must be a golden case as soon as slab reports its code.
set -u
slab=$1 case=$2
"$slab" fmt "$case" >/dev/null </dev/null || exit 1
name=$(basename "$case" .slab) code=${name%%_*}
[ "$name" = "${name%.fixed}" ] || exit 0
command=$(head -n 1 "$case" | sed -n 's|^// run: *||p')
read -ra words <<<"$command"
words=("${words[@]/#@/$case}")
if "$slab" "${words[@]}" 2>&1 </dev/null | grep -qF "[$code]"; then
  echo "$code is reported now: take $name off pending.txt and run UPDATE_GOLDEN=1 ctest -R golden/errors/$name"
  exit 1
fi
