# SPDX-License-Identifier: BSD-3-Clause
#
# For test scripts that need verbs: sourced behind tests/tap.sh.
#
# A case that calls `needs_guests || return 0` first may say
#
#     guest CODE [OPTION...] COMMAND
#
# which runs a shell command in a guest (tests/guest/run), in the directory of
# the build, and expects the code as expect_code does. The directory of the
# tests is in $tests there, and `nodes N` makes N nodes with devices rx1..rxN.

needs_guests() {
	local why
	why=$("$top_srcdir/tests/guest/run" 2>&1 >/dev/null) && return 0
	skip "$(tail -n 1 <<<"$why")"
	return 1
}

guest() {
	local code=$1 options=() slow=${TEST_TIME:-1}
	shift
	while [ $# -gt 1 ]; do
		options+=("$1")
		shift
	done
	expect_code "$code" "$top_srcdir/tests/guest/run" \
		-t $((280 * slow)) "${options[@]}" \
		"cd '$top_builddir'
		export top_builddir='$top_builddir' top_srcdir='$top_srcdir'
		export TEST_TIME=$slow WEFT_TEST_DATA='${WEFT_TEST_DATA-}' tests='$top_srcdir/tests'
		nodes() { \$tests/guest/nodes \"\$@\"; }
		$1"
}
