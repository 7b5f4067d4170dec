/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segment: it grows in place, its blocks are zeroed, peers cannot lose
 * memory under a store, and nothing stays behind when it cannot be opened.
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
#include "tests/dumped.h"
#include "tests/fail_malloc.h"
#include "tests/tap.h"

enum {
	FIRST = 4096,
	LIMIT = 1 << 24
};

static struct wf_segment opened(enum wf_segment_kind kind)
{
	struct wf_segment seg = { .fd = -1 };

	TAP_EQUAL(wf_segment_open(&seg, kind, FIRST, LIMIT), WEFT_OK);
	return seg;
}

static void grows(enum wf_segment_kind kind)
{
	struct wf_segment seg = opened(kind);
	_Atomic uint64_t published = 0;
	char *base = seg.base;
	uint64_t first, second;

	seg.published = &published;
	TAP_EQUAL(wf_segment_alloc(&seg, 1000, 64, &first), WEFT_OK);
	memset(wf_segment_at(&seg, first), 0x5a, 1000);
	TAP_EQUAL(published, 0);
	TAP_EQUAL(wf_segment_alloc(&seg, 5 * FIRST, 4096, &second), WEFT_OK);
	TAP_CHECK(seg.base == base);
	TAP_CHECK(second % 4096 == 0);
	TAP_CHECK(seg.size >= second + 5 * FIRST);
	TAP_EQUAL(published, seg.size);
	memset(wf_segment_at(&seg, second), 1, 5 * FIRST);
	TAP_EQUAL(*(char *)wf_segment_at(&seg, first), 0x5a);
	wf_segment_close(&seg);
}

static void grows_memfd(void)
{
	grows(WF_SEGMENT_MEMFD);
}

static void grows_anonymous(void)
{
	grows(WF_SEGMENT_ANONYMOUS);
}

static void doubles(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_MEMFD);
	uint64_t offset, size = seg.size;
	int growths = 0;

	for (int i = 0; i < 1000; i++) {
		TAP_EQUAL(wf_segment_alloc(&seg, 4096, 64, &offset), WEFT_OK);
		growths += seg.size != size;
		size = seg.size;
	}
	TAP_CHECK(growths <= 10);
	wf_segment_close(&seg);
}

static void clears(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_ANONYMOUS);
	uint64_t dirty, again;
	char *p;

	TAP_EQUAL(wf_segment_alloc_raw(&seg, 256, 64, &dirty), WEFT_OK);
	memset(wf_segment_at(&seg, dirty), 0xff, 256);
	wf_segment_free(&seg, dirty);
	TAP_EQUAL(wf_segment_generation(&seg, dirty), 0);
	TAP_EQUAL(wf_segment_alloc(&seg, 256, 64, &again), WEFT_OK);
	TAP_EQUAL(again, dirty);
	TAP_CHECK(wf_segment_generation(&seg, again + 255) > 1);
	p = wf_segment_at(&seg, again);
	for (int i = 0; i < 256; i++)
		TAP_EQUAL(p[i], 0);
	wf_segment_close(&seg);
}

static void ends_at_limit(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_MEMFD);
	uint64_t all, more = 77;

	TAP_EQUAL(wf_segment_alloc_raw(&seg, LIMIT, 64, &all), WEFT_OK);
	TAP_EQUAL(seg.size, LIMIT);
	TAP_EQUAL(wf_segment_alloc_raw(&seg, 1, 64, &more), WEFT_ERR_NOMEM);
	TAP_EQUAL(more, 77);
	wf_segment_free(&seg, all);
	TAP_EQUAL(wf_segment_alloc(&seg, LIMIT + 1, 64, &more),
		  WEFT_ERR_NOMEM);
	wf_segment_close(&seg);
}

/* Room in the arena, or memory of the process, as of the list of blocks. */
static void tells_what_was_lacking(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_ANONYMOUS);
	uint64_t offset;
	char why[200];
	int status;

	TAP_EQUAL(wf_segment_alloc(&seg, LIMIT + 1, 64, &offset),
		  WEFT_ERR_NOMEM);
	wf_segment_why(&seg, why, sizeof(why));
	TAP_CHECK(!strcmp(why, "raise WEFT_ARENA_MAX, now 16777216 bytes"));
	do {
		fail_malloc_at(1);
		status = wf_segment_alloc(&seg, 1, 64, &offset);
		fail_malloc_at(0);
	} while (!status);
	wf_segment_why(&seg, why, sizeof(why));
	TAP_CHECK(!strncmp(why, "Cannot allocate memory: ", 24));
	/* something else of the process failed */
	TAP_EQUAL(wf_segment_alloc(&seg, LIMIT + 1, 64, &offset),
		  WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_segment_alloc(&seg, 1, 64, &offset), WEFT_OK);
	wf_segment_why(&seg, why, sizeof(why));
	TAP_CHECK(!strncmp(why, "Cannot allocate memory: ", 24));
	wf_segment_close(&seg);
}

static void knows_its_memory(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_ANONYMOUS);
	uint64_t offset = 99;
	char outside;

	TAP_CHECK(wf_segment_has(&seg, seg.base + 5, 10, &offset));
	TAP_EQUAL(offset, 5);
	TAP_CHECK(wf_segment_has(&seg, seg.base, seg.size, &offset));
	TAP_CHECK(!wf_segment_has(&seg, seg.base + 1, seg.size, &offset));
	TAP_CHECK(!wf_segment_has(&seg, seg.base + 1, SIZE_MAX, &offset));
	TAP_CHECK(!wf_segment_has(&seg, seg.base + seg.size, 0, &offset));
	TAP_CHECK(!wf_segment_has(&seg, &outside, 1, &offset));
	wf_segment_close(&seg);
}

