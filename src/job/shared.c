/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One copy for the ranks of a node; see shared.h.
 *
 * Nobody waits: who finds none makes one, and whose word comes second drops its
 * own again.  The mapping is a private one because older kernels refuse a
 * shared one of a file that is sealed against writing; nobody writes, so its
 * pages are those of the file.
 */
#include "job/shared.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/descriptor.h"
#include "base/lack.h"
#include "base/process.h"
#include "job/job.h"

enum {
	SEALS = F_SEAL_WRITE | F_SEAL_SHRINK
};

static int board(struct weft_job *job, const struct wf_swap *swap,
		 uint64_t *seen_p)
{
	int status = WEFT_ERR_UNSUPPORTED;

	for (int i = 0; i < job->ndevs && status == WEFT_ERR_UNSUPPORTED; i++)
		status = job->dev[i]->ops->board(job->dev[i], swap, seen_p);
	return status;
}

/* Who has it, and as which descriptor; never 0. */
static uint64_t make_word(int fd)
{
	return (uint64_t)(uint32_t)getpid() << 32 | (uint32_t)fd;
}

static int map(int fd, size_t bytes, struct wf_shared *shared)
{
	void *base = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);

	if (base == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	*shared = (struct wf_shared){ base, bytes, -1 };
	return WEFT_OK;
}

void wf_shared_drop(struct weft_job *job, struct wf_shared *shared)
{
	munmap(shared->base, shared->bytes);
	if (shared->fd < 0)
		return;
	close(shared->fd);
	job->shared_fds--;
}

/* Will it never change, and is it as long as that? */
static bool is_sound(int fd, size_t bytes)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	return seals >= 0 && (seals & SEALS) == SEALS && !fstat(fd, &st) &&
	       st.st_size == (off_t)bytes;
}

/* The memfd of a word; -1: it means something else, which is not opened. */
static int open_word(uint64_t word)
{
	struct stat st;
	int fd = wf_process_look((pid_t)(word >> 32), (int)(uint32_t)word,
				 &st);

	if (fd < 0)
		return -1;
	if (S_ISREG(st.st_mode) && !st.st_nlink)
		return wf_process_reopen(fd);
	close(fd);
	return -1;
}

/* Is it there, by what a word of the node says? */
static bool find(uint64_t word, const struct wf_shared_want *want,
		 struct wf_shared *shared)
{
	int fd = open_word(word);
	bool found;

	if (fd < 0)
		return false;
	found = is_sound(fd, want->bytes) && !map(fd, want->bytes, shared);
	close(fd);
	if (!found || want->is_it(shared->base, want->arg))
		return found;
	munmap(shared->base, shared->bytes);
	return false;
}

/* Memory is taken before it is written: without any, no store must fault. */
static int fill(int fd, const struct wf_shared_want *want)
{
	int status;
	void *base;

	if (fchmod(fd, S_IRUSR | S_IWUSR) || !wf_file_may_be(want->bytes) ||
	    fallocate(fd, 0, 0, (off_t)want->bytes))
		return WEFT_ERR_NOMEM;
	base = mmap(NULL, want->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	if (base == MAP_FAILED)
		return WEFT_ERR_NOMEM;
	status = want->write(base, want->arg);
	munmap(base, want->bytes);
	if (!status && fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL))
		status = WEFT_ERR_NOMEM;
	return status;
}

static int make(struct weft_job *job, const struct wf_shared_want *want,
		struct wf_shared *shared)
{
	int status, fd = -1;

	if (job->shared_fds < WF_SHARED_FDS)
		fd = wf_fd_above(memfd_create("weft-shared", MFD_CLOEXEC |
					      MFD_ALLOW_SEALING));
	if (fd < 0)
		return WEFT_ERR_NOMEM;
	status = fill(fd, want);
	if (!status)
		status = map(fd, want->bytes, shared);
	if (status) {
		close(fd);
		return status;
	}
	shared->fd = fd;
	job->shared_fds++;
	return WEFT_OK;
}

int wf_shared_get(struct weft_job *job, const struct wf_shared_want *want,
		  struct wf_shared *shared_p)
{
	struct wf_swap swap = { .number = want->print };
	struct wf_shared mine;
	uint64_t seen;
	int status = board(job, &swap, &seen);

	if (status)
		return status;
	if (seen && find(seen, want, shared_p))
		return WEFT_OK;
	status = make(job, want, &mine);
	if (status)
		return status;
	swap.expected = seen;
	swap.desired = make_word(mine.fd);
	/* Another rank was faster, most likely with the same. */
	if (!board(job, &swap, &seen) && seen != swap.expected &&
	    find(seen, want, shared_p)) {
		wf_shared_drop(job, &mine);
		return WEFT_OK;
	}
	*shared_p = mine;
	return WEFT_OK;
}
