/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PMI-1 launcher for tests; see pmi_server.h.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/pmi_line.h"
#include "tests/unit/pmi_server.h"

#define ENTRIES 64

struct entry {
	char key[128];
	char value[1100];
};

struct server {
	const struct pmi_script *script;
	int n;
	int fds[PMI_RANKS_MAX]; /* -1: closed */
	bool deaf[PMI_RANKS_MAX];
	pid_t pids[PMI_RANKS_MAX];
	int entered;            /* ranks in the barrier */
	int entries;
	struct entry store[ENTRIES];
	size_t longest;
};

static void answer(struct server *server, int rank, const char *text)
{
	char line[WF_PMI_LINE_MAX];
	int n = snprintf(line, sizeof(line), "%s\n", text);

	if (send(server->fds[rank], line, (size_t)n, MSG_NOSIGNAL) != n)
		perror("pmi_server");
}

static const char *look_up(const struct server *server, const char *key)
{
	const char *missing = server->script->missing;
	size_t n = strlen(key);
	int i;

	if (strcmp(key, "PMI_process_mapping") == 0)
		return server->script->map;
	if (missing != NULL && n >= strlen(missing) &&
	    strcmp(key + n - strlen(missing), missing) == 0)
		return NULL;
	for (i = 0; i < server->entries; i++)
		if (strcmp(server->store[i].key, key) == 0)
			return server->store[i].value;
	return NULL;
}

static void put(struct server *server, int rank, const char *line)
{
	struct entry *entry = &server->store[server->entries];
	size_t cut = server->script->cut;

	/* As Hydra, which refuses a second value for a key. */
	if (server->entries == ENTRIES ||
	    !wf_pmi_field(line, "key", entry->key, sizeof(entry->key)) ||
	    !wf_pmi_field(line, "value", entry->value, sizeof(entry->value)) ||
	    look_up(server, entry->key) != NULL) {
		answer(server, rank, "cmd=put_result rc=-1 msg=no");
		return;
	}
	if (cut > 0 && strlen(entry->value) > cut)
		entry->value[cut] = '\0';
	server->entries++;
	answer(server, rank, "cmd=put_result rc=0 msg=success");
}

static void get(struct server *server, int rank, const char *line)
{
	char key[128] = "";
	char text[1300];
	const char *value = NULL;

	if (wf_pmi_field(line, "key", key, sizeof(key)))
		value = look_up(server, key);
	if (value == NULL)
		snprintf(text, sizeof(text), "cmd=get_result rc=-1 "
			 "msg=key_%s_not_found value=unknown", key);
	else
		snprintf(text, sizeof(text), "cmd=get_result rc=0 msg=success "
			 "value=%s", value);
	answer(server, rank, text);
}

static void barrier(struct server *server)
{
	int r;

	if (++server->entered < server->n)
		return;
	server->entered = 0;
	for (r = 0; r < server->n; r++)
		if (server->fds[r] >= 0)
			answer(server, r, "cmd=barrier_out rc=0");
}

static void hang_up(struct server *server, int rank)
{
	close(server->fds[rank]);
	server->fds[rank] = -1;
}

/* The fault of the script, if the line is the request it is about. */
static bool misbehave(struct server *server, int rank, const char *line)
{
	const struct pmi_script *script = server->script;

	if (script->fault == PMI_ANSWER || !wf_pmi_is(line, script->at))
		return false;
	if (script->fault == PMI_CLOSE)
		hang_up(server, rank);
	if (script->fault == PMI_DEAF)
		server->deaf[rank] = true;
	if (script->fault == PMI_TEXT)
		answer(server, rank, script->text);
	return true;
}

static void serve_line(struct server *server, int rank, const char *line)
{
	if (misbehave(server, rank, line))
		return;
	if (wf_pmi_is(line, "init"))
		answer(server, rank, "cmd=response_to_init pmi_version=1 "
		       "pmi_subversion=1 rc=0");
	else if (wf_pmi_is(line, "get_my_kvsname"))
		answer(server, rank, "cmd=my_kvsname kvsname=kvs_7_0");
	else if (wf_pmi_is(line, "put"))
		put(server, rank, line);
	else if (wf_pmi_is(line, "get"))
		get(server, rank, line);
	else if (wf_pmi_is(line, "barrier_in"))
		barrier(server);
	else if (wf_pmi_is(line, "finalize"))
		answer(server, rank, "cmd=finalize_ack");
}

/* A rank waits for each answer, so what has come is one line. */
static void serve_rank(struct server *server, int rank)
{
	char line[WF_PMI_LINE_MAX];
	ssize_t n = recv(server->fds[rank], line, sizeof(line) - 1, 0);

	if (n <= 0) {
		hang_up(server, rank);
		return;
	}
	if ((size_t)n > server->longest)
		server->longest = (size_t)n;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	serve_line(server, rank, line);
}

static void serve(struct server *server)
{
	struct pollfd fds[PMI_RANKS_MAX];
	bool more = true;
	int r;

	while (more) {
		for (r = 0; r < server->n; r++)
			fds[r] = (struct pollfd){ .fd = server->fds[r],
						  .events = server->deaf[r] ?
							    0 : POLLIN };
		poll(fds, (nfds_t)server->n, -1);
		more = false;
		for (r = 0; r < server->n; r++) {
			if (fds[r].revents != 0 && server->deaf[r])
				hang_up(server, r);
			else if (fds[r].revents != 0)
				serve_rank(server, r);
			more |= server->fds[r] >= 0;
		}
	}
}

static void start(struct server *server, int rank,
		  int (*rank_main)(const struct pmi_rank *rank))
{
	struct pmi_rank words = { .fd = "" };
	int ends[2];
	int r;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		abort();
	fflush(NULL);
	server->fds[rank] = ends[0];
	server->pids[rank] = fork();
	if (server->pids[rank] != 0) {
		close(ends[1]);
		return;
	}
	for (r = 0; r <= rank; r++)
		close(server->fds[r]);
	snprintf(words.fd, sizeof(words.fd), "PMI_FD=%d", ends[1]);
	snprintf(words.rank, sizeof(words.rank), "PMI_RANK=%d", rank);
	snprintf(words.size, sizeof(words.size), "PMI_SIZE=%d", server->n);
	words.environment[0] = words.fd;
	words.environment[1] = words.rank;
	words.environment[2] = words.size;
	r = rank_main(&words);
	fflush(NULL);
	_exit(r);
}

size_t pmi_serve(const struct pmi_script *script, int n,
		 int (*rank_main)(const struct pmi_rank *rank),
		 int codes[PMI_RANKS_MAX])
{
	static struct server server;
	int r;

	memset(&server, 0, sizeof(server));
	server.script = script;
	server.n = n;
	for (r = 0; r < n; r++)
		start(&server, r, rank_main);
	serve(&server);
	for (r = 0; r < n; r++) {
		int status = 0;

		waitpid(server.pids[r], &status, 0);
		codes[r] = WIFEXITED(status) ? WEXITSTATUS(status) :
					       128 + WTERMSIG(status);
	}
	return server.longest;
}
