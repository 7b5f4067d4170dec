#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Events of the device, and links that are down, at one rank of two: the job goes
# on, or both ranks end with an error, soon, and each says it once.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

export WEFT_TRANSPORT=verbs WEFT_IB_RECONNECT=2 WEFT_IB_CONTACT=2

# mishap WORDS: at rank 1, early and late in its job
mishap() {
	has_device || return 0
	local after
	for after in 20000 60000; do
		ends_well "hosts 2;mishap host=1 after=$after $1" 300 ||
			return 1
	done
}

queue_pairs_fail() { mishap event=1; }
queue_pairs_fail_in_any_order() {
	WEFT_IB_SRQ=32 worst=0 mishap "event=1;$any_time"
}
# With its receive buffers, which the next one is given again.
queue_pairs_fail_with_queues_of_their_own() {
	local words='device max_srq=0'
	worst=0 mishap "event=1;$words" &&
		worst=0 mishap "event=1;$words;$any_time"
}
# As soon as there is one, in either rank or both: before it is connected.
queue_pairs_fail_at_first() {
	has_device || return 0
	local hosts host at
	for hosts in 0 1 '0 1'; do
		at=
		for host in $hosts; do
			at+=";mishap host=$host after=0 event=1"
		done
		worst=0 ends_well "hosts 2$at" 300 &&
			worst=0 ends_well "hosts 2$at;$any_time" 300 || return 1
	done
}
oneself_fails() { worst=0 mishap 'event=1 oneself=1'; }
oneself_fails_for_good() { WEFT_IB_RECONNECT=0 mishap 'event=1 oneself=1'; }
device_fails() { mishap event=8; }
lid_changes() { mishap event=11; }
# The subnet manager gives another one: nothing finds the former any more.
lid_is_another() {
	has_device || return 0
	local when
	for when in 0 20000; do
		WEFT_IB_RECONNECT=5 worst=0 ends_well \
			"hosts 2;mishap host=1 after=$when event=11 lids=100" \
			300 || return 1
	done
}
gids_change() { mishap event=18; }
# An address that comes back has another place in the table of GIDs.
gids_move() {
	has_device || return 0
	local link
	for link in 'port link=eth' 'port flags=1'; do
		worst=0 ends_well "hosts 2;$link;mishap host=1 after=20000 event=18 moves=1;mishap host=1 after=40000 event=1" 300 &&
			worst=0 ends_well "hosts 2;$link;mishap host=1 after=0 event=18 moves=1" 3 ||
			return 1
	done
}
queue_fails() { mishap event=0; }
link_down_for_a_time() { mishap 'down=1 for=300000'; }
link_down() { mishap 'down=1'; }

tap_run "$#" "$@" queue_pairs_fail queue_pairs_fail_in_any_order \
	queue_pairs_fail_with_queues_of_their_own \
	queue_pairs_fail_at_first oneself_fails \
	oneself_fails_for_good device_fails lid_changes lid_is_another gids_change gids_move \
	queue_fails link_down_for_a_time link_down
