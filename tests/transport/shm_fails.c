/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A first contact over shared memory for which the kernel gives no address
 * space or no right, or whose other end is not what its blob says, between two
 * processes; the next contact succeeds.
 *
 * The linker leads mmap() and process_vm_readv() here (--wrap).
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "base/clock.h"
#include "boot/boot.h"
#include "tests/transport/fixture.h"
#include "transport/shm/shm.h"

#define SEEN __attribute__((visibility("default")))

void *__real_mmap(void *at, size_t n, int protect, int flags, int fd,
		  off_t offset);
SEEN void *__wrap_mmap(void *at, size_t n, int protect, int flags, int fd,
		       off_t offset);
ssize_t __real_process_vm_readv(pid_t pid, const struct iovec *here,
				unsigned long nhere, const struct iovec *there,
				unsigned long nthere, unsigned long flags);
SEEN ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here,
				     unsigned long nhere,
				     const struct iovec *there,
				     unsigned long nthere,
				     unsigned long flags);

static struct fixture f;
static pid_t child;
static const struct wf_doorbell *bell;	/* of this process */
static bool no_mmap;
static int vm_error;			/* of process_vm_readv(); 0: none */

void *__wrap_mmap(void *at, size_t n, int protect, int flags, int fd,
		  off_t offset)
{
	if (no_mmap && fd >= 0) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return __real_mmap(at, n, protect, flags, fd, offset);
}

ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *here,
				unsigned long nhere, const struct iovec *there,
				unsigned long nthere, unsigned long flags)
{
	if (vm_error) {
		errno = vm_error;
		return -1;
	}
	return __real_process_vm_readv(pid, here, nhere, there, nthere, flags);
}

static void enter(int rank)
{
	fixture_prepare(&f, rank);
	f.rank[rank].env.doorbell = bell;
	fixture_enter(&f, rank);
	TAP_EQUAL(wf_boot_fence(&f.rank[rank].boot.base), WEFT_OK);
	f.rank[1 - rank].dead = true;
}

static void answer_contact(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(60);
	enter(1);
	while (!f.rank[1].contacts[0])
		fixture_pump(&f);
	fixture_ask(&f, 1, 0);
}

/* It is contacted, and lives until it is killed. */
static void other_main(void)
{
	answer_contact();
	for (;;)
		fixture_pump(&f);
}

/* It falls asleep when it is ready, and is not woken by its doorbell. */
static void sleeper_main(void)
{
	struct wf_doorbell own;
	int ms = 100;

	if (wf_doorbell_open(&own))
		_exit(1);
	bell = &own;
	answer_contact();
	while (f.rank[1].ep[0]->state != WF_EP_READY)
		fixture_pump(&f);
	f.rank[1].dev->ops->arm(f.rank[1].dev, &ms);
	for (;;)
		pause();
}

static void start_with(void (*main)(void))
{
	memset(&f, 0, sizeof(f));
	f.n = 2;
	f.board = board_create(2);
	child = fork();
	if (!child)
		main();
	TAP_CHECK(child > 0);
	enter(0);
}

static void start(void)
{
	start_with(other_main);
}

static void stop(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	fixture_close(&f);
}

static struct wf_ep *connect_other(void)
{
	struct wf_ep *ep;

	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
	ep = f.rank[0].ep[1];
	for (uint64_t since = wf_clock_ns(); ep->state != WF_EP_READY &&
	     wf_clock_ns() - since < 10 * WF_NS_PER_S;)
		fixture_pump(&f);
	TAP_EQUAL(ep->state, WF_EP_READY);
	return ep;
}

static void no_address_space(void)
{
	struct wf_blob blob;

	start();
	fixture_blob(&f.rank[0], 1, &blob);
	no_mmap = true;
	fixture_refused(&f, 1, &blob, WEFT_ERR_NOMEM,
			"address space for its memory: Cannot allocate memory: "
			"lower WEFT_ARENA_MAX, or raise the limit");
	no_mmap = false;
	connect_other();
	stop();
}

/* The first thing that fails is the handle of the process, then its memory. */
static void no_descriptor(void)
{
	struct rlimit old, few;
	struct wf_blob blob;
	int fd = dup(0);

	start();
	fixture_blob(&f.rank[0], 1, &blob);
	TAP_EQUAL(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = (rlim_t)fd;
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &few), 0);
	fixture_refused(&f, 1, &blob, WEFT_ERR_NOMEM, "cannot be watched: Too "
			"many open files: raise the limit of open files "
			"(ulimit -n, now ");
	TAP_EQUAL(setrlimit(RLIMIT_NOFILE, &old), 0);
	connect_other();
	close(fd);
	stop();
}

/* Its own process's memory is looked at by its header's pages. */
static void no_pages(void)
{
	fixture_open(&f, 2, 1);
	no_mmap = true;
	fixture_refused(&f, 1, &f.rank[1].blob, WEFT_ERR_NOMEM,
	       "bytes of address space for its memory: ");
	no_mmap = false;
	fixture_close(&f);
}

