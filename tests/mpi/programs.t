#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that use mpi.h alone, one for each family of functions, with several
# numbers of ranks, which MPI_RANKS changes.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun

# sizes PROGRAM: passes with all of them
sizes() {
	local n
	for n in ${MPI_RANKS:-1 2 3 5 8}; do
		expect_code 0 timeout 120 "$weftrun" -n "$n" \
			"$top_builddir/tests/mpi/$1"
		check [ "$(grep -c '^not ok' "$work/out")" = 0 ]
		check [ "$(grep -c '^ok' "$work/out")" -gt 0 ]
	done
}

# large N VARIABLE PROGRAM: N ranks with blocks of LARGE_COUNT bytes; above 2^31
# that takes minutes, and 12 GiB of memory
large() {
	expect_code 0 timeout $((200 * ${TEST_TIME:-1})) env "$2=${LARGE_COUNT:-70001}" "$weftrun" \
		-n "$1" "$top_builddir/tests/mpi/$3"
	expect_lines 0 '^not ok'
	expect_line '^ok'
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
constructors() { sizes constructors; }
forms() { sizes forms; }
points() { sizes points; }
calls() { sizes calls; }

# Each function of mpi.h is called by a program.
all_are_called() {
	local names='s/.*\b(MPI_[A-Z]\w*).*/\1/p'
	find "$top_builddir/tests/mpi" -type f -perm -100 ! -name '*.*' \
		-exec nm -D --undefined-only {} + |
		sed -nE "$names" | sort -u >"$work/called"
	grep -v '^typedef' "$top_srcdir/include/mpi.h" |
		grep -oE '[ *]MPI_\w+\(' | tr -d ' *(' | sort -u \
		>"$work/declared"
	check [ "$(wc -l <"$work/declared")" = 435 ]
	check [ -z "$(comm -13 "$work/called" "$work/declared")" ]
}

large_counts() {
	large 1 FORMS_COUNT forms
	large 2 POINTS_COUNT points
}

tap_run "$#" "$@" jacobi messages communicators collectives datatypes graphs \
	grids errors others intercommunicators sessions older threads \
	constructors forms points calls all_are_called large_counts
