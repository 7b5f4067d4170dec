#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks of a node that have never met: who has closed its job is not dead, who is
# dead is found, and who waits for anybody connects to nobody.  Who lacks what it
# takes to connect tries again for ten seconds.
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

# Its memory is gone as if another program were in its place.
stays() {
	rm -f "$work/pid"
	expect_code 0 "$weftrun" -n 2 "$stranger" stays "$work/pid"
	expect_lines 1 '^rank 1 send: WEFT_ERR_PEER: .* has closed its job'
	expect_lines 1 '^rank 1 knows of 0 dead$'
	expect_lines 2 '^rank [01] close: WEFT_OK: $'
}

# Two ends of each of the connections of a ring, and all hear who leaves by the
# memory of one of them.
from_anybody() {
	expect_code 0 env WEFT_LOG=debug "$weftrun" -n 6 "$stranger" anybody 400
	expect_lines 12 ' connected by '
	expect_lines 0 ' is told in its own memory'
	expect_lines 6 '^rank [0-5] close: WEFT_OK: $'
}

# So it is where no memory is shared.
from_anybody_over_ofi() {
	needs_built OFI || return 0
	expect_code 0 env WEFT_TRANSPORT=ofi WEFT_LOG=debug \
		"$weftrun" -n 12 "$stranger" anybody 2500
	expect_lines 24 ' connected by '
	expect_lines 12 '^rank [0-9]* close: WEFT_OK: $'
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

left_over_ofi() {
	needs_built OFI || return 0
	WEFT_TRANSPORT=ofi left
}

# Half of the ranks close, and those that stay look for who has ended.
half_leave() {
	needs_built OFI || return 0
	expect_code 0 env WEFT_TRANSPORT=ofi \
		"$weftrun" -n 6 "$stranger" part 1500
	expect_lines 6 '^rank [0-5] knows of 0 dead$'
	expect_lines 6 '^rank [0-5] close: WEFT_OK: $'
}

# One of them has not closed.
half_leave_and_one_dies() {
	needs_built OFI || return 0
	expect_code 137 env WEFT_TRANSPORT=ofi "$weftrun" --keep-going -n 6 \
		"$stranger" survive unwatched
	expect_lines 3 '^rank [0-2] recv: WEFT_ERR_PEER: .*rank 5 on host .* is dead'
	expect_lines 3 '^rank [0-2] knows of 1 dead$'
}

# connects_later BACKEND FILES|SPACE LIMIT: rank 0 lacks it for half a second.
connects_later() {
	expect_code 0 env WEFT_LOG=info WEFT_TRANSPORT="$1" WEFT_ARENA_MAX=64m \
		"$weftrun" -n 2 "$stranger" "$2" 500
	expect_lines 1 "rank 0 .* $1: rank 1.*raise the limit .*\\($3, now [0-9]+\\); it is tried again$"
	expect_line '^rank 0 has sent meanwhile: no$'
	expect_line '^rank 0 send: WEFT_OK'
	expect_lines 2 '^rank [01] close: WEFT_OK: $'
}

files_come_back() {
	connects_later shm files 'ulimit -n'
}

files_come_back_over_ofi() {
	needs_built OFI || return 0
	connects_later ofi files 'ulimit -n'
}

space_comes_back() {
	connects_later shm space 'ulimit -v'
}

no_file_for_good() {
	needs_built OFI || return 0
	expect_code 0 env WEFT_TRANSPORT=shm,ofi \
		"$weftrun" -n 2 "$stranger" files 0
	expect_line '^rank 0 send: WEFT_ERR_DEVICE: .*rank 1 on host .* cannot be connected to: shm: .*ulimit -n, now [0-9]+.*; ofi: .*ulimit -n, now [0-9]+'
	expect_line '^rank 1 recv: WEFT_ERR_PEER: .*rank 0 on host'
	expect_lines 2 '^rank [01] close: WEFT_OK: $'
}

tap_run "$#" "$@" left stays from_anybody from_anybody_over_ofi \
	few_descriptors dead left_over_ofi half_leave half_leave_and_one_dies \
	files_come_back files_come_back_over_ofi space_comes_back \
	no_file_for_good
