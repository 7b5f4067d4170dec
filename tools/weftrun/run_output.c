/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Standard output and standard error of weftrun, which are the process's: one
 * queue for each. A write never waits for a reader, since the loop has signals
 * and deaths to see to; what does not go at once waits here, and the ranks
 * wait for it (run_streams.c). A write that fails is said once, and is the end
 * of that stream.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

#define END_MS 1000

struct output {
	int error;   /* of the write that failed; 0: none has */
	char *bytes; /* those from `at` to `end` are still to be written */
	size_t at;
	size_t end;
	size_t room;
};

static struct output outputs[STDERR_FILENO + 1];

static void fail(int to, int error)
{
	struct output *output = &outputs[to];

	output->error = error;
	output->at = output->end = 0;
	if (error != EPIPE)
		run_say("%s: %s; what the ranks write there is lost",
			to == STDOUT_FILENO ? "standard output" :
					      "standard error",
			strerror(error));
}

/* A pipe that is ready has room for PIPE_BUF bytes, other files for more. */
void run_output_flush(int to)
{
	struct output *output = &outputs[to];
	struct pollfd ready = { .fd = to, .events = POLLOUT };

	while (output->at < output->end && poll(&ready, 1, 0) > 0) {
		size_t n = output->end - output->at;
		ssize_t done = write(to, output->bytes + output->at,
				     n < PIPE_BUF ? n : PIPE_BUF);

		if (done >= 0)
			output->at += (size_t)done;
		else if (errno == EAGAIN)
			break; /* another one who shares it was first */
		else if (errno != EINTR)
			fail(to, errno);
	}
	if (output->at == output->end)
		output->at = output->end = 0;
}

static bool make_room(struct output *output, size_t n)
{
	size_t room = output->room > 0 ? output->room : PIPE_BUF;
	char *bytes;

	if (n <= output->room - output->end)
		return true;
	while (n > room - output->end)
		room *= 2;
	bytes = realloc(output->bytes, room);
	if (bytes == NULL)
		return false;
	output->bytes = bytes;
	output->room = room;
	return true;
}

void run_output_add(int to, const char *bytes, size_t n)
{
	struct output *output = &outputs[to];

	if (output->error != 0)
		return;
	if (!make_room(output, n)) {
		fail(to, ENOMEM);
		return;
	}
	memcpy(output->bytes + output->end, bytes, n);
	output->end += n;
}

bool run_output_waits(int to)
{
	return outputs[to].end > 0;
}

int run_output_error(int to)
{
	return outputs[to].error;
}

bool run_output_is_lost(void)
{
	int to;

	for (to = STDOUT_FILENO; to <= STDERR_FILENO; to++)
		if (outputs[to].error != 0 && outputs[to].error != EPIPE)
			return true;
	return false;
}

void run_output_end(void)
{
	int to;

	for (to = STDOUT_FILENO; to <= STDERR_FILENO; to++) {
		struct pollfd ready = { .fd = to, .events = POLLOUT };

		while (run_output_waits(to) && poll(&ready, 1, END_MS) > 0)
			run_output_flush(to);
	}
}

void run_say(const char *format, ...)
{
	char text[1024] = "weftrun: ";
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - used - 1, format, args);
	va_end(args);
	used = strlen(text);
	text[used++] = '\n';
	run_output_add(STDERR_FILENO, text, used);
	run_output_flush(STDERR_FILENO);
}
