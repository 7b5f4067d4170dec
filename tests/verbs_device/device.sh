# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts that run programs on the test device: sourced behind tests/tap.sh.

# It is memory, not a file: no disk sees it.
world=$(mktemp /dev/shm/verbs-device-XXXXXX)
trap 'rm -rf "$work" "$world"' EXIT

# Paths are lost in half a second, not in seven.
export WEFT_IB_TIMEOUT=14 WEFT_IB_RETRY=6

# has_device: the case is skipped where there cannot be one.
has_device() {
	local reason
	needs_built VERBS || return 1
	reason=$("$top_builddir/tests/verbs_device/reach" 2>&1) && return 0
	skip "$reason"
	return 1
}

# on_device DESCRIPTION COMMAND...: with a device that is described so, and a
# world of its own. Whatever the command says, the case fails if the device finds
# its use wrong ($provoked is how often it is meant to, 0 by default), or if
# nothing went wrong of what is described.
on_device() {
	local description=$1 findings=$work/findings struck=$work/struck code=0
	shift
	rm -f "$world"
	: >"$findings" >"$struck"
	LD_LIBRARY_PATH="$top_builddir/tests/verbs_device/.libs" \
		VERBS_DEVICE="world $world;$description" \
		VERBS_DEVICE_FINDINGS=$findings VERBS_DEVICE_STRUCK=$struck \
		"$@" || code=$?
	if [ "$(wc -l <"$findings")" != "${provoked:-0}" ]; then
		sed 's/^/# /' "$findings"
	elif [[ $description =~ (fail|mishap)\  ]] && [ ! -s "$struck" ]; then
		echo "# it did not go wrong: $description"
	else
		return "$code"
	fi
	failed=1
	return 99
}

# flawless DESCRIPTION COMMAND...: it passes; what it skips, the case skips.
flawless() {
	local reason
	has_device || return 0
	on_device "$1" expect_code 0 "${@:2}" || return 1
	reason=$(sed -n 's/^ok .* # SKIP //p' "$work/out" | head -n 1)
	[ -z "$reason" ] || skip "$reason"
}

# ends_well DESCRIPTION EXCHANGES: of 2 ranks, in time, with one error at most;
# worst=0: nothing fails.
ends_well() {
	local code=0
	on_device "$1" "$top_builddir/tests/run" -n 2 --timeout 20 \
		"$top_builddir/tests/mp/exchange_rank" 5 "$2" 50 \
		>"$work/out" 2>&1 || code=$?
	if [ "$code" -gt "${worst:-1}" ]; then
		echo "# $1: code $code"
	elif [ "$(grep -c ' error: verbs: ' "$work/out")" -gt 1 ]; then
		echo "# $1: more than one error"
	else
		return 0
	fi
	sed 's/^/#     /' "$work/out"
	failed=1
	return 1
}

# Completions come late, reads after what is behind them, datagrams late or not
# at all; writes keep their order. The conformance suite waits for the time of a
# few passes only, and not for what was lost.
late_and_lost='adverse delay=300 completions=10 reads=4'
late_and_lost+=' lost=10 doubled=10 delayed=5'
a_little_late='adverse delay=100 completions=10 doubled=10 delayed=5'
# Writes do not, nor the packets of one, and many come after their completion.
any_time="$late_and_lost reorder=6 packets=3 late=2"

# ---- cases of tests/mp/verbs_ends.t, and of tests/mp/verbs.t

case_of_ends() { flawless "${2-}" "$top_srcdir/tests/mp/verbs_ends.t" "$1"; }

# What is sent finds a receive buffer, so no peer waits for an RNR timer, unless
# peers have to share what the only queue has.
case_of_verbs() {
	local unready=1
	[[ "$1 $2" =~ short|max_srq=1$|max_srq=1[^0-9] ]] && unready=0
	flawless "adverse unready=$unready;$1" "$top_srcdir/tests/mp/verbs.t" \
		"$2"
}

# cases DESCRIPTION NAME...: each of these.
cases() {
	local description=$1 name
	shift
	for name; do case_of_verbs "$description" "$name" || return 1; done
}
