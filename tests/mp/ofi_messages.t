#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Jobs over libfabric: messages, and one-sided access.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/ofi.sh"

messages() { again p2p.t five_ranks; }
messages_flood() { again p2p.t flood; }
messages_early() { again p2p.t early_dup; }
messages_early_create() { again p2p.t early_create; }
messages_early_group() { again p2p.t early_create_group; }
messages_early_split() { again p2p.t early_split; }
messages_freed() { FREED=unseen again p2p.t freed_dup; }
messages_freed_create() { FREED=used again p2p.t freed_create; }
messages_freed_group() { FREED=unused again p2p.t freed_create_group; }
messages_freed_split() { FREED=unused again p2p.t freed_split; }
messages_death() { again p2p.t death; }
messages_deaths() { again p2p.t deaths; }
messages_play() { PROGRAMS=$((${PROGRAMS:-60} / 6)) again p2p.t five_play; }
messages_play_death() { KILLS=3 again p2p.t death_in_play; }
one_sided() { again rma.t seven_ranks; }
one_sided_long() { again rma.t long_ones; }
one_sided_memory() { again rma.t own_memory_says_why; }
one_sided_death() { again rma.t death; }
one_sided_ring() { again rma.t ring_example; }

tap_run "$#" "$@" messages messages_flood messages_early messages_early_create \
	messages_early_group messages_early_split messages_freed \
	messages_freed_create messages_freed_group messages_freed_split \
	messages_death messages_deaths messages_play messages_play_death \
	one_sided one_sided_long one_sided_memory one_sided_death \
	one_sided_ring
