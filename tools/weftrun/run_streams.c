/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The standard streams of the ranks.
 *
 * Output is inherited, or, with --tag-output, read through a pipe per stream
 * and printed by whole lines. While the one that reads it all is slow, the
 * pipes are left alone, so that the ranks wait for it as they would without.
 *
 * Input goes to rank 0 and is inherited, too, except from a terminal: rank 0 is
 * no foreground process there and would be stopped when it reads, so weftrun
 * reads for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

/* A line of more bytes is printed as several. */
#define LINE_FIRST 4096
#define LINE_MOST (1 << 20)

struct line {
	int fd;  /* read end; -1: closed */
	int to;
	int rank;
	size_t n;
	size_t room;
	char *bytes;
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
	struct line *line = &streams->lines[streams->n_lines];
	int ends[2];

	line->bytes = malloc(LINE_FIRST);
	if (line->bytes == NULL) {
		run_say("no memory for the output of rank %d", rank);
		return -1;
	}
	if (make_pipe(ends) != 0) {
		free(line->bytes);
		return -1;
	}
	streams->n_lines++;
	line->room = LINE_FIRST;
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
	return 1 + STDERR_FILENO + 2 * job->options.n;
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
	for (i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
		if (run_output_waits(i))
			fds[n++] = (struct pollfd){ .fd = i,
						    .events = POLLOUT };
	for (i = 0; i < streams->n_lines; i++)
		if (streams->lines[i].fd >= 0 &&
		    !run_output_waits(streams->lines[i].to))
			fds[n++] = (struct pollfd){ .fd = streams->lines[i].fd,
						    .events = POLLIN };
	return n;
}

static void print(const struct line *line, const char *bytes, size_t n)
{
	char tag[16];
	int tagged = snprintf(tag, sizeof(tag), "[%d] ", line->rank);

	run_output_add(line->to, tag, (size_t)tagged);
	run_output_add(line->to, bytes, n);
	if (bytes[n - 1] != '\n')
		run_output_add(line->to, "\n", 1);
	run_output_flush(line->to);
}

static void print_lines(struct line *line)
{
	size_t at = 0;
	char *end;

	while ((end = memchr(line->bytes + at, '\n', line->n - at)) != NULL) {
		size_t n = (size_t)(end - line->bytes) + 1 - at;

		print(line, line->bytes + at, n);
		at += n;
	}
	line->n -= at;
	memmove(line->bytes, line->bytes + at, line->n);
}

static void print_rest(struct line *line)
{
	if (line->n > 0)
		print(line, line->bytes, line->n);
	line->n = 0;
}

/* Room for more of a line, as long as it is no longer than it may be. */
static void make_room(struct line *line)
{
	char *bytes = NULL;

	if (line->n < line->room)
		return;
	if (line->room < LINE_MOST)
		bytes = realloc(line->bytes, 2 * line->room);
	if (bytes != NULL) {
		line->bytes = bytes;
		line->room *= 2;
	} else {
		print_rest(line);
	}
}

/* Where nobody takes it the pipe is closed, so that the rank hears of it. */
static void read_line(struct line *line)
{
	ssize_t n;

	if (run_output_waits(line->to))
		return; /* since another rank's line */
	make_room(line);
	n = read(line->fd, line->bytes + line->n, line->room - line->n);
	if (n > 0) {
		line->n += (size_t)n;
		print_lines(line);
		if (run_output_error(line->to) != 0)
			shut(&line->fd);
	} else if (n == 0 || errno != EINTR) {
		print_rest(line);
		shut(&line->fd);
	}
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
	if (fd <= STDERR_FILENO) {
		run_output_flush(fd);
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

void run_streams_end_input(struct run_job *job)
{
	shut(&job->streams->pump);
}

void run_streams_stop(struct run_job *job)
{
	struct run_streams *streams = job->streams;
	int i;

	for (i = 0; i < streams->n_lines; i++) {
		shut(&streams->lines[i].fd);
		free(streams->lines[i].bytes);
	}
	shut(&streams->null);
	free(streams->lines);
	free(streams);
}
