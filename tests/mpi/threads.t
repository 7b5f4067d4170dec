#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Threads of a rank that is alone, which the thread sanitizer looks at as well:
# with others there are threads of the launcher's library, too, of which it knows
# nothing (tests/mpi/programs.t runs them).
. "$(dirname "$0")/../tap.sh"

alone() {
	WEFT_BOOT=solo expect_code 0 timeout 120 \
		"$top_builddir/tests/mpi/threads"
	check [ "$(grep -c '^ok' "$work/out")" = 3 ]
}

tap_run "$#" "$@" alone
