# SPDX-License-Identifier: BSD-3-Clause
#
# For test scripts that need verbs: sourced behind tests/tap.sh. A script that
# says
#
#     in_a_guest "$@"
#
# is run from there on in one guest (tests/guest/run) for all its cases, whose
# results come out of it. Where guests are tested themselves, a case that calls
# `needs_guests || return 0` first may say
#
#     guest CODE [OPTION...] COMMAND
#
# which runs a shell command in a guest of its own, and expects the code as
# expect_code does. Both are in the directory of the build; the directory of the
# tests is in $tests, and `nodes N` makes N nodes with devices rx1..rxN.

# The command of a guest, in which all takes longer.
guest_command() {
	echo "cd '$top_builddir'
		export top_builddir='$top_builddir' top_srcdir='$top_srcdir'
		export TEST_TIME=$((3 * ${TEST_TIME:-1})) WEFT_TEST_DATA='${WEFT_TEST_DATA-}'
		export EXCHANGES='${EXCHANGES-}' FIRST_SEED='${FIRST_SEED-}'
		export WEFT_IB_TIMEOUT=14 WEFT_IB_RETRY=6
		export ROUNDS='${ROUNDS-}'
		export tests='$top_srcdir/tests'
		nodes() { \"\$tests/guest/nodes\" \"\$@\"; }
		export -f nodes
		$1"
}

guest_seconds() {
	echo $((1140 * ${TEST_TIME:-1} * ${ROUNDS:-1}))
}

# Asked once; the other guests of this script boot the same image.
needs_guests() {
	[ -z "${WEFT_GUEST_IMAGE-}" ] || return 0
	WEFT_GUEST_IMAGE=$("$top_srcdir/tests/guest/run" 2>"$work/why") &&
		export WEFT_GUEST_IMAGE && return 0
	skip "$(tail -n 1 "$work/why")"
	return 1
}

guest() {
	local code=$1 options=()
	shift
	while [ $# -gt 1 ]; do
		options+=("$1")
		shift
	done
	expect_code "$code" "$top_srcdir/tests/guest/run" \
		-t "$(guest_seconds)" "${options[@]}" "$(guest_command "$1")"
}

in_a_guest() {
	local code=0
	[ -z "${GUEST-}" ] || return 0
	if ! needs_guests; then
		echo "1..0 # SKIP $skipped"
		exit 0
	fi
	"$top_srcdir/tests/guest/run" -t "$(guest_seconds)" "$(guest_command \
		"exec bash '$(realpath "$0")' ${*@Q}")" || code=$?
	exit $code
}

# on_nodes RANKS DEVICE... -- PROGRAM...: to the launcher the devices are nodes.
on_nodes() {
	expect_code 0 "$tests/pmi_launch" -d "$@"
}

# wires NETEM...: what the wires of four nodes do to packets.
wires() {
	local i
	for i in 1 2 3 4; do
		check tc qdisc replace dev n$i root netem "$@" || return 1
	done
}

good_wires() {
	local i
	for i in 1 2 3 4; do
		tc qdisc del dev n$i root
	done
}

# without_skips SCRIPT...: what it skips has failed.
without_skips() {
	set -o pipefail
	"$@" | sed -u 's/^ok \(.*\) # SKIP /not ok \1, skipped: /'
}
