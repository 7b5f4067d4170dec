/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that all processes of a test share: see world.h.  It is a file
 * that the description names, or, if it names none, this process's own.
 *
 * What a process that has died left in the tables is found by whoever enters,
 * and by whoever needs an entry of a full table.
 */
#include "tests/verbs_device/model.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
	WAKE_S = 1			/* a second look at the lock */
};

struct vd_world *vd_world;
struct vd_process *vd_self;

static int file = -1;			/* of the world; -1: it is our own */
static uint64_t beacon;
static int entered;
static pthread_mutex_t entering = PTHREAD_MUTEX_INITIALIZER;

uint64_t vd_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * What was done under the lock is whole, or does not count yet.  One that is
 * woken, and killed before it has the lock, takes the wake of all others along
 * if somebody else has the lock meanwhile: they look for themselves.
 */
void vd_lock(void)
{
	struct timespec until;
	int error;

	do {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += WAKE_S;
		error = pthread_mutex_timedlock(&vd_world->lock, &until);
	} while (error == ETIMEDOUT);
	if (error == EOWNERDEAD)
		pthread_mutex_consistent(&vd_world->lock);
}

/* What others, or we, have to tell this process is told before it goes on. */
void vd_unlock(void)
{
	vd_tell();
	pthread_mutex_unlock(&vd_world->lock);
}

/* One that has died has no memory, and its number may be another's. */
bool vd_is_alive(struct vd_process *p)
{
	uint64_t found = 0;
	struct iovec to = { &found, sizeof(found) };

	if (p == vd_self)
		return true;
	return p->used && !vd_read(p->used, &to, 1, (uintptr_t)p->beacon) &&
	       found == p->cookie;
}

/* A file system that is full must not end us later, by a signal. */
static void make_room(size_t from, size_t bytes)
{
	int error = 0;

	do
		if (file >= 0)
			error = posix_fallocate(file, (off_t)from,
						(off_t)bytes);
	while (error == EINTR);
	if (error)
		vd_die("no room for %zu bytes of the world in %s: %s", bytes,
		       vd_setup()->world, strerror(error));
}

uint32_t vd_take_pages(size_t bytes)
{
	uint32_t want = vd_pages_for(bytes), run = 0;

	for (uint32_t i = 1; i < VD_PAGES; i++) {
		run = vd_world->taken[i] ? 0 : run + 1;
		if (run < want)
			continue;
		make_room(offsetof(struct vd_world, page) +
			  (size_t)(i + 1 - want) * VD_PAGE,
			  (size_t)want * VD_PAGE);
		memset(&vd_world->taken[i + 1 - want], (int)vd_me(), want);
		return i + 1 - want;
	}
	return 0;
}

void vd_give_pages(uint32_t page, uint32_t n)
{
	memset(&vd_world->taken[page], 0, n);
}

static void bury(struct vd_process *p)
{
	uint32_t who = p->used;

	for (int i = 0; i < VD_QPS; i++)
		if (vd_world->qp[i].used == who)
			vd_world->qp[i].used = 0;
	for (int i = 0; i < VD_CQS; i++)
		if (vd_world->cq[i].used == who)
			vd_world->cq[i].used = 0;
	for (int i = 0; i < VD_RQS; i++)
		if (vd_world->rq[i].used == who)
			vd_world->rq[i].used = 0;
	for (int i = 0; i < VD_MRS; i++)
		if (vd_world->mr[i].used == who)
			vd_world->mr[i].used = 0;
	for (int i = 0; i < VD_PAGES; i++)
		if (vd_world->taken[i] == who)
			vd_world->taken[i] = 0;
	p->used = 0;
}

static void bury_the_dead(void)
{
	for (int i = 0; i < VD_PROCESSES; i++) {
		struct vd_process *p = &vd_world->process[i];

		if (p->used && !vd_is_alive(p))
			bury(p);
	}
}

