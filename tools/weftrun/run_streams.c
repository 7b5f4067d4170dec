/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The standard streams of the ranks.
 *
 * Output is inherited, or, with --tag-output, read through a pipe per stream
 * and printed line by line. Input goes to rank 0 and is inherited, too, except
 * from a terminal: rank 0 is no foreground process there and would be stopped
 * when it reads, so weftrun reads for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

#define LINE_BYTES 4096

struct line {
	int fd;  /* read end; -1: closed */
	int to;
	int rank;
	bool cut; /* the line has begun in an earlier write */
	size_t n;
	char bytes[LINE_BYTES];
};

struct run_streams {
	int null;
	struct line *lines; /* two per rank; NULL without --tag-output */
	int n_lines;

	int pump; /* write end of rank 0's input; -1: none */
	bool paused; /* in the background: must not read the terminal */
	size_t held_at;
	size_t held_n;
	char held[1024];
};

static int make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) == 0)
		return 0;
	run_say("pipe: %s", strerror(errno));
	return -1;
}

int run_streams_start(struct run_job *job)
{
	struct run_streams *streams = calloc(1, sizeof(*streams));
	int n = job->options.tag_output ? 2 * job->options.n : 0;

	if (streams == NULL)
		goto no_memory;
	if (n > 0) {
		streams->lines = calloc((size_t)n, sizeof(streams->lines[0]));
		if (streams->lines == NULL)
			goto no_memory;
	}
	streams->pump = -1;
	streams->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (streams->null < 0) {
		run_say("/dev/null: %s", strerror(errno));
		free(streams->lines);
		free(streams);
		return -1;
	}
	job->streams = streams;
	return 0;

no_memory:
	free(streams);
	run_say("no memory for the streams of the ranks");
	return -1;
}

static int open_line(struct run_streams *streams, int rank, int to, int *fd_p)
{
	struct line *line;
	int ends[2];

	if (make_pipe(ends) != 0)
		return -1;
	line = &streams->lines[streams->n_lines++];
	line->fd = ends[0];
	line->to = to;
	line->rank = rank;
	*fd_p = ends[1];
	return 0;
}

static int open_input(struct run_streams *streams, int rank, int *fd_p)
{
	int ends[2];

	if (rank == 0 && !isatty(STDIN_FILENO))
		return 0;
	if (rank != 0 || tcgetpgrp(STDIN_FILENO) != getpgrp()) {
		*fd_p = fcntl(streams->null, F_DUPFD_CLOEXEC, 3);
		return *fd_p >= 0 ? 0 : -1;
	}
	if (make_pipe(ends) != 0)
		return -1;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	streams->pump = ends[1];
	*fd_p = ends[0];
	return 0;
}

