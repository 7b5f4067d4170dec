/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checksums of bytes.
 *
 * wf_hash64 tells things apart (settings, plans, fingerprints), wf_crc32 finds
 * damage, wf_tag64 shows that somebody has the key. All give the same value on
 * every machine and are part of what goes over the wire. The first two are no
 * secret.
 */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, its bits mixed at the end; chains with an earlier hash as seed. */
uint64_t wf_hash64(const void *data, size_t bytes, uint64_t seed);

/* CRC-32 of IEEE 802.3. */
uint32_t wf_crc32(const void *data, size_t bytes);

/* SipHash-2-4 (Aumasson and Bernstein, 2012): who sees it learns no key. */
uint64_t wf_tag64(const void *data, size_t bytes, const uint64_t key[2]);

#endif
