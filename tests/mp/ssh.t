#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The lines that README.md and weft_job(3) give for hosts without a batch system:
# launchers that start ranks by ssh, on two hosts, which are network namespaces
# of this machine with an sshd in each.
. "$(dirname "$0")/../tap.sh"

netns=$(cd "$(dirname "$0")/.." && pwd)/netns
weftrun=$top_builddir/tools/weftrun/weftrun
cg=$top_builddir/examples/weft-cg
export NETNS_LAUNCH=ssh_launch
# Open MPI asks root whether that is meant.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# two_hosts CODE COMMAND...: on the first of them
two_hosts() {
	local want=$1 code=0
	timeout 100 "$netns" 2 "${@:2}" >"$work/out" 2>&1 || code=$?
	if [ "$code" = 77 ]; then
		skip "$(head -n 1 "$work/out")"
		return 1
	fi
	check [ "$code" = "$want" ] || sed 's/^/# /' "$work/out" | tail -n 20
}

# The program of one host, with the same bits; settings reach all ranks, which
# refuse to start where they differ.
four_ranks() {
	local want
	expect_code 0 "$weftrun" -n 4 "$cg" --mesh 9,8,7
	want=$(grep checksum "$work/out")
	WEFT_COLL=radix:4 two_hosts 0 "$@" "$cg" --mesh 9,8,7 || return 0
	check [ "$(grep checksum "$work/out")" = "$want" ]
	expect_line '^edges on one host  *shm: 4 edges'
	expect_line '^edges between hosts  *ofi: 2 edges'
}

mpiexec_hydra() {
	type -P mpiexec.hydra >/dev/null || {
		skip 'mpiexec.hydra is not there; Debian package: mpich'
		return 0
	}
	four_ranks mpiexec.hydra -hosts a,b -ppn 2 -n 4
}

mpirun_of_open_mpi() {
	local mpirun
	for mpirun in mpirun.openmpi mpirun; do
		"$mpirun" --version 2>/dev/null | grep -q 'Open MPI' || continue
		# shellcheck disable=SC2086
		four_ranks "$mpirun" --host a:2,b:2 -x WEFT_COLL \
			${LSAN_OPTIONS+-x LSAN_OPTIONS}
		return 0
	done
	skip "no mpirun of Open MPI is there; Debian package: openmpi-bin"
}

tap_run "$#" "$@" mpiexec_hydra mpirun_of_open_mpi
