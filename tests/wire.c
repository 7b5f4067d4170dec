/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tests/wire NAMESPACE NAMESPACE DELAY LOSS: a slow wire that loses packets.
 *
 * It joins two network namespaces by a device weft0 in each, both of which are
 * its own: each frame is read here, waits DELAY microseconds, and goes out at
 * the other end; a part LOSS (0 to 1) of them does not.  Not every kernel has
 * a queue that does this.  Says "ready" when the devices are there; they go
 * with the process.
 */
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
	FRAMES = 16384,			/* under way; a power of two */
	FRAME_BYTES = 2048,
	BATCH = 64			/* read of one end in one go */
};

struct frame {
	uint64_t due;			/* ns */
	int to;
	size_t bytes;
	char data[FRAME_BYTES];
};

struct wire {
	int fd[2];
	uint64_t delay;			/* ns */
	double loss;
	unsigned first, last;		/* count up; last is not in */
	struct frame *frames;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A device is made in the namespace that its maker is in. */
static int open_end(const char *namespace)
{
	struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	char path[128];
	int ns, fd;

	snprintf(path, sizeof(path), "/run/netns/%s", namespace);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNET)) {
		perror(path);
		exit(1);
	}
	close(ns);
	strcpy(request.ifr_name, "weft0");
	fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &request)) {
		perror("/dev/net/tun");
		exit(1);
	}
	return fd;
}

static void read_frames(struct wire *wire, int from)
{
	for (int i = 0; i < BATCH; i++) {
		struct frame *frame = &wire->frames[wire->last % FRAMES];
		ssize_t n;

		if (wire->last - wire->first == FRAMES)
			return;
		n = read(wire->fd[from], frame->data, FRAME_BYTES);
		if (n <= 0)
			return;
		if (drand48() < wire->loss)
			continue;
		frame->bytes = (size_t)n;
		frame->to = !from;
		frame->due = now() + wire->delay;
		wire->last++;
	}
}

/* What a full queue there does not take is lost, as on any wire. */
static void write_frames(struct wire *wire)
{
	uint64_t t = now();

	while (wire->first != wire->last) {
		struct frame *frame = &wire->frames[wire->first % FRAMES];

		if (frame->due > t)
			return;
		if (write(wire->fd[frame->to], frame->data, frame->bytes) < 0)
			perror("wire: lost");
		wire->first++;
	}
}

/* Until a frame comes or the first one is due. */
static void wait(struct wire *wire, struct pollfd ends[2])
{
	struct timespec left = { 0, 0 };
	bool idle = wire->first == wire->last;
	uint64_t due = wire->frames[wire->first % FRAMES].due, t = now();

	if (!idle && due > t) {
		left.tv_sec = (time_t)((due - t) / 1000000000u);
		left.tv_nsec = (long)((due - t) % 1000000000u);
	}
	ppoll(ends, 2, idle ? NULL : &left, NULL);
}

/* Ranks that spin do not hold up a wire. */
static void go_first(void)
{
	struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		perror("wire: priority");
}

int main(int argc, char **argv)
{
	struct wire wire = { .frames = calloc(FRAMES, sizeof(struct frame)) };
	struct pollfd ends[2];

	if (argc != 5 || !wire.frames) {
		fprintf(stderr, "usage: wire NAMESPACE NAMESPACE DELAY LOSS\n");
		return 2;
	}
	wire.delay = strtoull(argv[3], NULL, 10) * 1000;
	wire.loss = strtod(argv[4], NULL);
	srand48(1);
	for (int i = 0; i < 2; i++) {
		wire.fd[i] = open_end(argv[1 + i]);
		ends[i] = (struct pollfd){ .fd = wire.fd[i], .events = POLLIN };
	}
	go_first();
	puts("ready");
	fflush(stdout);
	for (;;) {
		wait(&wire, ends);
		read_frames(&wire, 0);
		read_frames(&wire, 1);
		write_frames(&wire);
	}
}
