/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reaching a peer's segment through /proc/PID/fd: the descriptor may mean
 * anything by now, so only a memfd is opened, and nothing is believed before
 * the header has shown the key of the boot blob.
 *
 * Within one process the owner's own mapping is used, because two mappings of
 * one memory are two memories to ThreadSanitizer.  It is borrowed: the owner
 * may close its job first, and then the last borrower unmaps it.  Whether it
 * still is there is asked of the file, never of the address.
 */
#include "transport/backends.h"
#include "transport/shm/shm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/lack.h"
#include "base/process.h"
#include "boot/blob.h"

bool wf_shm_same_process(const struct wf_shm *dev, const struct wf_blob *blob)
{
	const struct wf_identity *mine = &dev->env.self->id;

	return blob->id.pid == mine->pid && blob->id.start == mine->start;
}

static int read_address(const struct wf_shm *dev, const struct wf_blob *blob,
			struct wf_shm_address *address_p, char *why)
{
	const struct wf_blob_addr *a = wf_blob_find(blob, wf_shm_tp.name);

	if (!a || a->n != sizeof(*address_p) || blob->memfd < 0) {
		snprintf(why, WF_SHM_WHY, "it has not opened shared memory");
		return WEFT_ERR_UNSUPPORTED;
	}
	memcpy(address_p, a->bytes, sizeof(*address_p));
	if (address_p->version == WF_SHM_VERSION &&
	    address_p->ranks == (uint32_t)dev->n)
		return WEFT_OK;
	snprintf(why, WF_SHM_WHY, "it has version %u and a node of %u ranks, "
		 "here version %u and %d ranks", address_p->version,
		 address_p->ranks, (unsigned)WF_SHM_VERSION, dev->n);
	return WEFT_ERR_UNSUPPORTED;
}

/*
 * Sealed against it; or, where we ourselves have no memfd, a file of the kind
 * that its owner has instead, and does not shrink.
 */
static bool may_shrink(int fd, const struct wf_segment *own)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals < 0 || !(seals & (own->unsealed ? F_SEAL_SEAL :
						       F_SEAL_SHRINK));
}

/* Can stores into the header not fault, now and later? */
static bool is_sound(int fd, const struct wf_shm *dev,
		     const struct wf_shm_address *address)
{
	uint64_t bytes = wf_shm_header_bytes(dev->n);
	struct stat st;

	if (fstat(fd, &st) || may_shrink(fd, dev->env.segment))
		return false;
	return (uint64_t)st.st_size >= bytes &&
	       address->header <= (uint64_t)st.st_size - bytes &&
	       (uint64_t)st.st_size <= address->limit;
}

static int not_opened(int error, int pid, int memfd, char *why)
{
	char text[WF_LACK_TEXT];

	wf_lack_text(error, text, sizeof(text));
	snprintf(why, WF_SHM_WHY, "/proc/%d/fd/%d: %s", pid, memfd, text);
	if (error == ENOENT)
		return WEFT_ERR_RANGE;
	return wf_lack_is(error) ? WEFT_ERR_NOMEM : WEFT_ERR_UNSUPPORTED;
}

static int not_mapped(int error, uint64_t bytes, char *why)
{
	char text[WF_LACK_TEXT];

	wf_lack_text(error, text, sizeof(text));
	snprintf(why, WF_SHM_WHY, "%llu bytes of address space for its memory: "
		 "%s", (unsigned long long)bytes, text);
	return WEFT_ERR_NOMEM;
}

/* The peer's memfd, to be closed; negative: a status. */
static int open_memfd(const struct wf_shm *dev, const struct wf_blob *blob,
		      struct wf_shm_address *address_p, char *why)
{
	int status = read_address(dev, blob, address_p, why), fd;
	int pid = (int)blob->id.pid, memfd = (int)blob->memfd;
	struct stat st;

	if (status)
		return status;
	fd = wf_process_look(pid, memfd, &st);
	/* A memfd has no name.  What is not opened is not sound: no seals. */
	if (fd >= 0 && S_ISREG(st.st_mode) && !st.st_nlink)
		fd = wf_process_reopen(fd);
	if (fd < 0)
		return not_opened(errno, pid, memfd, why);
	if (is_sound(fd, dev, address_p))
		return fd;
	close(fd);
	snprintf(why, WF_SHM_WHY, "/proc/%d/fd/%d is not the memory of a job",
		 pid, memfd);
	return WEFT_ERR_RANGE;
}

