#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions of operations of 8 bytes by mpi.h beside the native calls, as
# tests/mp/instructions.t counts them: 60 more at most for each call of MPI; for a
# dup and a free 75, as a communicator of MPI has an error handler, whose users are
# counted.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../counted.sh"

# near MORE OPERATION: so many instructions more at most for one
near() {
	local have native
	counts tests/mp/counted "$2" || return 0
	native=$have
	counts tests/mpi/counted "$2" || return 0
	echo "# $2: $native, by mpi.h $have"
	check [ "$have" -le $((native + 2000 * $1)) ]
}

exchange() { near 60 exchange; }
allgather() { near 60 allgather; }
alltoall() { near 60 alltoall; }
allreduce() { near 60 allreduce; }
message() { near 180 message; }
dup() { near 150 dup; }

tap_run "$#" "$@" exchange allgather alltoall allreduce message dup
