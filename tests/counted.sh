# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts that count instructions; after tests/tap.sh.

# counts PROGRAM OPERATION: sets $have to the instructions of 2000 operations of a
# rank that is alone; fails, or skips the case, where they cannot be counted.
counts() {
	local flags
	flags=$(sed -n 's/^CFLAGS = //p' "$top_builddir/Makefile")
	[ "$flags" = "-g -O2" ] && gcc -dumpversion 2>/dev/null | grep -qx 12 &&
		grep -qw avx2 /proc/cpuinfo ||
		{ skip "figures are of gcc 12 -g -O2 and AVX2, not $flags"; return 1; }
	command -v valgrind >/dev/null ||
		{ skip "there is no valgrind"; return 1; }
	WEFT_BOOT=solo WEFT_ARENA_MAX=256m "$top_builddir/libtool" \
		--mode=execute valgrind --tool=callgrind \
		--callgrind-out-file=/dev/null --toggle-collect="counted_$2" \
		"$top_builddir/$1" "$2" >"$work/out" 2>&1 ||
		{ sed 's/^/# /' "$work/out"; failed=1; return 1; }
	have=$(sed -n 's/.*Collected : *//p' "$work/out")
	check [ "${have:-0}" -gt 100000 ]
}
