#!/usr/bin/env bash
# usage: colour.sh SLAB — messages are coloured on a terminal and nowhere else, for every command that prints some.
set -u
slab=$1
escape=$'\e['
failed=0
expect() {  # expect WANTED OUTPUT WHAT
  case $2 in *"$escape"*) found=coloured ;; *) found=plain ;; esac
  [ "$found" = "$1" ] || { echo "$3: $found, not $1"; failed=1; }
}
on_terminal() { TERM=xterm script -qec "$*" /dev/null </dev/null; }
unset NO_COLOR
for command in "check errors/E0001_word.slab" "run errors/E0002_value.slab" "fmt errors/E0001_word.slab" \
    "chips nothing" "explain E0000" "bench --nothing" "nothing"; do
  expect coloured "$(on_terminal "$slab $command")" "$command on a terminal"
  expect plain "$(on_terminal "NO_COLOR=1 $slab $command")" "$command with NO_COLOR"
  expect plain "$($slab $command 2>&1 </dev/null)" "$command in a pipe"
done
word="check errors/E0001_word.slab"
expect coloured "$($slab $word --color always 2>&1)" "--color always in a pipe"
expect coloured "$(NO_COLOR=1 $slab $word --color=always 2>&1)" "--color=always with NO_COLOR"
expect plain "$(on_terminal "$slab $word --color never")" "--color never on a terminal"
expect coloured "$(on_terminal "$slab $word --color never --color auto")" "the last --color"
expect plain "$(on_terminal "$slab $word --json")" "--json on a terminal"
exit $failed
