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
 */
#include "transport/segment.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/assert.h"
#include "base/descriptor.h"

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
 * Huge pages are taken when the segment grows to them: to find at a store that
 * there are none would be a SIGBUS.  Their file is as long as its mapping.
 */
static int reach(struct wf_segment *seg, uint64_t size)
{
	if (seg->huge)
		return fallocate(seg->fd, 0, (off_t)seg->size,
				 (off_t)(size - seg->size));
	if (seg->fd >= 0)
		return ftruncate(seg->fd, (off_t)size);
	return mprotect(seg->base, size, PROT_READ | PROT_WRITE);
}

static int open_memfd(struct wf_segment *seg)
{
	seg->fd = wf_fd_above(memfd_create("weft", MFD_CLOEXEC |
					   MFD_ALLOW_SEALING |
					   (seg->huge ? MFD_HUGETLB : 0)));
	return seg->fd < 0 ? WEFT_ERR_NOMEM : WEFT_OK;
}

/* Huge pages are those of their file. */
static uint64_t page_bytes(const struct wf_segment *seg)
{
	struct stat st;

	if (seg->huge && !fstat(seg->fd, &st) && st.st_blksize > 0)
		return (uint64_t)st.st_blksize;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static int map_memfd(struct wf_segment *seg, uint64_t first)
{
	if (fchmod(seg->fd, S_IRUSR | S_IWUSR) || reach(seg, first) ||
	    fcntl(seg->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL))
		return WEFT_ERR_NOMEM;
	seg->base = mmap(NULL, seg->limit, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_NORESERVE, seg->fd, 0);
	return seg->base == MAP_FAILED ? WEFT_ERR_NOMEM : WEFT_OK;
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
	if (seg->limit < limit || size > seg->limit ||
	    (seg->fd >= 0 ? map_memfd(seg, size) : map_anonymous(seg, size)))
		return WEFT_ERR_NOMEM;
	seg->size = size;
	return WEFT_OK;
}

int wf_segment_open(struct wf_segment *seg, enum wf_segment_kind kind,
		    size_t first, size_t limit)
{
	struct wf_segment new = {
		.fd = -1, .huge = kind == WF_SEGMENT_HUGE
	};

	if (kind != WF_SEGMENT_ANONYMOUS && open_memfd(&new))
		return WEFT_ERR_NOMEM;
	if (map(&new, first, limit)) {
		if (new.fd >= 0)
			close(new.fd);
		return WEFT_ERR_NOMEM;
	}
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
		if (reach(seg, size))
			return WEFT_ERR_NOMEM;
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