/* Of all processes of our host. */
uint32_t vd_count(int device, enum vd_kind kind)
{
	uint32_t n = 0;

	bury_the_dead();
	for (int i = 0; i < VD_PROCESSES; i++) {
		const struct vd_process *p = &vd_world->process[i];

		if (p->used && p->host == vd_self->host)
			n += p->has[device][kind];
	}
	return n;
}

static int take_place(void)
{
	struct vd_process *p = vd_world->process;

	bury_the_dead();
	while (p < &vd_world->process[VD_PROCESSES] && p->used)
		p++;
	if (p == &vd_world->process[VD_PROCESSES])
		return ENOSPC;
	beacon = vd_now() ^ (uint64_t)getpid() << 40;
	p->pid = getpid();
	p->host = vd_host_of(vd_setup());
	p->beacon = &beacon;
	p->cookie = beacon;
	p->born = 0;
	p->bell = p->told = p->nnews = 0;
	memset(p->has, 0, sizeof(p->has));
	vd_self = p;
	__atomic_store_n(&p->used, vd_me(), __ATOMIC_RELEASE);
	/* Where peers may look into their own children only. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	return 0;
}

static void create_world(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&vd_world->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	vd_world->description = vd_setup()->hash;
	__atomic_store_n(&vd_world->ready, 1, __ATOMIC_RELEASE);
}

static void close_file(void)
{
	if (file >= 0)
		close(file);
	file = -1;
}

/* Who makes it holds the lock of the file until it is ready. */
static int map_file(const char *path)
{
	struct flock whole = { .l_type = F_WRLCK };
	int error = 0;

	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return errno;
	if (fcntl(file, F_OFD_SETLKW, &whole) ||
	    ftruncate(file, sizeof(*vd_world))) {
		error = errno;
		close_file();
		return error;
	}
	make_room(0, offsetof(struct vd_world, page));
	vd_world = mmap(NULL, sizeof(*vd_world), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE, file, 0);
	if (vd_world == MAP_FAILED)
		error = errno;
	else if (!vd_world->ready)
		create_world();
	/* The mapping has the file, too, and would keep the lock. */
	whole.l_type = F_UNLCK;
	fcntl(file, F_OFD_SETLK, &whole);
	if (error)
		close_file();
	return error;
}

static int map_own(void)
{
	vd_world = mmap(NULL, sizeof(*vd_world), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (vd_world == MAP_FAILED)
		return errno;
	create_world();
	return 0;
}

static int enter_world(void)
{
	const char *path = vd_setup()->world;
	int error = *path ? map_file(path) : map_own();

	if (error) {
		vd_world = NULL;
		return error;
	}
	if (vd_world->description != vd_setup()->hash)
		vd_die("%s was made by another description", path);
	vd_lock();
	error = take_place();
	pthread_mutex_unlock(&vd_world->lock);
	if (!error)
		error = vd_engine_start();
	return error;
}

static void leave_world(void)
{
	vd_engine_stop();
	vd_model_tell();
	vd_forget_datagrams();
	vd_lock();
	bury(vd_self);
	pthread_mutex_unlock(&vd_world->lock);
	munmap(vd_world, sizeof(*vd_world));
	close_file();
	vd_world = NULL;
	vd_self = NULL;
}

/* The description may have changed since the last context was closed. */
void vd_look_again(void)
{
	static bool named;

	pthread_mutex_lock(&entering);
	if (!entered && (vd_setup_again() || !named)) {
		vd_name_devices();
		named = true;
	}
	pthread_mutex_unlock(&entering);
}

int vd_enter(void)
{
	int error = 0;

	pthread_mutex_lock(&entering);
	if (!entered)
		error = enter_world();
	entered += !error;
	pthread_mutex_unlock(&entering);
	return error;
}

void vd_leave(void)
{
	pthread_mutex_lock(&entering);
	if (!--entered)
		leave_world();
	pthread_mutex_unlock(&entering);
}
