#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs started by a real Slurm with two nodes: joining by both of its servers,
# refusals, ends, and launchers inside each other. tests/slurm/with_slurm makes
# the cluster; without root or Slurm all is skipped. CG_FILES are the matrices,
# where not all of them.
if [ -z "${TEST_IN_SLURM:-}" ]; then
	code=0
	"${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"/tests/slurm/with_slurm \
		env TEST_IN_SLURM=1 "$0" "$@" || code=$?
	[ "$code" != 77 ] || echo '1..0 # SKIP no cluster of its own here, see above'
	[ "$code" != 77 ] || exit 0
	exit "$code"
fi
. "$(dirname "$0")/../tap.sh"

weftrun=$top_builddir/tools/weftrun/weftrun
client=$top_builddir/tests/mp/boot_client
survivor=$top_builddir/tests/mp/survivor
aborter=$top_builddir/tests/mp/abort_rank
bits=$top_builddir/tests/mp/bits_rank
cg=$top_builddir/examples/weft-cg
owners=$top_builddir/examples/weft-owners
data=${WEFT_TEST_DATA:-$top_srcdir/../shared/data}
two='-N2 -n4 --ntasks-per-node=2'

# step CODE ARGUMENT...: a step of the cluster
step() {
	local code=$1
	shift
	expect_code "$code" timeout 60 srun --quiet "$@"
}

joining() {
	local mpi
	for mpi in pmix pmi2; do
		# shellcheck disable=SC2086
		step 0 --mpi=$mpi $two "$client" run
		step 0 --mpi=$mpi -N1 -n7 "$client" run
		step 0 --mpi=$mpi -n1 "$client" run
		step 0 --mpi=$mpi -O -N2 -n40 "$client" run
	done
}

# solve ARGUMENT...: the same iterations and bits as under the own launcher, on
# one node and on two, where shared memory and the network are both used
solve() {
	local mpi want
	expect_code 0 "$weftrun" -n 4 "$cg" "$@"
	want=$(grep -E '^(iterations|solution checksum)' "$work/out")
	for mpi in pmix pmi2; do
		step 0 --mpi=$mpi -N1 -n4 "$cg" "$@"
		check [ "$(grep -E '^(iterations|solution checksum)' \
			"$work/out")" = "$want" ]
		expect_line '^edges on one host  *shm: '
		built_with OFI || continue
		# shellcheck disable=SC2086
		step 0 --mpi=$mpi $two "$cg" "$@"
		check [ "$(grep -E '^(iterations|solution checksum)' \
			"$work/out")" = "$want" ]
		expect_line '^edges on one host  *shm: '
		expect_line '^edges between hosts  *ofi: '
	done
}

same_bits() {
	local name
	solve --mesh 9,8,7
	for name in ${CG_FILES:-bcsstk13.mtx bcsstk16.mtx 4elt.graph}; do
		[ ! -r "$data/$name" ] || solve "$data/$name"
	done
}

# Sums of shared vertices, wherever their owners are.
sums_of_owners() {
	local file=$data/4elt.graph mpi want
	[ -r "$file" ] || skip "$file is not there; set WEFT_TEST_DATA"
	[ -r "$file" ] || return 0
	expect_code 0 "$weftrun" -n 4 "$owners" "$file"
	want=$(cat "$work/out")
	for mpi in pmix pmi2; do
		step 0 --mpi=$mpi -N1 -n4 "$owners" "$file"
		expect_line "^$want\$"
		built_with OFI || continue
		# shellcheck disable=SC2086
		step 0 --mpi=$mpi $two "$owners" "$file"
		expect_line "^$want\$"
	done
}

# The sums of tests/mp/bits.t have the bits of its fold, whoever starts the ranks
# and whatever lies between them.
bits_of_sums() {
	local inputs=${INPUTS:-20} mpi want
	want=$("$bits" "$inputs" 4) || return 1
	for mpi in pmix pmi2; do
		step 0 --mpi=$mpi -N1 -n4 "$bits" "$inputs"
		expect_line "^$want\$"
		built_with OFI || continue
		# shellcheck disable=SC2086
		step 0 --mpi=$mpi $two "$bits" "$inputs"
		expect_line "^$want\$"
	done
}

no_server() {
	local start=$SECONDS
	step 1 --mpi=none -n4 "$cg" --mesh 9,8,7
	expect_line 'step of 4 tasks.*srun --mpi=pmix.*srun --mpi=pmi2.*srun --mpi=list'
	step 0 --mpi=none -n4 env WEFT_BOOT=solo "$client" run
	# one task is one rank
	step 0 --mpi=none -n1 "$client" run
	check [ $((SECONDS - start)) -lt 10 ]
}

abort_code() {
	local mpi
	for mpi in pmix pmi2; do
		expect_code 0 sh -c "timeout 60 srun --quiet --mpi=$mpi -N1 -n3 \
			'$client' abort 1 7 2>&1; [ \$? != 0 ]"
		expect_line 'job aborted with code 7: enough'
	done
}

