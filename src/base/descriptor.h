/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors of the library lie above those of the standard streams.
 *
 * A program may run with some of these closed, or close them later; the next
 * descriptor made gets that number, and what the program prints goes there,
 * into memory that is shared or into a connection.
 */
#ifndef WEFT_BASE_DESCRIPTOR_H
#define WEFT_BASE_DESCRIPTOR_H

/*
 * What was opened just now, closed on exec: the same descriptor, or moved.  -1
 * stays -1, and is what becomes of one for which there is no room above; errno
 * says why.
 */
int wf_fd_above(int fd);

/*
 * From now on libraries below that open descriptors of their own find none of
 * the three free: what is closed becomes a descriptor that can neither be read
 * nor written, as a closed one, and that is gone behind an exec.
 */
void wf_fd_hold_standard(void);

/*
 * Why so many more cannot be opened, as an errno; 0: they can.  For those whom
 * another library does not tell why it failed.
 */
int wf_fd_lack(int n);

#endif