static int check_header(const struct wf_shm_header *h,
			const struct wf_shm_address *address,
			const struct wf_blob *blob, char *why)
{
	uint64_t size = atomic_load_explicit(&h->size, memory_order_acquire);

	if (h->magic == WF_SHM_MAGIC && h->version == WF_SHM_VERSION &&
	    h->ranks == address->ranks && size <= address->limit &&
	    h->key[0] == blob->key.word[0] && h->key[1] == blob->key.word[1] &&
	    size >= sizeof(struct wf_signal_directory) &&
	    h->directory <= size - sizeof(struct wf_signal_directory))
		return WEFT_OK;
	snprintf(why, WF_SHM_WHY, "the memory of its process %d does not show "
		 "the key of its boot blob", (int)blob->id.pid);
	return WEFT_ERR_RANGE;
}

static int map_pages(int fd, const struct wf_shm *dev, uint64_t header,
		     struct wf_shm_view *view_p, char *why)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t first = header / page * page;
	size_t bytes = header - first + wf_shm_header_bytes(dev->n);
	char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			(off_t)first);

	if (at == MAP_FAILED)
		return not_mapped(errno, bytes, why);
	view_p->pages = at;
	view_p->bytes = bytes;
	view_p->header = (struct wf_shm_header *)(at + (header - first));
	return WEFT_OK;
}

int wf_shm_view_open(const struct wf_shm *dev, const struct wf_blob *blob,
		     struct wf_shm_view *view_p, char *why)
{
	struct wf_shm_address address;
	struct wf_shm_view view;
	int fd = open_memfd(dev, blob, &address, why), status;

	if (fd < 0)
		return fd;
	status = map_pages(fd, dev, address.header, &view, why);
	close(fd);
	if (status)
		return status;
	status = check_header(view.header, &address, blob, why);
	if (status)
		wf_shm_view_close(&view);
	else
		*view_p = view;
	return status;
}

void wf_shm_view_close(struct wf_shm_view *view)
{
	munmap(view->pages, view->bytes);
}

/* One borrower more, unless the owner has closed. */
static bool borrow(struct wf_shm_header *header)
{
	uint64_t n = atomic_load_explicit(&header->users,
					  memory_order_relaxed);

	while (!(n & WF_SEGMENT_CLOSED))
		if (atomic_compare_exchange_weak_explicit(
			    &header->users, &n, n + 1,
			    memory_order_acq_rel, memory_order_relaxed))
			return true;
	return false;
}

static int attach_own(const struct wf_shm *dev, const struct wf_blob *blob,
		      struct wf_shm_map *map_p, char *why)
{
	struct wf_shm_address address;
	struct wf_shm_view view;
	int status = read_address(dev, blob, &address, why);

	if (!status)
		status = wf_shm_view_open(dev, blob, &view, why);
	if (status)
		return status;
	if (borrow(view.header)) {
		map_p->base = (char *)(uintptr_t)blob->segment_base;
		map_p->limit = address.limit;
		map_p->header = address.header;
		map_p->lent = true;
	} else {
		snprintf(why, WF_SHM_WHY, "it has closed its job");
		status = WEFT_ERR_RANGE;
	}
	wf_shm_view_close(&view);
	return status;
}

void wf_shm_attach_self(const struct wf_shm *dev, struct wf_shm_map *map_p)
{
	borrow(dev->header);
	map_p->base = dev->env.segment->base;
	map_p->limit = dev->env.segment->limit;
	map_p->header = dev->header_at;
	map_p->lent = true;
}

int wf_shm_attach(const struct wf_shm *dev, const struct wf_blob *blob,
		  struct wf_shm_map *map_p, char *why)
{
	struct wf_shm_address address;
	char *base;
	int fd, status;

	if (wf_shm_same_process(dev, blob))
		return attach_own(dev, blob, map_p, why);
	fd = open_memfd(dev, blob, &address, why);
	if (fd < 0)
		return fd;
	base = mmap(NULL, address.limit, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (base == MAP_FAILED)
		status = not_mapped(errno, address.limit, why);
	close(fd);
	if (base == MAP_FAILED)
		return status;
	wf_segment_spare_dumps(base, address.limit);
	status = check_header((void *)(base + address.header), &address, blob,
			      why);
	if (status) {
		munmap(base, address.limit);
		return status;
	}
	*map_p = (struct wf_shm_map){ base, address.limit, address.header,
				      false };
	return WEFT_OK;
}

void wf_shm_detach(const struct wf_shm_map *map)
{
	struct wf_shm_header *h = (void *)(map->base + map->header);

	if (!map->lent || wf_segment_was_last(&h->users))
		munmap(map->base, map->limit);
}
