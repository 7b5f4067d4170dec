#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Data and what tells of it, where writes are in memory in any order: with signals
# that come as immediate data, and with those for which there is no room in the
# receive queue, whose words are swapped.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

# scene NAME ARGUMENT...: with many receives, and with few
scene() {
	for WEFT_IB_SRQ in 4096 64; do
		WEFT_IB_SRQ=$WEFT_IB_SRQ WEFT_TRANSPORT=verbs flawless \
			"$any_time" "$top_builddir/tests/run" -n 2 --timeout 60 \
			"$top_builddir/tests/verbs_device/scene" "$@" || return 1
	done
}

lines() { scene graph 300 2 4; }
slots() { scene graph 300 64 4; }
slots_again() { scene graph 100 64 30; }
counts() { scene count 300; }
puts() { scene words 512 100; }

# By a third rank they are read long after they were acknowledged.
flushes() {
	WEFT_TRANSPORT=verbs flawless 'adverse delay=20000 reorder=6 late=2' \
		"$top_builddir/tests/run" -n 3 --timeout 60 \
		"$top_builddir/tests/mp/rma_rank" random 8 6
}

tap_run "$#" "$@" lines slots slots_again counts puts flushes
