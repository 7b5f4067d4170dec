#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# weft-info: its options and exit codes, that its tables hold what a job finds,
# and what a peer takes.
. "$(dirname "$0")/../tap.sh"

info=$top_builddir/tools/weft-info/weft-info
# sanitizers have an allocator of their own, which the C library cannot count
counts=$(! ldd "$info" | grep -qE 'lib[at]san' && echo yes)

# refused TEXT WORD...: a sentence, and exit code 2.
refused() {
	local text=$1
	shift
	expect_refusal 2 "$text" "$info" "$@"
}

a_full_disk() {
	expect_code 1 sh -c '"$@" >/dev/full' sh "$info"
	expect_line '^weft-(info|sim): standard output: '
}

bad_options() {
	refused 'unknown option --verbose' --verbose
	refused 'unexpected word shm' shm
	refused 'no value for --transport' --transport
	refused 'this build has no transport pigeon, but shm' --transport pigeon
	WEFT_SPIN=x refused 'WEFT_SPIN'
	expect_code 0 "$info" --help
	expect_line '^usage: weft-info'
	expect_code 0 "$info" --version
	expect_line '^weft-info [0-9]'
}

codes() {
	expect_code 0 "$info" --transport shm
	expect_line '^  shm  *yes  *56  .*fence.*atomic'
	WEFT_TRANSPORT=^shm expect_code 3 "$info" --transport shm
	expect_line '^  shm  *no$'
	expect_line '^  shm  *not in WEFT_TRANSPORT$'
	built_with OFI || return 0
	expect_code 0 "$info" --transport ofi
	expect_line '^  ofi  *yes'
	WEFT_OFI_PROVIDER=cxi expect_code 3 "$info" --transport ofi
	expect_line '^  ofi  *libfabric has no provider that fits'
}

# Neither is there a device, as a rule, where make check runs.
no_device() {
	needs_built VERBS || return 0
	[ ! -d /sys/class/infiniband ] ||
		{ skip 'this machine has a device'; return 0; }
	expect_code 3 "$info" --transport verbs
	expect_line '^  verbs  *no$'
	expect_line '^  verbs  *this machine has no RDMA device$'
}

devices() {
	needs_built OFI || return 0
	expect_code 0 "$info" -d
	expect_line '^  ofi  *provider tcp.* address .*: taken$'
	expect_line '^  ofi  *provider .*: used only if WEFT_OFI_PROVIDER names'
}

# table NAME: what is below that heading.
table() {
	sed -n "/^$1\$/,/^\$/p" "$work/out"
}

# A job of one node takes the loopback interface, one of several cannot.
jobs_of_one_node_and_of_several() {
	local loopback='ofi  *provider tcp.* address 127\.0\.0\.1 .*'
	[ -n "$ofi" ] || { skip 'built without libfabric'; return 0; }
	expect_code 0 "$info" -d --transport ofi
	check eval "table devices_for_one_node | grep -q '$loopback: taken'"
	check eval "table devices_for_several_nodes |
		grep -q '$loopback: a loopback address, which other nodes cannot reach'"
	unshare -n true 2>/dev/null || return 0
	expect_code 0 unshare -n sh -c "ip link set lo up
		exec '$info' --transport ofi"
	expect_line '^  ofi  *yes'
	expect_line '^  ofi  *in a job of several nodes: libfabric has no prov'
}

settings() {
	WEFT_SPIN=17 WEFT_SPINN=1 expect_code 0 "$info" -c
	expect_line '^  WEFT_SPIN  *17  *1000  *no '
	expect_line '^  WEFT_COLL  *radix:8  *radix:8  *yes '
	expect_line '^  WEFT_SPINN  *1 .*did you mean WEFT_SPIN?'
	# each variable that weft(7) describes, and no other
	check [ "$("$info" -c | grep -o '^  WEFT_[A-Z_]*' | sort)" = \
		"$(sed -n 's/^\.It Ev \(WEFT_[A-Z_]*\).*/  \1/p' \
			"$top_srcdir/man/weft.7" | sort)" ]
}

# A peer is a ring of mails and what the library keeps of it.
memory() {
	expect_code 0 timeout 60 "$info" --memory --transport shm
	expect_line '^  shm  *[0-9]* *[0-9]* *[0-9]* *[0-9]*$'
	[ -n "$counts" ] || return 0
	read -r _ heap segment comm _ < <(grep '^  shm' "$work/out")
	check [ "$heap" -gt 500 ]
	check [ "$heap" -lt 2048 ]
	check [ "$segment" -ge 4096 ]
	check [ "$segment" -lt 24576 ]
	check [ "$comm" -gt 500 ]
	check [ "$comm" -lt 8192 ]
}

# The job lacks descriptors, at one rank sooner than at another: all of them
# end, at the first step or behind it.
memory_fails() {
	local n code failures=0
	for ((n = 12; n < 64; n += 2)); do
		code=0
		(ulimit -n "$n" && WEFT_TIMEOUT=200ms exec timeout 20 "$info" \
			--memory --transport shm) >"$work/out" 2>&1 || code=$?
		[ "$code" != 0 ] || break
		check [ "$code" = 1 ] || return 1
		failures=$((failures + 1))
	done
	check [ "$code" = 0 ]
	check [ "$failures" -gt 1 ]
}

json() {
	expect_code 0 timeout 60 "$info" -a --json
	check perl -MJSON::PP -0777 -e '
		my $all = decode_json(<STDIN>);
		my %t = map { $_->{name} => $_ } @{$all->{transports}};
		die "no shm" unless $t{shm}{line} == 56 &&
			$t{shm}{usable} eq JSON::PP::true;
		die "no list" unless grep { $_ eq "fence" } @{$t{shm}{can}};
		my %b = map { $_->{part} => $_->{built} } @{$all->{build}};
		die "no compiler" unless $b{compiler} =~ /(gcc|clang) .*\d/i;
		die "no boolean" unless JSON::PP::is_bool($b{debug});
		die "no verdicts" unless $all->{devices_for_one_node} &&
			$all->{devices_for_several_nodes};
		die "no memory" unless grep { $_->{transport} eq "shm" &&
			$_->{peer_segment} > 0 } @{$all->{memory}};
		die "no settings" unless @{$all->{settings}} > 20;
		die "no version" unless $all->{version} =~ /^\d/;
	' <"$work/out"
}

tap_run "$#" "$@" a_full_disk bad_options codes no_device devices \
	jobs_of_one_node_and_of_several settings memory memory_fails json
