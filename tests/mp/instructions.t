#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions of an operation of 8 bytes, and along a Dist of 64, on a rank that
# is alone, as callgrind counts them: what each call costs by itself, the same in
# each run. (With two ranks the looks at memory until the other one has written are
# counted, too.) The bounds are 3 % above what gcc 12 made of the library when the
# words of the interface were settled, and along a Dist since its exchanges stay
# with it; an allgather and an alltoall along edges, which have less to check, take
# 3 % more than an exchange at most.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../counted.sh"

# at_most BOUND OPERATION: 2000 of them take no more.
at_most() {
	local have
	counts tests/mp/counted "$2" || return 0
	[ "$have" -le "$1" ] && return 0
	echo "# 2000 operations take $have instructions, $1 at most"
	return 1
}

exchange() { at_most 2423993 exchange; }
allgather() { at_most 2477533 allgather; }
alltoall() { at_most 2477533 alltoall; }
allreduce() { at_most 1304698 allreduce; }
message() { at_most 2631909 message; }
dup() { at_most 3457632 dup; }
along_a_dist() { at_most 2814969 dist; }
along_a_dist_combined() { at_most 3685979 dist_reduce; }

tap_run "$#" "$@" exchange allgather alltoall allreduce message dup along_a_dist \
	along_a_dist_combined