int run_streams_open(struct run_job *job, int rank, struct run_stdio *stdio_p)
{
	struct run_streams *streams = job->streams;
	int status = open_input(streams, rank, &stdio_p->in);

	if (status == 0 && streams->lines != NULL)
		status = open_line(streams, rank, STDOUT_FILENO,
				   &stdio_p->out);
	if (status == 0 && streams->lines != NULL)
		status = open_line(streams, rank, STDERR_FILENO,
				   &stdio_p->err);
	if (status != 0)
		run_streams_opened(stdio_p);
	return status;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void run_streams_opened(struct run_stdio *stdio)
{
	shut(&stdio->in);
	shut(&stdio->out);
	shut(&stdio->err);
}

int run_streams_poll_max(const struct run_job *job)
{
	return 1 + 2 * job->options.n;
}

int run_streams_poll(const struct run_job *job, struct pollfd *fds)
{
	const struct run_streams *streams = job->streams;
	int n = 0;
	int i;

	if (streams->pump >= 0 && streams->held_n > 0)
		fds[n++] = (struct pollfd){ .fd = streams->pump,
					    .events = POLLOUT };
	else if (streams->pump >= 0 && !streams->paused)
		fds[n++] = (struct pollfd){ .fd = STDIN_FILENO,
					    .events = POLLIN };
	for (i = 0; i < streams->n_lines; i++)
		if (streams->lines[i].fd >= 0)
			fds[n++] = (struct pollfd){ .fd = streams->lines[i].fd,
						    .events = POLLIN };
	return n;
}

/* False: nobody reads any more. */
static bool write_all(int fd, const char *bytes, size_t n)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			poll(&room, 1, -1); /* whoever shares it wants it so */
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/*
 * Prints the first n bytes of a line's buffer, tagged, in one write. Where
 * nobody reads them the pipe is closed, so that the rank hears of it.
 */
static void print(struct line *line, size_t n, bool newline)
{
	char text[LINE_BYTES + 32];
	size_t used = 0;

	if (!line->cut)
		used = (size_t)snprintf(text, 32, "[%d] ", line->rank);
	memcpy(text + used, line->bytes, n);
	used += n;
	if (newline)
		text[used++] = '\n';
	if (!write_all(line->to, text, used))
		shut(&line->fd);
	line->cut = text[used - 1] != '\n';
	line->n -= n;
	memmove(line->bytes, line->bytes + n, line->n);
}

static void print_lines(struct line *line)
{
	char *end;

	while ((end = memchr(line->bytes, '\n', line->n)) != NULL)
		print(line, (size_t)(end - line->bytes) + 1, false);
	if (line->n == LINE_BYTES)
		print(line, LINE_BYTES, false);
}

static void read_line(struct line *line)
{
	ssize_t n = read(line->fd, line->bytes + line->n,
			 LINE_BYTES - line->n);

	if (n > 0) {
		line->n += (size_t)n;
		print_lines(line);
		return;
	}
	if (n < 0 && errno == EINTR)
		return;
	if (line->n > 0 || line->cut)
		print(line, line->n, true);
	shut(&line->fd);
}

static void pump_in(struct run_streams *streams)
{
	ssize_t n;

	if (tcgetpgrp(STDIN_FILENO) != getpgrp()) {
		streams->paused = true;
		return;
	}
	n = read(STDIN_FILENO, streams->held, sizeof(streams->held));
	if (n > 0) {
		streams->held_at = 0;
		streams->held_n = (size_t)n;
	} else if (n == 0 || errno != EINTR) {
		shut(&streams->pump);
	}
}

static void pump_out(struct run_streams *streams)
{
	ssize_t n = write(streams->pump, streams->held + streams->held_at,
			  streams->held_n);

	if (n > 0) {
		streams->held_at += (size_t)n;
		streams->held_n -= (size_t)n;
	} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
		shut(&streams->pump);
	}
}

static void moved(struct run_streams *streams, int fd)
{
	int i;

	if (fd == STDIN_FILENO) {
		pump_in(streams);
		return;
	}
	if (fd == streams->pump) {
		pump_out(streams);
		return;
	}
	for (i = 0; i < streams->n_lines; i++)
		if (streams->lines[i].fd == fd)
			read_line(&streams->lines[i]);
}

void run_streams_moved(struct run_job *job, const struct pollfd *fds, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (fds[i].revents != 0)
			moved(job->streams, fds[i].fd);
}

void run_streams_continued(struct run_job *job)
{
	job->streams->paused = false;
}

void run_streams_drain(struct run_job *job, int ms)
{
	struct pollfd *fds = calloc((size_t)run_streams_poll_max(job),
				    sizeof(*fds));
	int n;

	shut(&job->streams->pump);
	while (fds != NULL && (n = run_streams_poll(job, fds)) > 0) {
		if (poll(fds, (nfds_t)n, ms) <= 0)
			break; /* what holds them open is none of ours */
		run_streams_moved(job, fds, n);
	}
	free(fds);
}

void run_streams_stop(struct run_job *job)
{
	struct run_streams *streams = job->streams;
	int i;

	for (i = 0; i < streams->n_lines; i++)
		shut(&streams->lines[i].fd);
	shut(&streams->null);
	free(streams->lines);
	free(streams);
}
