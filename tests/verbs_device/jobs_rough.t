#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over the test device: messages, and what all wait for when things come
# late, and in any order.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/device.sh"

messages() { cases '' messages 'messages flood' 'messages play'; }
messages_early() {
	cases '' 'messages early' 'messages early create' \
		'messages early group' 'messages early split'
}
messages_freed() {
	cases '' 'messages freed' 'messages freed create' \
		'messages freed group' 'messages freed split'
}
late_and_lost() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$late_and_lost seed=$seed" 'four ranks' 'short queue' \
			'edges of strangers' messages 'messages play' \
			'one sided' collectives || return 1
	done
}
in_any_order() {
	local seeds seed
	seeds=$(seq "${DEVICE_SEEDS:-2}") || return 1
	for seed in $seeds; do
		cases "$any_time seed=$seed" 'four ranks' 'seven ranks' \
			'edges of strangers' 'short queue' messages \
			'messages flood' 'messages play' 'one sided' \
			collectives || return 1
	done
}

tap_run "$#" "$@" messages messages_early messages_freed late_and_lost \
	in_any_order
