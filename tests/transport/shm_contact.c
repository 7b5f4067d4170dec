/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory at first contact: whatever is not the memory of the rank that
 * was meant is refused, on both sides, and leaves nothing behind.  And what a
 * device does when its peer's memory says nonsense, or goes away first.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weft/status.h>
#include "tests/fail_malloc.h"
#include "tests/transport/fixture.h"
#include "transport/backends.h"
#include "transport/line.h"
#include "transport/shm/shm.h"

static struct fixture f;
static struct wf_blob theirs;

/* Connect rank 0 to what this blob describes. */
static int ask_blob(const struct wf_blob *blob)
{
	struct wf_tp_peer peer = { .rank = 1, .blob = blob };

	return f.rank[0].dev->ops->connect(f.rank[0].dev, &peer,
					   &f.rank[0].ep[1]);
}

static int lowest_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* The blob is refused, and rank 1 is told when it tries. */
static void check_refused(int status)
{
	size_t blocks = f.rank[0].segment.blocks.count;
	int fd = lowest_fd();

	TAP_EQUAL(ask_blob(&theirs), status);
	TAP_CHECK(!f.rank[0].ep[1]);
	TAP_EQUAL(f.rank[0].segment.blocks.count, blocks);
	TAP_EQUAL(lowest_fd(), fd);
	TAP_EQUAL(fixture_ask(&f, 1, 0), WEFT_OK);
	fixture_settle(&f);
	TAP_EQUAL(f.rank[1].ep[0]->state, WF_EP_REFUSED);
	TAP_EQUAL(f.rank[0].contacts[1], 0);
	/* once refused, always */
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_UNSUPPORTED);
	fixture_close(&f);
}

/* A copy of the blob of rank 1, for spoiling. */
static struct wf_blob *open_two(void)
{
	fixture_open(&f, 2, 1);
	theirs = f.rank[1].blob;
	return &theirs;
}

static struct wf_shm_address address_of(const struct wf_blob *blob)
{
	struct wf_shm_address address;

	memcpy(&address, blob->addrs[0].bytes, sizeof(address));
	return address;
}

static void check_address(struct wf_shm_address address)
{
	memcpy(theirs.addrs[0].bytes, &address, sizeof(address));
	check_refused(WEFT_ERR_UNSUPPORTED);
}

static void wrong_key(void)
{
	open_two()->key.word[1] ^= 1;
	check_refused(WEFT_ERR_UNSUPPORTED);
}

static void other_node(void)
{
	open_two()->id.boot_id[3] ^= 1;
	check_refused(WEFT_ERR_UNSUPPORTED);
	open_two()->id.pid_ns++;
	check_refused(WEFT_ERR_UNSUPPORTED);
	open_two()->id.uid++;
	check_refused(WEFT_ERR_UNSUPPORTED);
}

static void wrong_address(void)
{
	struct wf_shm_address good;

	open_two()->n_addrs = 0;
	check_refused(WEFT_ERR_UNSUPPORTED);
	open_two()->addrs[0].n--;
	check_refused(WEFT_ERR_UNSUPPORTED);
	open_two()->memfd = -1;
	check_refused(WEFT_ERR_UNSUPPORTED);
	good = address_of(open_two());
	check_address((struct wf_shm_address){
		good.version + 1, good.ranks, good.header, good.limit });
	open_two();
	check_address((struct wf_shm_address){
		good.version, good.ranks + 1, good.header, good.limit });
	open_two();
	check_address((struct wf_shm_address){
		good.version, good.ranks, good.header + 64, good.limit });
	open_two();
	check_address((struct wf_shm_address){
		good.version, good.ranks, UINT64_MAX - 63, good.limit });
	open_two();
	check_address((struct wf_shm_address){
		good.version, good.ranks, good.header, 4096 });
}

/* The header is there, but it does not describe this memory. */
static void wrong_header(void)
{
	struct wf_blob *blob = open_two();
	struct wf_shm_header *h = wf_segment_at(
		&f.rank[1].segment, address_of(blob).header);

	h->directory = f.rank[1].segment.size;
	TAP_EQUAL(ask_blob(blob), WEFT_ERR_UNSUPPORTED);
	fixture_close(&f);
}

