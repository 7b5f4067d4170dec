#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Tables of irregular groups between processes: one file for the ranks of a node,
# which lives as long as one of them has the group, whoever dies, and no longer.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
rank=$top_builddir/tests/mp/group_rank
ranks=7
bytes=$((4 * ranks))

# count WHEN: in how many lines, and how many different files they tell
count() {
	grep "^$1 " "$work/out" | sort | uniq -c | sort -n |
		awk '{ n += $1 } END { print n + 0, NR }'
}

# one_file THRESHOLD: shared by all, made by one of them, and gone at the end
one_file() {
	WEFT_GROUP_SHARE=$1 expect_code 0 timeout 60 "$weftrun" -n "$ranks" \
		"$rank" share
	check [ "$(count made)" = "$ranks 1" ]
	check [ "$(grep -c '^made none' "$work/out")" = 0 ]
	check [ "$(grep -c '^maker$' "$work/out")" = 1 ]
	check [ "$(grep -c '^freed none' "$work/out")" = "$ranks" ]
}

# no_file THRESHOLD: each has its own
no_file() {
	WEFT_GROUP_SHARE=$1 expect_code 0 timeout 60 "$weftrun" -n "$ranks" \
		"$rank" share
	check [ "$(grep -c '^made none' "$work/out")" = "$ranks" ]
}

shared() {
	one_file 0
	one_file $((bytes - 1))
	no_file "$bytes"
	no_file 4k
}

without_shared_memory() {
	needs_built OFI || return 0
	WEFT_TRANSPORT=ofi no_file 0
}

death() {
	WEFT_GROUP_SHARE=0 expect_code 137 timeout 60 "$weftrun" --keep-going \
		-n "$ranks" "$rank" death
	check [ "$(grep -c '^#' "$work/out")" = 0 ]
	check [ "$(count kept)" = "$((ranks - 1)) 1" ]
	check [ "$(grep '^made ' "$work/out" | sort -u | cut -d' ' -f2)" = \
		"$(grep '^kept ' "$work/out" | sort -u | cut -d' ' -f2)" ]
	check [ "$(grep -c '^again ' "$work/out")" = $((ranks - 1)) ]
	check [ "$(grep -c '^freed none' "$work/out")" = $((ranks - 1)) ]
}

tap_run "$#" "$@" shared without_shared_memory death