static void wrong_blobs(void)
{
	struct wf_blob good, blob;

	start();
	fixture_blob(&f.rank[0], 1, &good);
	blob = good;
	blob.key.word[1] ^= 1;
	fixture_refused(&f, 1, &blob, WEFT_ERR_UNSUPPORTED,
			"does not show the key");
	stop();
	start();
	fixture_blob(&f.rank[0], 1, &blob);
	blob.n_addrs = 0;
	fixture_refused(&f, 1, &blob, WEFT_ERR_UNSUPPORTED,
	       "has not opened shared memory");
	fixture_refused(&f, 2, &blob, WEFT_ERR_UNSUPPORTED, "on another node");
	stop();
}

static void count_line(void *arg, const char *line, size_t n)
{
	static const char what[] = "no cross memory attach";

	*(int *)arg += !!memmem(line, n, what, sizeof(what) - 1);
}

/* The pair goes without its other memory, and says so once if it cannot. */
static void without(int error, bool wanted, int expected_lines)
{
	uint64_t value = 7;
	int lines = 0;
	struct wf_rloc any;
	struct wf_ep *ep;

	start();
	f.rank[0].log.level = WF_LOG_INFO;
	f.rank[0].log.write = count_line;
	f.rank[0].log.arg = &lines;
	f.rank[0].config.cma = wanted;
	vm_error = error;
	ep = connect_other();
	vm_error = 0;
	TAP_EQUAL(lines, expected_lines);
	TAP_CHECK(!ep->writes_anywhere);
	any = (struct wf_rloc){ (uintptr_t)&value, wf_shm_ep(ep)->any_key };
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(&value), any, 8),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&value), any, 8),
		  WEFT_ERR_RANGE);
	TAP_EQUAL(ep->posted, 0);
	TAP_EQUAL(value, 7);
	stop();
}

static void no_right_to_read(void)
{
	without(EPERM, true, 1);
	without(0, false, 0);
}

/* Gone between the look and the copy: lost, and the endpoint is broken. */
static void gone_meanwhile(void)
{
	static uint64_t there = 7;
	uint64_t value = 0;
	struct wf_rloc any;
	struct wf_ep *ep;

	start();
	ep = connect_other();
	if (!ep->writes_anywhere)
		tap_skip("no right to read the memory of a child");
	any = (struct wf_rloc){ (uintptr_t)&there, wf_shm_ep(ep)->any_key };
	vm_error = ESRCH;
	if (ep->writes_anywhere) {
		TAP_EQUAL(ep->ops->get(ep, wf_loc_any(&value), any, 8),
			  WEFT_AGAIN);
		TAP_CHECK(ep->broken);
	}
	vm_error = 0;
	TAP_EQUAL(ep->posted, 0);
	stop();
}

/* What it sleeps with is opened once; of one that has ended, not at all. */
static void sleeping(bool ends)
{
	const struct wf_shm_ep *ep;
	uint64_t since;

	start_with(sleeper_main);
	ep = wf_shm_ep(connect_other());
	since = wf_clock_ns();
	while (!atomic_load(&ep->header->asleep) &&
	       wf_clock_ns() - since < 10 * WF_NS_PER_S)
		fixture_pump(&f);
	TAP_CHECK(atomic_load(&ep->header->asleep));
	if (ends) {
		siginfo_t info;

		kill(child, SIGKILL);
		waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	}
	TAP_EQUAL(fixture_mail(&f, 0, 1, 1, NULL, 0), WEFT_OK);
	TAP_EQUAL(ep->doorbell >= 0, !ends);
	TAP_CHECK(!ep->deaf);
	stop();
}

static void sleepers(void)
{
	sleeping(false);
	sleeping(true);
}

/*
 * One that has said nothing of itself is not told, others are; and there are no
 * words of the node in it.
 */
static void silent_rank(void)
{
	struct wf_swap swap = { .number = 2 * WF_BOARD_WORDS, .desired = 1 };
	uint64_t seen;

	memset(&f, 0, sizeof(f));
	f.n = 4;
	f.board = board_create(4);
	for (int i = 0; i < 4; i++)
		fixture_prepare(&f, i);
	for (int i = 0; i < 2; i++)
		fixture_enter(&f, i);
	f.rank[2].dead = f.rank[3].dead = true;
	f.rank[0].dev->ops->tell(f.rank[0].dev, 3);
	/* nor is anybody told of a rank of another node */
	f.rank[0].dev->ops->tell(f.rank[0].dev, 77);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].told[3], 1);
	for (int i = 0; i < 3; i++)
		TAP_EQUAL(f.rank[1].told[i], 0);
	TAP_EQUAL(f.rank[0].dev->ops->board(f.rank[0].dev, &swap, &seen),
		  WEFT_ERR_BOOT);
	for (int i = 2; i < 4; i++) {
		wf_signals_fini(&f.rank[i].signals);
		wf_segment_close(&f.rank[i].segment);
	}
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "no address space for a peer", no_address_space },
		{ "no descriptor for a peer", no_descriptor },
		{ "no address space for a header", no_pages },
		{ "blobs that do not say what is there", wrong_blobs },
		{ "no right to read the peer's memory", no_right_to_read },
		{ "a peer that ends before the copy", gone_meanwhile },
		{ "a sleeper that has ended is not rung", sleepers },
		{ "a rank that has no blob yet", silent_rank },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
