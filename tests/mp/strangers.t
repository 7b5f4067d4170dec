#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks of a node that have never met: who has closed its job is not dead, who is
# dead is found, and who waits for anybody connects to nobody.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
stranger=$top_builddir/tests/mp/stranger

left() {
	rm -f "$work/pid"
	expect_code 0 "$weftrun" -n 2 "$stranger" left "$work/pid"
	expect_lines 1 '^rank 1 send: WEFT_ERR_PEER: .* has closed its job'
	expect_lines 1 '^rank 1 knows of 0 dead$'
	expect_lines 2 '^rank [01] close: WEFT_OK: $'
}

# Two ends of each of the connections of a ring.
from_anybody() {
	expect_code 0 env WEFT_LOG=debug "$weftrun" -n 6 "$stranger" anybody 400
	expect_lines 12 ' connected by '
	expect_lines 6 '^rank [0-5] close: WEFT_OK: $'
}

few_descriptors() {
	expect_code 0 "$weftrun" -n 16 sh -c \
		"ulimit -n 28 && exec $stranger anybody 400"
	expect_lines 16 '^rank [0-9]* close: WEFT_OK: $'
}

dead() {
	rm -f "$work/pid"
	expect_code 137 "$weftrun" --keep-going -n 3 "$stranger" dead "$work/pid"
	expect_lines 1 '^rank 0 recv: WEFT_ERR_PEER: .*rank 2 on host .* is dead'
	expect_lines 2 '^rank [01] knows of 1 dead$'
}

tap_run "$#" "$@" left from_anybody few_descriptors dead
