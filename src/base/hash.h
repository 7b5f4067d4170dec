/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checksums of bytes.
 *
 * wf_hash64 tells things apart (settings, plans, fingerprints), wf_crc32 finds
 * damage. Both give the same value on every machine and are part of what goes
 * over the wire. Neither is a secret.
 */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, its bits mixed at the end; chains with an earlier hash as seed. */
uint64_t wf_hash64(const void *data, size_t bytes, uint64_t seed);

/* CRC-32 of IEEE 802.3. */
uint32_t wf_crc32(const void *data, size_t bytes);

#endif