static void is_sealed(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_MEMFD);
	struct stat st;

	TAP_EQUAL(ftruncate(seg.fd, 0), -1);
	TAP_EQUAL(errno, EPERM);
	TAP_EQUAL(fcntl(seg.fd, F_ADD_SEALS, F_SEAL_GROW), -1);
	TAP_EQUAL(fcntl(seg.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	TAP_EQUAL(fstat(seg.fd, &st), 0);
	TAP_EQUAL(st.st_mode & 07777, 0600);
	wf_segment_close(&seg);
}

/* A second mapping, made before the growth, sees what is put behind it. */
static void mapped_once(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_MEMFD);
	char *peer = mmap(NULL, LIMIT, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_NORESERVE, seg.fd, 0);
	uint64_t offset;

	TAP_CHECK(peer != MAP_FAILED);
	TAP_EQUAL(wf_segment_alloc(&seg, 100 * FIRST, 64, &offset), WEFT_OK);
	peer[offset + 99 * FIRST] = 7;
	TAP_EQUAL(*((char *)wf_segment_at(&seg, offset) + 99 * FIRST), 7);
	munmap(peer, LIMIT);
	wf_segment_close(&seg);
}

static long free_huge_pages(void)
{
	FILE *info = fopen("/proc/meminfo", "re");
	char line[128];
	long n = 0;

	while (info && fgets(line, sizeof(line), info))
		if (sscanf(line, "HugePages_Free: %ld", &n) == 1)
			break;
	if (info)
		fclose(info);
	return n;
}

/* Until there are no more, which is an error, not a signal at a store. */
static void huge_pages(void)
{
	uint64_t at = 0, pages = (uint64_t)free_huge_pages(), size;
	struct wf_segment seg = { .fd = -1 };

	if (!pages) {
		TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_HUGE, 1, LIMIT),
			  WEFT_ERR_NOMEM);
		tap_skip("no huge pages are free: sysctl vm.nr_hugepages");
		return;
	}
	if (!TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_HUGE, 1,
				       (pages + 8) * LIMIT), WEFT_OK))
		return;
	size = seg.size;
	TAP_EQUAL(free_huge_pages(), (long)pages - 1);
	TAP_CHECK(size > FIRST);
	while (!wf_segment_alloc_raw(&seg, size, 64, &at))
		memset(wf_segment_at(&seg, at), 0x5a, size);
	TAP_EQUAL(seg.size, pages * size);
	TAP_EQUAL(free_huge_pages(), 0);
	wf_segment_close(&seg);
	TAP_EQUAL(free_huge_pages(), (long)pages);
}

static int lowest_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void refuses(void)
{
	struct wf_segment seg = { .fd = 12345 };
	int before = lowest_fd();

	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_MEMFD, LIMIT, FIRST),
		  WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_MEMFD, FIRST, SIZE_MAX),
		  WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_MEMFD, FIRST,
				  SIZE_MAX / 4096 * 4096), WEFT_ERR_NOMEM);
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_ANONYMOUS, FIRST,
				  SIZE_MAX / 4096 * 4096), WEFT_ERR_NOMEM);
	TAP_EQUAL(seg.fd, 12345);
	TAP_EQUAL(lowest_fd(), before);
}

static void is_spared(enum wf_segment_kind kind)
{
	struct wf_segment seg = opened(kind);
	uint64_t offset;

	TAP_EQUAL(dumped_bytes(seg.base, seg.limit), seg.size);
	TAP_EQUAL(wf_segment_alloc(&seg, 5 * FIRST, 4096, &offset), WEFT_OK);
	TAP_EQUAL(dumped_bytes(seg.base, seg.limit), seg.size);
	wf_segment_close(&seg);
}

static void dumps(void)
{
	is_spared(WF_SEGMENT_MEMFD);
	is_spared(WF_SEGMENT_ANONYMOUS);
}

/* Two hold it: what is freed meanwhile is given again when none does. */
static void held(void)
{
	struct wf_segment seg = opened(WF_SEGMENT_ANONYMOUS);
	uint64_t first, other, again;

	TAP_EQUAL(wf_segment_alloc(&seg, 64, 64, &first), WEFT_OK);
	wf_segment_hold(&seg);
	wf_segment_hold(&seg);
	wf_segment_free(&seg, first);
	TAP_CHECK(wf_segment_generation(&seg, first) == 1);
	TAP_EQUAL(wf_segment_alloc(&seg, 64, 64, &other), WEFT_OK);
	wf_segment_let_go(&seg);
	TAP_CHECK(wf_segment_generation(&seg, first) == 1);
	TAP_CHECK(other != first);
	wf_segment_let_go(&seg);
	TAP_EQUAL(wf_segment_generation(&seg, first), 0);
	TAP_EQUAL(wf_segment_alloc(&seg, 64, 64, &again), WEFT_OK);
	TAP_EQUAL(again, first);
	wf_segment_close(&seg);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a memfd grows in place and publishes it", grows_memfd },
		{ "anonymous memory grows in place", grows_anonymous },
		{ "growth at least doubles", doubles },
		{ "a block is zeroed, a freed one has no generation", clears },
		{ "memory is not given again while it is held", held },
		{ "the reserve ends at its limit", ends_at_limit },
		{ "tells what was lacking", tells_what_was_lacking },
		{ "addresses inside and outside", knows_its_memory },
		{ "sealed, private, closed on exec", is_sealed },
		{ "a mapping made before a growth sees it", mapped_once },
		{ "a core dump has what is used, not the reserve", dumps },
		{ "huge pages, as many as there are", huge_pages },
		{ "what cannot be opened leaves nothing", refuses },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
