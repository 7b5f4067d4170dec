/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segment of a process: address space reserved once, memory behind it as
 * it is needed.  A memfd is mapped over the whole reserve at once, because a
 * shared mapping may reach beyond the end of its file: growing is one
 * ftruncate() here and nothing at all at the peers, who learn the size from
 * the published word before they touch what is new.
 *
 * The seals are the promise to them: memory that they write never goes away
 * under a store, and nobody but the owner's user can open it.
 *
 * Where there are no memfds it is a file of /dev/shm without a name, of which
 * nothing stays behind either.  That has no seals, and the file system may have
 * no room: so its pages are taken when it grows.
 */
#include "transport/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/assert.h"
#include "base/descriptor.h"
#include "base/lack.h"

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/*
 * A core dump walks through address space without memory, too: minutes for
 * the reserve of one process, and each maps those of its peers.
 */
void wf_segment_spare_dumps(void *base, size_t bytes)
{
	madvise(base, bytes, MADV_DONTDUMP);
}

/*
 * Where pages are scarce they are taken when the segment grows to them: to find
 * at a store that there are none would be a SIGBUS.  A file of huge ones is as
 * long as its mapping.
 */
static int reach_file(struct wf_segment *seg, uint64_t size)
{
	int failed;

	if (!wf_file_may_be(size))
		return -1;
	if (!seg->huge && !seg->unsealed)
		return ftruncate(seg->fd, (off_t)size);
	do
		failed = fallocate(seg->fd, 0, (off_t)seg->size,
				   (off_t)(size - seg->size));
	while (failed && errno == EINTR);
	return failed;
}

static int reach(struct wf_segment *seg, uint64_t size)
{
	if (seg->fd >= 0)
		return reach_file(seg, size);
	return mprotect(seg->base, size, PROT_READ | PROT_WRITE);
}

static bool is_missing(int error)
{
	return error == ENOSYS || error == EPERM || error == EACCES;
}

static int open_file(struct wf_segment *seg)
{
	int error;

	seg->fd = wf_fd_above(memfd_create("weft", MFD_CLOEXEC |
					   MFD_ALLOW_SEALING |
					   (seg->huge ? MFD_HUGETLB : 0)));
	if (seg->fd >= 0)
		return WEFT_OK;
	error = errno;
	if (is_missing(error) && !seg->huge)
		seg->fd = wf_fd_above(open("/dev/shm", O_TMPFILE | O_EXCL |
					   O_RDWR | O_CLOEXEC, 0600));
	seg->unsealed = seg->fd >= 0;
	seg->error = error;
	return seg->unsealed ? WEFT_OK : WEFT_ERR_NOMEM;
}

