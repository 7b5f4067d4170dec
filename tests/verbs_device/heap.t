#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What is sent from memory that nobody has registered: up to 64 KiB without a
# registration, above that with one at most, whatever it is sent by.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"
counts=$work/counts
export VERBS_DEVICE_COUNTS=$counts
# Growth would register it anew, and a user may lock 8 MiB.
export WEFT_ARENA=4m

# registrations DESCRIPTION COUNT KIND:BYTES...: $have, those of both ranks
registrations() {
	rm -f "$counts"
	WEFT_TRANSPORT=verbs flawless "$1" "$top_builddir/tests/run" -n 2 \
		--timeout 60 "$top_builddir/tests/verbs_device/heap" \
		"${@:2}" || return 1
	[ -s "$counts" ] || return 1
	have=$(sed -n 's/.* \([0-9]*\) registrations.*/\1/p' "$counts" |
		awk '{ all += $1 } END { print all }')
}

# takes REGISTRATIONS DESCRIPTION KIND:BYTES...: of both ranks, by one operation
# of each, behind the first ones, which make the channels
takes() {
	local few
	has_device || return 0
	registrations "$2" 4 "${@:3}" || return 1
	few=$have
	registrations "$2" 14 "${@:3}" || return 1
	[ $((have - few)) = $((10 * $1)) ] && return 0
	echo "# ${*:3} ($2): $((have - few)) registrations in 10 operations"
	failed=1
}

up_to_64_KiB() {
	takes 0 '' exchange:1025 exchange:4096 exchange:65536 message:5000 \
		message:65536 put:4096 put:65536 puts:100000 puts:327680 \
		get:4096 get:65536
}
# In parts, as long as there is bounce memory for all of them.
up_to_256_KiB() {
	takes 0 '' exchange:65537 exchange:262144 message:262144 put:65537 \
		put:262144 get:65537 get:262144
}
# Of a put and a get the origin registers, of an exchange and a message the
# sender.
longer_ones() {
	takes 7 '' exchange:1000000 message:300000 put:300000 get:1048576
}
# More chunks than are under way at once.
in_many_chunks() { takes 3 '' message:5000000 exchange:3000000; }
# In parts that a slot would hold, and in more than there is memory for.
short_parts() {
	takes 0 'port max_msg=4096' put:60000 exchange:60000 get:60000 &&
		takes 4 'port max_msg=4096' put:150000 get:150000
}
any_order() {
	takes 4 "$any_time" exchange:70000 puts:300000 get:65536 put:1000000 \
		get:1048576
}

tap_run "$#" "$@" up_to_64_KiB up_to_256_KiB longer_ones in_many_chunks \
	short_parts any_order
