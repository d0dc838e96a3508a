#!/usr/bin/env bash
# usage: run.sh SLAB CASE.slab — runs the commands in the case's first lines (`// run: COMMAND OPTIONS`, `@` stands for
# the case itself and is appended when missing) and compares what they print with CASE.slab.expected.
set -u
slab=$1 case=$2
mapfile -t commands < <(tr -d '\r' <"$case" | sed -n '/^\/\/ run:/!q; s|^// run: *||p')
[ ${#commands[@]} -gt 0 ] && [ -n "${commands[0]}" ] ||
  { echo "$case: the first line must be \`// run: COMMAND\`"; exit 1; }
say() {
  local command words
  for command in "${commands[@]}"; do
    case " $command " in *" @ "*) ;; *) command="$command @" ;; esac
    read -ra words <<<"$command"
    "$slab" "${words[@]/#@/$case}" 2>&1 </dev/null
    echo "exit code: $?"
  done
}
actual=$(say)
expected="$case.expected"
if [ -n "${UPDATE_GOLDEN:-}" ]; then printf '%s\n' "$actual" >"$expected"; exit 0; fi
if ! diff -u "$expected" <(printf '%s\n' "$actual"); then
  echo "if the new output is right: UPDATE_GOLDEN=1 ctest -L golden"
  exit 1
fi
