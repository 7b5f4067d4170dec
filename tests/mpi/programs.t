#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that use mpi.h alone, one for each family of functions, with several
# numbers of ranks.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun

# sizes PROGRAM: passes with all of them
sizes() {
	local n
	for n in 1 2 3 5 8; do
		expect_code 0 timeout 120 "$weftrun" -n "$n" \
			"$top_builddir/tests/mpi/$1"
		check [ "$(grep -c '^not ok' "$work/out")" = 0 ]
		check [ "$(grep -c '^ok' "$work/out")" -gt 0 ]
	done
}

jacobi() { sizes jacobi; }
messages() { sizes messages; }
communicators() { sizes communicators; }
collectives() { sizes collectives; }
datatypes() { sizes datatypes; }
graphs() { sizes graphs; }
grids() { sizes grids; }
errors() { sizes errors; }
others() { sizes others; }
older() { sizes older; }
threads() { sizes threads; }
intercommunicators() { sizes intercommunicators; }
sessions() { sizes sessions; }

tap_run "$#" "$@" jacobi messages communicators collectives datatypes graphs \
	grids errors others intercommunicators sessions older threads