static void wrong_file(int fd)
{
	struct wf_blob *blob = open_two();

	TAP_CHECK(fd >= 0);
	blob->memfd = fd;
	TAP_EQUAL(ask_blob(blob), WEFT_ERR_UNSUPPORTED);
	close(fd);
	fixture_close(&f);
}

static void wrong_files(void)
{
	int fd, ends[2];

	wrong_file(open("/dev/null", O_RDWR));
	fd = memfd_create("unsealed", MFD_ALLOW_SEALING);
	TAP_EQUAL(ftruncate(fd, FIXTURE_FIRST), 0);
	wrong_file(fd);
	fd = memfd_create("small", MFD_ALLOW_SEALING);
	TAP_EQUAL(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	wrong_file(fd);
	TAP_EQUAL(pipe(ends), 0);
	wrong_file(ends[1]);
	close(ends[0]);
	open_two()->memfd = 100000;		/* closed, or never there */
	TAP_EQUAL(ask_blob(&theirs), WEFT_ERR_UNSUPPORTED);
	fixture_close(&f);
}

/* Nor is it opened: that would end its lease. */
static void leased_file(void)
{
	char name[] = "/tmp/weft-leased.XXXXXX";
	int fd = mkstemp(name);

	open_two()->memfd = fd;
	signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		tap_skip("no leases on the file system of /tmp");
	} else {
		TAP_EQUAL(ask_blob(&theirs), WEFT_ERR_UNSUPPORTED);
		TAP_EQUAL(fcntl(fd, F_GETLEASE), F_WRLCK);
	}
	close(fd);
	unlink(name);
	fixture_close(&f);
}

static void ended_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	open_two()->id.pid = child;
	check_refused(WEFT_ERR_PEER);
	/* the pid is in use, by another process */
	open_two()->id.pid = getppid();
	theirs.id.start += 1000;	/* ticks: far beyond any rounding */
	check_refused(WEFT_ERR_PEER);
}

static void wrong_ring(void)
{
	static const uint64_t words[] = {
		1, FIXTURE_LIMIT | 1, UINT64_MAX, 8 | 1
	};

	for (int i = 1; i < TAP_COUNT(words); i++) {
		struct wf_shm *dev;

		open_two();
		dev = wf_shm_dev(f.rank[0].dev);
		TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_OK);
		atomic_store(&dev->header->node[1].connect, words[i]);
		fixture_pump(&f);
		TAP_EQUAL(f.rank[0].ep[1]->state, WF_EP_REFUSED);
		fixture_close(&f);
	}
}

static void twice(void)
{
	struct wf_ep *first;

	open_two();
	fixture_connect(&f, 0, 1);
	first = f.rank[0].ep[1];
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(f.rank[0].ep[1] == first);
	TAP_EQUAL(first->state, WF_EP_READY);
	fixture_close(&f);
}

static void query(void)
{
	struct wf_segment seg;
	struct wf_tp_env env;
	char why[WF_SHM_WHY] = "";

	open_two();
	env = f.rank[0].env;
	TAP_EQUAL(wf_segment_open(&seg, WF_SEGMENT_ANONYMOUS, 4096, 1 << 20),
		  WEFT_OK);
	env.segment = &seg;
	TAP_EQUAL(wf_shm_tp.query(&env, why, sizeof(why)),
		  WEFT_ERR_UNSUPPORTED);
	TAP_CHECK(*why);
	wf_segment_close(&seg);
	fixture_close(&f);
}