/* Huge pages are those of their file. */
static uint64_t page_bytes(const struct wf_segment *seg)
{
	struct stat st;

	if (seg->huge && !fstat(seg->fd, &st) && st.st_blksize > 0)
		return (uint64_t)st.st_blksize;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static int seal(const struct wf_segment *seg)
{
	return seg->unsealed ? 0 : fcntl(seg->fd, F_ADD_SEALS,
					 F_SEAL_SHRINK | F_SEAL_SEAL);
}

static int map_file(struct wf_segment *seg, uint64_t first)
{
	if (fchmod(seg->fd, S_IRUSR | S_IWUSR) || reach(seg, first) ||
	    seal(seg))
		return WEFT_ERR_NOMEM;
	seg->base = mmap(NULL, seg->limit, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_NORESERVE, seg->fd, 0);
	if (seg->base != MAP_FAILED)
		return WEFT_OK;
	if (errno == EINVAL)
		errno = ENOMEM;		/* as valgrind says it */
	return WEFT_ERR_NOMEM;
}

static int map_anonymous(struct wf_segment *seg, uint64_t first)
{
	seg->base = mmap(NULL, seg->limit, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (seg->base == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	if (reach(seg, first)) {
		munmap(seg->base, seg->limit);
		return WEFT_ERR_NOMEM;
	}
	return WEFT_OK;
}

static int map(struct wf_segment *seg, size_t first, size_t limit)
{
	uint64_t page = page_bytes(seg);
	uint64_t size = round_up(first ? first : 1, page);

	seg->limit = round_up(limit, page);
	errno = ENOMEM;
	if (seg->limit < limit || size > seg->limit ||
	    (seg->fd >= 0 ? map_file(seg, size) : map_anonymous(seg, size))) {
		seg->error = errno;
		return WEFT_ERR_NOMEM;
	}
	seg->size = size;
	return WEFT_OK;
}

void wf_segment_why(const struct wf_segment *seg, char *text, size_t bytes)
{
	if (is_missing(seg->error))
		snprintf(text, bytes, "memfd_create: %s, and /dev/shm takes no "
			 "file without a name: let the sandbox allow one of "
			 "them", strerror(seg->error));
	else if (seg->blocks.full && !seg->error)
		snprintf(text, bytes, "raise WEFT_ARENA_MAX, now %llu bytes",
			 (unsigned long long)seg->limit);
	else
		wf_lack_text(seg->error ? seg->error : ENOMEM, text, bytes);
}

int wf_segment_open(struct wf_segment *seg, enum wf_segment_kind kind,
		    size_t first, size_t limit)
{
	struct wf_segment new = {
		.fd = -1, .huge = kind == WF_SEGMENT_HUGE
	};

	if ((kind != WF_SEGMENT_ANONYMOUS && open_file(&new)) ||
	    map(&new, first, limit)) {
		if (new.fd >= 0)
			close(new.fd);
		seg->error = new.error;
		return WEFT_ERR_NOMEM;
	}
	new.error = 0;
	wf_segment_spare_dumps(new.base, new.limit);
	madvise(new.base, new.size, MADV_DODUMP);
	*seg = new;
	wf_alloc_init(&seg->blocks, seg->limit);
	return WEFT_OK;
}

/* One user less; with itself: who is last has seen all that others did. */
bool wf_segment_was_last(_Atomic uint64_t *users)
{
	uint64_t n = atomic_fetch_sub_explicit(users, 1, memory_order_acq_rel);

	return (n & ~WF_SEGMENT_CLOSED) == 1;
}

void wf_segment_close(struct wf_segment *seg)
{
	if (!seg->users || wf_segment_was_last(seg->users))
		munmap(seg->base, seg->limit);
	if (seg->fd >= 0)
		close(seg->fd);
	wf_alloc_fini(&seg->blocks);
	seg->base = NULL;
	seg->fd = -1;
}

/*
 * At least doubles, so that n blocks cost O(log n) system calls; where there
 * are not so many pages, to what is needed.
 */
static int grow(struct wf_segment *seg, uint64_t need)
{
	uint64_t least = round_up(need, page_bytes(seg)), size = 2 * seg->size;

	if (size > seg->limit)
		size = seg->limit;
	if (size < least)
		size = least;
	if (reach(seg, size)) {
		size = least;
		if (reach(seg, size)) {
			seg->error = errno;
			return WEFT_ERR_NOMEM;
		}
	}
	madvise(seg->base, size, MADV_DODUMP);
	seg->size = size;
	/* With the acquire of a peer that is told of a block beyond. */
	if (seg->published)
		atomic_store_explicit(seg->published, size,
				      memory_order_release);
	return WEFT_OK;
}

int wf_segment_alloc_raw(struct wf_segment *seg, size_t bytes, size_t align,
			 uint64_t *offset_p)
{
	uint64_t offset, end;
	int status = wf_alloc_get(&seg->blocks, bytes, align, &offset);

	seg->error = 0;
	if (status)
		return status;
	end = wf_alloc_end(&seg->blocks);
	if (end > seg->size)
		status = grow(seg, end);
	if (status) {
		wf_alloc_put(&seg->blocks, offset);
		return status;
	}
	if (end > seg->used)
		seg->used = end;
	*offset_p = offset;
	return WEFT_OK;
}

int wf_segment_alloc(struct wf_segment *seg, size_t bytes, size_t align,
		     uint64_t *offset_p)
{
	uint64_t used = seg->used;
	int status = wf_segment_alloc_raw(seg, bytes, align, offset_p);

	if (status || *offset_p >= used)
		return status;
	if (bytes > used - *offset_p)
		bytes = used - *offset_p;
	memset(wf_segment_at(seg, *offset_p), 0, bytes);
	return WEFT_OK;
}

void wf_segment_free(struct wf_segment *seg, uint64_t offset)
{
	if (seg->holds)
		wf_alloc_drop(&seg->blocks, offset);
	else
		wf_alloc_put(&seg->blocks, offset);
}

void wf_segment_hold(struct wf_segment *seg)
{
	seg->holds++;
}

void wf_segment_let_go(struct wf_segment *seg)
{
	seg->holds--;
	if (!seg->holds)
		wf_alloc_sweep(&seg->blocks);
}
