#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# How MPI programs begin and end: what is called too early or too late, errors
# that end the job, exit codes.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun

# ends CODE ARGUMENT: two ranks of the program
ends() {
	expect_code "$1" timeout 60 "$weftrun" -n 2 \
		"$top_builddir/tests/mpi/ends" "$2"
}

well() {
	ends 0 well
	expect_lines 2 '^version 3.1 value before$'
	ends 0 threads
	expect_lines 2 '^level 1$'
}

alone() {
	expect_code 0 "$top_builddir/tests/mpi/ends" well
}

too_early() {
	ends 1 before
	expect_line 'MPI_Barrier was called before MPI_Init'
}

too_late() {
	ends 1 after
	expect_line 'MPI_Comm_rank was called after MPI_Finalize'
	expect_line '^version 3.1 value after$'
}

twice() {
	ends 1 twice
	expect_line 'MPI_Init: MPI was initialised before'
}

fatal() {
	ends 1 fatal
	expect_line 'weft_send: the rank is 5, and ranks are 0 to 1'
	expect_line 'MPI_COMM_WORLD'
	expect_line 'rank [01] host'
	ends 1 fatal-type
	expect_line 'weft_type_contiguous'
}

returned() {
	ends 0 return
	expect_lines 2 '^goes on 1$'
}

abort() { ends 7 abort; }

# A process that was killed is an error of those that wait for it.
bereaved() {
	expect_code 137 timeout 60 "$weftrun" --keep-going -n 3 \
		"$top_builddir/tests/mpi/ends" bereaved
	expect_lines 2 '^class 1 weft_recv: .*rank 2'
}

sessions() {
	ends 0 sessions
	expect_lines 2 '^sum 2$'
	expect_lines 2 '^initialised 0$'
	expect_code 0 "$top_builddir/tests/mpi/ends" sessions
	expect_line '^sum 1$'
	ends 0 session-last
	expect_lines 2 '^sum 2$'
}

tap_run "$#" "$@" well alone too_early too_late twice fatal returned abort \
	bereaved sessions
