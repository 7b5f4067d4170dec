#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The programs of tests/mpi give the same results over MPICH and Open MPI: what
# they expect is MPI's, not weft's alone.  PEER_RANKS: with how many ranks.
#
# Not built: calls, constructors, errors, older, others, points, sessions, and
# forms for Open MPI, which call functions of MPI 4 and 5 that these libraries do
# not have; ends, which is about exit codes.
. "$(dirname "$0")/../tap.sh"

root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root

# What MPICH 4.0 does otherwise, by cases:
#   groups                   translates MPI_PROC_NULL to MPI_UNDEFINED where the
#                            other group is empty; MPI 4.1, 7.3.1 has MPI_PROC_NULL
#   hints                    MPI_Info_get of a value that is longer than there is
#                            room for is an error; MPI 4.1, 10: it is cut off
#   along edges              of several edges between two processes the first that
#                            one gives comes last at the other
#   nobody                   the status of a receive from MPI_PROC_NULL is another
#                            one by MPI_Irecv; MPI 4.1, 3.10
#   probes, and what they    once a receive was cancelled probes give statuses that
#   take                     are cancelled
#   refusals                 classes of errors, which MPI does not fix
#   with a root              a nonblocking or persistent one ends with "Invalid
#                            communicator" for 3 ranks and more
mpich_left_out=';groups;hints;along edges;nobody;probes, and what they take;'
mpich_left_out+='refusals;with a root;'
# Open MPI 4.1: groups, refusals: as above
openmpi_left_out=';groups;refusals;'

# peer NAME LEFT_OUT PROGRAM...: all pass there but for these cases
peer() {
	local name=$1 out=$2 program n options=
	shift 2
	[ "$name" != openmpi ] || options="--oversubscribe $root"
	echo '#include <mpi.h>' >"$work/header.c"
	if ! command -v "mpiexec.$name" >/dev/null ||
		! "mpicc.$name" -E "$work/header.c" >"$work/out" 2>&1; then
		skip "there is no mpicc.$name that finds mpi.h"
		return
	fi
	for program; do
		expect_code 0 "mpicc.$name" -w -I"$top_srcdir" \
			-o "$work/$program" "$top_srcdir/tests/mpi/$program.c"
		for n in ${PEER_RANKS:-3}; do
			# shellcheck disable=SC2086
			expect_code 0 timeout $((120 * ${TEST_TIME:-1})) \
				env CHECK_LEFT_OUT="$out" \
				"mpiexec.$name" $options -n "$n" \
				"$work/$program"
			expect_lines 0 '^not ok'
			expect_line '^ok'
			sed -n 's/^ok .* - \(.*\) # SKIP .*/\1/p' \
				"$work/out" >>"$work/skipped.$name"
		done
	done
	tr ';' '\n' <<<"$out" | grep . | sort >"$work/named"
	check diff "$work/named" <(sort -u "$work/skipped.$name")
}

mpich() {
	peer mpich "$mpich_left_out" collectives communicators datatypes \
		graphs grids intercommunicators jacobi messages threads forms
}

open_mpi() {
	peer openmpi "$openmpi_left_out" collectives communicators datatypes \
		graphs grids intercommunicators jacobi messages threads
}

tap_run "$#" "$@" mpich open_mpi
