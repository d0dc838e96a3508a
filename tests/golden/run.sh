#!/usr/bin/env bash
# usage: run.sh SLAB CASE.slab — runs the command in the case's first line (`// run: COMMAND OPTIONS`, `@` stands for
# the case itself and is appended when missing) and compares what it prints with CASE.slab.expected.
set -u
slab=$1 case=$2
command=$(head -n 1 "$case" | tr -d '\r' | sed -n 's|^// run: *||p')
[ -n "$command" ] || { echo "$case: the first line must be \`// run: COMMAND\`"; exit 1; }
case " $command " in *" @ "*) ;; *) command="$command @" ;; esac
read -ra words <<<"$command"
words=("${words[@]/#@/$case}")
actual=$("$slab" "${words[@]}" 2>&1 </dev/null; echo "exit code: $?")
expected="$case.expected"
if [ -n "${UPDATE_GOLDEN:-}" ]; then printf '%s\n' "$actual" >"$expected"; exit 0; fi
if ! diff -u "$expected" <(printf '%s\n' "$actual"); then
  echo "if the new output is right: UPDATE_GOLDEN=1 ctest -L golden"
  exit 1
fi
