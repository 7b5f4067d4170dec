#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Ranks that are threads of one process, over the test device: what the thread
# sanitizer sees of the verbs backend.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
export WEFT_TRANSPORT=verbs

run=$top_builddir/tests/run

exchanges() {
	flawless "$1" "$run" --timeout 100 \
		"$top_builddir/tests/mp/exchange_threads.t"
}

in_order() { exchanges ''; }
late_and_lost() { exchanges "$late_and_lost"; }
in_any_order() { exchanges "$any_time"; }

tap_run "$#" "$@" in_order late_and_lost in_any_order