# Slurm keeps the others of a step of pmi2, if it is asked to.
survivors() {
	local kinds=(line slot direct chunks) n=${KILLS:-2} where i
	for where in '-N1 -n4' "$two"; do
		built_with OFI || [ "$where" != "$two" ] || continue
		for ((i = 0; i < n; i++)); do
			# shellcheck disable=SC2086
			step 137 --mpi=pmi2 --kill-on-bad-exit=0 $where \
				"$survivor" kill "${kinds[i % 4]}" \
				$((i * 5 % 4)) $((i * 7 % 40))
			check [ "$(grep -c "^rank [0-3] heard of rank $((i * 5 % 4))" \
				"$work/out")" = 3 ]
		done
	done
	step 42 --mpi=pmi2 --kill-on-bad-exit=0 -N1 -n6 "$aborter" call 3 42
	check [ "$(grep -c '^lives$' "$work/out")" = 3 ]
}

# Slurm ends them itself in a step of pmix; the kill comes 100 ms after the
# start of the loop.
step_that_is_ended() {
	local start end
	needs_built OFI || return 0
	# shellcheck disable=SC2086
	timeout 60 srun --quiet --mpi=pmix $two sh -c "$survivor kill slot 2 100
		date +%s%N; exit 1" >"$work/out" 2>&1
	end=$(date +%s%N)
	start=$(grep -m 1 '^[0-9]*$' "$work/out")
	echo "# the step ended $(((end - start) / 1000000)) ms after the rank"
	check [ $((end - start)) -lt 2000000000 ]
}

all_wait() {
	[ "$(grep -c '^pid ' "$work/step" 2>/dev/null)" = 4 ]
}

# ranks_of PID: the ranks that a slurmstepd has started
ranks_of() {
	pgrep -P "$1" -f boot_client
}

# none_lives PID...: all of them have ended
none_lives() {
	! kill -0 "$@" 2>/dev/null
}

# The daemon of one node is killed: its ranks end, though they only sleep.
daemon_that_is_killed() {
	local mpi daemon pids
	for mpi in pmix pmi2; do
		# what the step before said is still there until this one begins
		rm -f "$work/step"
		# shellcheck disable=SC2086
		timeout 60 srun --quiet --mpi=$mpi $two "$client" wait \
			>"$work/step" 2>&1 &
		local step=$!
		wait_until 20 all_wait || return
		for daemon in $(pgrep slurmstepd); do
			[ -z "$(ranks_of "$daemon")" ] || break
		done
		mapfile -t pids < <(ranks_of "$daemon")
		check [ "${#pids[@]}" = 2 ]
		kill -KILL "$daemon"
		wait_until 10 none_lives "${pids[@]}"
		scancel --quiet --user=root
		wait "$step" 2>/dev/null
	done
	return 0
}

# The nearer launcher is the one that counts.
one_inside_the_other() {
	local mpi hydra
	for mpi in pmix pmi2 none; do
		step 0 --mpi=$mpi -N1 -n2 "$weftrun" -n 3 \
			sh -c "$client run && echo 3 of them"
		check [ "$(grep -c '3 of them' "$work/out")" = 6 ]
	done
	hydra=$(command -v mpiexec.hydra) || return 0
	# It fails where its input ends just when its ranks have ended.
	mkfifo "$work/endless"
	exec 3<>"$work/endless"
	step 0 --mpi=pmix -n1 "$hydra" -launcher fork -n 3 \
		sh -c "$client run && echo 3 of them" <&3
	check [ "$(grep -c '3 of them' "$work/out")" = 3 ]
	expect_code 0 timeout 60 "$weftrun" -n 1 srun --quiet --mpi=pmi2 -n 3 \
		sh -c "$client run && echo 3 of them"
	check [ "$(grep -c '3 of them' "$work/out")" = 3 ]
	expect_code 0 timeout 60 "$hydra" -launcher fork -n 1 srun --quiet \
		--mpi=pmix -n 3 sh -c "$client run && echo 3 of them" <&3
	exec 3<&-
	check [ "$(grep -c '3 of them' "$work/out")" = 3 ]
}

# Programs that use mpi.h alone, on one node and on two.
mpi_programs() {
	local mpi program
	for mpi in pmix pmi2; do
		for program in messages collectives sessions; do
			step 0 --mpi=$mpi -N1 -n3 \
				"$top_builddir/tests/mpi/$program"
			expect_lines 0 '^not ok'
			expect_line '^ok'
			built_with OFI || continue
			# shellcheck disable=SC2086
			step 0 --mpi=$mpi $two \
				"$top_builddir/tests/mpi/$program"
			expect_lines 0 '^not ok'
			expect_line '^ok'
		done
	done
}

tap_run "$#" "$@" joining same_bits bits_of_sums sums_of_owners no_server \
	abort_code survivors step_that_is_ended daemon_that_is_killed \
	one_inside_the_other mpi_programs