static void ranges(void)
{
	uint32_t sig;
	struct wf_rloc good, bad[4];
	struct wf_loc src = wf_loc_any(bad);
	struct wf_ep *ep;
	uint64_t head = 1;

	open_two();
	fixture_connect(&f, 0, 1);
	ep = f.rank[0].ep[1];
	fixture_alloc(&f, 1, 4096, &good);
	sig = fixture_signal(&f, 1);
	bad[0] = (struct wf_rloc){ good.addr, good.key ^ 1 };
	bad[1] = (struct wf_rloc){ f.rank[1].segment.size - 63, good.key };
	bad[2] = (struct wf_rloc){ f.rank[1].segment.size + 64, good.key };
	bad[3] = (struct wf_rloc){ UINT64_MAX - 63, good.key };
	for (int i = 0; i < 4; i++) {
		TAP_EQUAL(ep->ops->put(ep, src, bad[i], 64), WEFT_ERR_RANGE);
		TAP_EQUAL(ep->ops->put_signal(ep, src, bad[i], 64, sig, NULL),
			  WEFT_ERR_RANGE);
		TAP_EQUAL(ep->ops->put_signal(ep, src, bad[i], 0, sig, &head),
			  WEFT_ERR_RANGE);
		TAP_EQUAL(wf_ep_line(ep, bad[i], src.region, 0, 1),
			  WEFT_ERR_RANGE);
	}
	good.addr += 8;
	TAP_EQUAL(wf_ep_line(ep, good, "x", 1, 1), WEFT_ERR_RANGE);
	TAP_EQUAL(ep->posted, 0);
	TAP_EQUAL(fixture_count(&f, 1, sig), 0);
	fixture_close(&f);
}

static void keys(void)
{
	struct wf_device *dev;
	struct wf_region *region;
	struct wf_rloc rloc = { 77, 78 };
	char mine[64];

	open_two();
	dev = f.rank[0].dev;
	TAP_EQUAL(dev->ops->key(&dev->arena, FIXTURE_FIRST, &rloc),
		  WEFT_ERR_UNSUPPORTED);	/* not there yet */
	TAP_EQUAL(dev->ops->reg(dev, mine, sizeof(mine), &region), WEFT_OK);
	TAP_EQUAL(dev->ops->key(region, 0, &rloc), WEFT_ERR_UNSUPPORTED);
	TAP_EQUAL(rloc.addr, 77);
	dev->ops->release(region);
	TAP_EQUAL(dev->ops->reg(dev, f.rank[0].segment.base + 128, 64,
				&region), WEFT_OK);
	TAP_EQUAL(dev->ops->key(region, 8, &rloc), WEFT_OK);
	TAP_EQUAL(rloc.addr, 136);
	TAP_EQUAL(dev->ops->key(region, 65, &rloc), WEFT_ERR_UNSUPPORTED);
	dev->ops->release(region);
	fixture_close(&f);
}

/* The owner closes its job first: who borrowed its memory still has it. */
static void owner_first(void)
{
	static char data[4096];
	struct wf_rloc rloc;
	struct wf_ep *ep;

	fixture_open(&f, 3, 1);
	fixture_connect(&f, 0, 1);
	fixture_connect(&f, 2, 1);
	ep = f.rank[0].ep[1];
	fixture_alloc(&f, 1, sizeof(data), &rloc);
	fixture_leave(&f, 1);
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(data), rloc, sizeof(data)),
		  WEFT_OK);
	/* nobody else gets it any more */
	ep->dev->ops->disconnect(ep);
	f.rank[0].ep[1] = NULL;
	ep = f.rank[2].ep[1];
	TAP_EQUAL(ep->ops->put(ep, wf_loc_any(data), rloc, sizeof(data)),
		  WEFT_OK);
	fixture_close(&f);
}

static void left_before(void)
{
	fixture_open(&f, 2, 1);
	fixture_leave(&f, 1);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_UNSUPPORTED);
	/* nor is it told anything */
	f.rank[0].dev->ops->tell(f.rank[0].dev, 0);
	fixture_close(&f);
	/* its device is closed, its memory is not */
	fixture_open(&f, 2, 1);
	f.rank[1].dev->ops->close(f.rank[1].dev);
	TAP_EQUAL(fixture_ask(&f, 0, 1), WEFT_ERR_UNSUPPORTED);
	wf_signals_fini(&f.rank[1].signals);
	wf_segment_close(&f.rank[1].segment);
	f.rank[1].dev = NULL;
	f.rank[1].dead = true;
	fixture_close(&f);
}

