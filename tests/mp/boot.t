#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Joining a job when the launcher is not what it should be: a refusal with the
# remedy, in time, and never a job of one rank instead.
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
client=$top_builddir/tests/mp/boot_client

clean=(env)
while IFS='=' read -r name _; do
	case $name in
	PMIX_* | PMI_* | SLURM_* | OMPI_*) clean+=(-u "$name") ;;
	esac
done < <(env)

no_launcher() {
	expect_code 0 "${clean[@]}" "$client" run
}

launcher_without_a_server() {
	expect_code 1 "${clean[@]}" SLURM_STEP_NUM_TASKS=4 "$client" run
	expect_line 'WEFT_ERR_BOOT.*srun --mpi=pmix.*srun --mpi=list'
	expect_code 1 "${clean[@]}" PMI_SIZE=2 PMI_FD=3 "$client" run
	expect_line 'WEFT_ERR_BOOT.*weftrun -n'
	expect_code 1 "${clean[@]}" OMPI_COMM_WORLD_SIZE=2 "$client" run
	expect_line 'WEFT_ERR_BOOT.*weftrun -n'
	expect_code 0 "${clean[@]}" SLURM_STEP_NUM_TASKS=4 WEFT_BOOT=solo \
		"$client" run
}

# The environment of a rank whose launcher has ended since.
server_that_vanished() {
	local start=$SECONDS
	expect_code 0 "${clean[@]}" "$weftrun" -n 2 sh -c \
		'[ $PMIX_RANK = 1 ] || env | grep ^PMIX_'
	mapfile -t old <"$work/out"
	expect_code 1 "${clean[@]}" WEFT_TIMEOUT=5 "${old[@]}" "$client" run
	expect_line 'WEFT_ERR_(BOOT|TIMEOUT): .*PMIx_Init.*namespace weftrun-.*start with .weftrun -n'
	check [ $((SECONDS - start)) -lt 30 ]
}

# A server that is there and never answers.
server_that_hangs() {
	cat >"$work/hang" <<-END
	kill -STOP \$PPID
	WEFT_TIMEOUT=1 $client run
	echo "code \$?"
	kill -CONT \$PPID
	END
	expect_code 0 "$weftrun" -n 1 sh "$work/hang"
	expect_line 'WEFT_ERR_TIMEOUT: .*1 s \(WEFT_TIMEOUT\)'
	expect_line '^code 1$'
}

# One that hangs after the join: fence, and then close does not try again.
server_that_hangs_later() {
	expect_code 1 env WEFT_TIMEOUT=1 "$weftrun" -n 1 sh -c \
		"$client hang \$PPID; kill -CONT \$PPID"
	expect_line '^fence: WEFT_ERR_TIMEOUT'
	expect_line '^get: WEFT_ERR_BOOT: .*did not answer'
	expect_line '^close: WEFT_OK'
	expect_line '^weftrun: rank 0 left without closing'
}

a_rank_that_does_not_come() {
	# longer than the launcher's own limit, so that the rank's counts
	expect_code 1 "$weftrun" -n 2 sh -c "[ \$PMIX_RANK = 1 ] &&
		exec sleep 60; WEFT_TIMEOUT=1 exec $client run"
	expect_line '^fence: WEFT_ERR_TIMEOUT: .*a rank has not come'
}

tap_run "$#" "$@" no_launcher launcher_without_a_server server_that_vanished \
	server_that_hangs server_that_hangs_later a_rank_that_does_not_come
