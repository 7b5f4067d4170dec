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

static uint64_t round_to_page(uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

/*
 * A core dump walks through address space without memory, too: minutes for
 * the reserve of one process, and each maps those of its peers.
 */
void wf_segment_spare_dumps(void *base, size_t bytes)
{
	madvise(base, bytes, MADV_DONTDUMP);
}

static int open_memfd(struct wf_segment *seg)
{
	seg->fd = memfd_create("weft", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (seg->fd < 0)
		return WEFT_ERR_NOMEM;
	if (fchmod(seg->fd, S_IRUSR | S_IWUSR) ||
	    ftruncate(seg->fd, (off_t)seg->size) ||
	    fcntl(seg->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL))
		goto close_fd;
	seg->base = mmap(NULL, seg->limit, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_NORESERVE, seg->fd, 0);
	if (seg->base == MAP_FAILED)
		goto close_fd;
	return WEFT_OK;

close_fd:
	close(seg->fd);
	return WEFT_ERR_NOMEM;
}

static int open_anonymous(struct wf_segment *seg)
{
	seg->fd = -1;
	seg->base = mmap(NULL, seg->limit, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (seg->base == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	if (mprotect(seg->base, seg->size, PROT_READ | PROT_WRITE)) {
		munmap(seg->base, seg->limit);
		return WEFT_ERR_NOMEM;
	}
	return WEFT_OK;
}

int wf_segment_open(struct wf_segment *seg, enum wf_segment_kind kind,
		    size_t first, size_t limit)
{
	struct wf_segment new = { .limit = round_to_page(limit) };
	int status;

	new.size = round_to_page(first ? first : 1);
	if (new.limit < limit || new.size > new.limit)
		return WEFT_ERR_NOMEM;
	status = kind == WF_SEGMENT_MEMFD ? open_memfd(&new)
					  : open_anonymous(&new);
	if (status)
		return status;
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

/* At least doubles, so that n blocks cost O(log n) system calls. */
static int grow(struct wf_segment *seg, uint64_t need)
{
	uint64_t size = round_to_page(need);
	int error;

	if (size < 2 * seg->size)
		size = 2 * seg->size;
	if (size > seg->limit)
		size = seg->limit;
	if (seg->fd >= 0)
		error = ftruncate(seg->fd, (off_t)size);
	else
		error = mprotect(seg->base, size, PROT_READ | PROT_WRITE);
	if (error)
		return WEFT_ERR_NOMEM;
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
	*offset_p = offset;
	return WEFT_OK;
}

int wf_segment_alloc(struct wf_segment *seg, size_t bytes, size_t align,
		     uint64_t *offset_p)
{
	int status = wf_segment_alloc_raw(seg, bytes, align, offset_p);

	if (!status)
		memset(wf_segment_at(seg, *offset_p), 0, bytes);
	return status;
}

void wf_segment_free(struct wf_segment *seg, uint64_t offset)
{
	wf_alloc_put(&seg->blocks, offset);
}