/* A length that no sender writes: the lines are given back all the same. */
static void torn_mail(void)
{
	struct wf_mail bad = { .kind = 7, .length = WF_MAIL_LONGEST + 1 };
	struct wf_ring *out;

	open_two();
	fixture_connect(&f, 0, 1);
	out = &wf_shm_ep(f.rank[0].ep[1])->out;
	for (int i = 0; i < 20; i++) {
		memcpy(wf_ring_reserve(out, sizeof(bad), 0), &bad, sizeof(bad));
		wf_ring_commit(out);
		TAP_EQUAL(fixture_mail(&f, 0, 1, (uint32_t)i, NULL, 0),
			  WEFT_OK);
		fixture_settle(&f);
	}
	TAP_EQUAL(f.rank[1].suspects[0], 20);
	TAP_EQUAL(f.rank[1].nletters, 20);
	fixture_close(&f);
}

/* A death is reported behind the mails that the dead sent before. */
static void told_last(void)
{
	fixture_open(&f, 3, 1);
	fixture_connect(&f, 0, 1);
	for (uint32_t i = 0; i < 5; i++)
		TAP_EQUAL(fixture_mail(&f, 0, 1, i, NULL, 0), WEFT_OK);
	f.rank[0].dead = true;
	f.rank[2].dev->ops->tell(f.rank[2].dev, 0);
	fixture_pump(&f);
	TAP_EQUAL(f.rank[1].told[0], 1);
	TAP_EQUAL(f.rank[1].told_before, 5);
	fixture_close(&f);
}

/* Every allocation on the way fails once. */
static void no_memory(void)
{
	struct wf_device *dev;
	int status = WEFT_ERR_NOMEM;

	for (long n = 1; status; n++) {
		size_t blocks;

		open_two();
		blocks = f.rank[0].segment.blocks.count;
		fail_malloc_at(n);
		status = ask_blob(&theirs);
		fail_malloc_at(0);
		if (status) {
			TAP_EQUAL(status, WEFT_ERR_NOMEM);
			TAP_EQUAL(f.rank[0].segment.blocks.count, blocks);
		}
		fixture_close(&f);
	}
	open_two();
	fail_malloc_at(1);
	TAP_EQUAL(wf_shm_tp.open(&f.rank[0].env, &dev), WEFT_ERR_NOMEM);
	fail_malloc_at(0);
	fixture_close(&f);
}

static void count_line(void *arg, const char *line, size_t n)
{
	TAP_CHECK(memmem(line, n, "WEFT_ARENA_MAX", 14) != NULL);
	++*(int *)arg;
}

static void no_arena(void)
{
	int errors = 0;
	struct wf_device *dev;
	uint64_t all;

	open_two();
	while (!wf_segment_alloc_raw(&f.rank[0].segment, 1 << 16, 64, &all))
		;
	while (!wf_segment_alloc_raw(&f.rank[0].segment, 64, 64, &all))
		;
	TAP_EQUAL(ask_blob(&theirs), WEFT_ERR_NOMEM);
	f.rank[0].log.write = count_line;
	f.rank[0].log.arg = &errors;
	TAP_EQUAL(wf_shm_tp.open(&f.rank[0].env, &dev), WEFT_ERR_NOMEM);
	TAP_EQUAL(errors, 1);
	fixture_close(&f);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "a wrong key", wrong_key },
		{ "another kernel, namespace or user", other_node },
		{ "an address of another shape", wrong_address },
		{ "a header of something else", wrong_header },
		{ "a descriptor of something else", wrong_files },
		{ "a descriptor of somebody's file", leased_file },
		{ "a process that has ended", ended_process },
		{ "a ring outside of the peer's memory", wrong_ring },
		{ "a pair connects once", twice },
		{ "memory that is no file", query },
		{ "operands that are not the peer's", ranges },
		{ "keys of what peers may write", keys },
		{ "the owner closes first", owner_first },
		{ "a peer that has left", left_before },
		{ "a mail that is longer than mails are", torn_mail },
		{ "a death is reported after the mails before it",
		  told_last },
		{ "no memory", no_memory },
		{ "no room in the arena", no_arena },
	};

	alarm(60);
	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
