#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs started by MPICH's launcher, which speaks PMI-1: joining, ends, and one
# launcher inside the other.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
client=$top_builddir/tests/mp/boot_client
cg=$top_builddir/examples/weft-cg
hydra=$(command -v mpiexec.hydra)

clean=(env)
while IFS='=' read -r name _; do
	case $name in
	PMIX_* | PMI_* | SLURM_* | OMPI_* | HYD*) clean+=(-u "$name") ;;
	esac
done < <(env)

# with_hydra CODE ARGUMENT...: mpiexec.hydra, from an environment without others
with_hydra() {
	local code=$1
	shift
	expect_code "$code" "${clean[@]}" timeout 60 "$hydra" "$@"
}

needs_hydra() {
	[ -n "$hydra" ] || skip 'mpiexec.hydra is not there; Debian package: mpich'
	[ -n "$hydra" ]
}

joining() {
	needs_hydra || return 0
	with_hydra 0 -n 1 "$client" run
	with_hydra 0 -n 7 "$client" run
	with_hydra 0 -n 4 sh -c "WEFT_BOOT=pmi exec $client run"
	with_hydra 0 -n 4 sh -c "WEFT_BOOT=solo exec $client run"
}

# The same bits as under the own launcher.
same_bits() {
	needs_hydra || return 0
	local want
	expect_code 0 "${clean[@]}" "$weftrun" -n 4 "$cg" --mesh 9,8,7
	want=$(grep checksum "$work/out")
	with_hydra 0 -n 4 "$cg" --serial-check --mesh 9,8,7
	check [ "$(grep checksum "$work/out")" = "$want" ]
	expect_line '^edges on one host  *shm: '
}

ends() {
	needs_hydra || return 0
	# Hydra drops what it has not read of an aborted job's output.
	with_hydra 7 -n 3 sh -c "exec $client abort 1 7 2>>$work/err"
	check grep -q 'job aborted with code 7: enough' "$work/err"
	# a rank that did not close is not taken for one that did
	with_hydra 9 -n 3 "$client" die 1
}

# pids TEXT: processes with this on their command line, but for this script's
pids() {
	pgrep -f -- "$1" | grep -vx $$
}

computing_ranks() {
	[ "$(pids "^$client wait $mark" | wc -l)" = 3 ] &&
		[ "$(grep -c '^pid ' "$work/log")" = 3 ]
}

no_ranks() {
	[ -z "$(pids "^$client wait $mark")" ]
}

# The process that holds the connections of the ranks is killed: they end,
# also those that never call the library again.
launcher_that_is_killed() {
	needs_hydra || return 0
	local mark=77$$ rank
	"${clean[@]}" "$hydra" -n 3 "$client" wait "$mark" >"$work/log" 2>&1 &
	local launcher=$!
	wait_until 20 computing_ranks || return
	rank=$(pids "^$client wait $mark" | tail -n 1)
	kill -KILL "$(ps -o ppid= -p "$rank" | tr -d ' ')"
	wait_until 10 no_ranks
	kill -KILL "$launcher" 2>/dev/null
	wait "$launcher" 2>/dev/null
	return 0
}

# A descriptor that is closed, or another's, is refused at once.
dead_descriptor() {
	needs_hydra || return 0
	local start=$SECONDS
	with_hydra 1 -n 2 bash -c "eval \"exec \$PMI_FD>&-\"; $client run"
	expect_line 'WEFT_ERR_BOOT: PMI_FD is [0-9]+, which is no open socket.*mpiexec.hydra'
	with_hydra 1 -n 2 bash -c "PMI_FD=0 $client run </dev/null"
	expect_line 'PMI_FD is 0, which is no open socket'
	# what a rank executes is no rank
	check [ $((SECONDS - start)) -lt 10 ]
}

# The nearer launcher is the one that counts.
one_inside_the_other() {
	needs_hydra || return 0
	with_hydra 0 -n 2 "$weftrun" -n 3 sh -c "$client run && echo 3 of them"
	check [ "$(grep -c '3 of them' "$work/out")" = 6 ]
	expect_code 0 "${clean[@]}" timeout 60 "$weftrun" -n 1 "$hydra" \
		-n 3 "$client" run
}

# Programs that use mpi.h alone.
mpi_programs() {
	needs_hydra || return 0
	local program
	for program in messages collectives sessions; do
		with_hydra 0 -n 3 "$top_builddir/tests/mpi/$program"
		expect_lines 0 '^not ok'
		expect_line '^ok'
	done
}

tap_run "$#" "$@" joining same_bits ends launcher_that_is_killed \
	dead_descriptor one_inside_the_other mpi_programs
