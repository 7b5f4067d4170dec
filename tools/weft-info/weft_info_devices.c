/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each backend is asked as a job asks it, and opened, in a job of this process
 * alone: once as if all ranks were on one node, once as if there were two
 * nodes. What it says at info level are its verdicts.
 */
#include "tools/weft-info/weft_info_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/job.h>

#include "base/config.h"
#include "base/text.h"
#include "boot/boot.h"
#include "boot/boot_inproc.h"
#include "job/job.h"
#include "transport/backends.h"

/*
 * The job that lends its memory, whatever the settings of transports say; a
 * limit of address space is no device's fault.
 */
static int open_job(struct weft_job **job_p)
{
	static const struct wf_tp_ops *const shm[] = { &wf_shm_tp, NULL };
	static char *const settings[] = {
		"WEFT_BOOT=solo", "WEFT_ARENA_MAX=64m", NULL
	};
	struct wf_job_env env = {
		.size = sizeof(env), .environ = settings, .tps = shm
	};

	return wf_job_join(&env, job_p);
}

/* "weft: info: ofi: provider tcp: used" from "provider" on. */
static const char *without_prefix(const char *line, const char *transport)
{
	const char *at = strstr(line, "info: ");
	size_t n = strlen(transport);

	at = at ? at + strlen("info: ") : line;
	return !strncmp(at, transport, n) && at[n] == ':' ? at + n + 2 : at;
}

static void keep_line(void *arg, const char *line, size_t n)
{
	struct winfo_answer *a = arg;
	char *copy = strndup(line, n && line[n - 1] == '\n' ? n - 1 : n);

	if (!copy || a->nverdicts == WINFO_LINES) {
		free(copy);
		return;
	}
	/* The reason of a failure to open is there only. */
	if (strstr(copy, "error: "))
		snprintf(a->why, sizeof(a->why), "%s",
			 strstr(copy, "error: ") + strlen("error: "));
	a->verdict[a->nverdicts++] = copy;
}

static void describe(struct winfo_transport *t, const struct wf_device *dev)
{
	static const struct {
		uint32_t cap;
		const char *name;
	} names[] = {
		{ WF_CAP_FENCE, "fence" },
		{ WF_CAP_LINE_PLAIN, "plain-lines" },
		{ WF_CAP_TARGET_IDLE, "idle-target" },
		{ WF_CAP_PUT_MAIL_ORDER, "ordered-mail" },
		{ WF_CAP_GET, "get" }, { WF_CAP_ATOMIC, "atomic" },
		{ WF_CAP_OWN_AGENT, "own-agent" }, { WF_CAP_ANYWHERE, "heap" }
	};

	t->line = dev->line_data;
	*t->caps = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (dev->caps & names[i].cap)
			wf_text_add(t->caps, sizeof(t->caps), "%s%s",
				    *t->caps ? "," : "", names[i].name);
}

static enum winfo_code ask(struct winfo_transport *t,
			   const struct wf_tp_ops *tp,
			   const struct wf_tp_env *env, char why[WINFO_WHY])
{
	struct wf_device *dev;
	int status = tp->query(env, why, WINFO_WHY);

	if (status)
		return status == WEFT_ERR_DEVICE ? WINFO_NO_PERMISSION :
						   WINFO_NO_DEVICE;
	status = tp->open(env, &dev);
	if (status) {
		/* It is there: mostly a limit of this user's. */
		if (!*why)
			snprintf(why, WINFO_WHY, "it cannot be opened: %s",
				 weft_status_text(status));
		return WINFO_NO_PERMISSION;
	}
	describe(t, dev);
	tp->close(dev);
	return WINFO_USABLE;
}

/* As one of so many nodes, with one rank each. */
static void ask_as_of(struct winfo_transport *t, const struct wf_tp_ops *tp,
		      struct wf_tp_env *env, enum winfo_job job)
{
	struct winfo_answer *a = &t->answer[job];
	struct weft_inproc *nodes = NULL;
	struct wf_log log = {
		.level = WF_LOG_INFO, .write = keep_line, .arg = a
	};
	struct wf_boot_options options = {
		.size = sizeof(options), .config = env->config, .log = &log
	};

	a->code = WINFO_FAILED;
	if (weft_inproc_create(job == WINFO_ONE_NODE ? 1 : 2, &nodes)) {
		snprintf(a->why, sizeof(a->why), "no memory to ask it");
		return;
	}
	wf_inproc_set_nodes(nodes, 1);
	options.inproc = nodes;
	if (!wf_boot_open(&options, &env->boot, a->why, sizeof(a->why))) {
		env->log = &log;
		a->code = ask(t, tp, env, a->why);
		wf_boot_close(env->boot);
	}
	weft_inproc_free(&nodes);
}

static enum winfo_code better(enum winfo_code a, enum winfo_code b)
{
	if (a == WINFO_USABLE || b == WINFO_USABLE)
		return WINFO_USABLE;
	return a == WINFO_NO_PERMISSION ? a : b;
}

static void look_at(struct winfo_devices *devices, struct weft_job *job,
		    const struct wf_tp_ops *tp, const struct wf_config *config)
{
	struct winfo_transport *t = &devices->transport[devices->n++];
	struct wf_config named = *config;
	struct wf_tp_env env;

	/* On one node a job leaves out what is not named. */
	snprintf(named.transport, sizeof(named.transport), "%s", tp->name);
	named.boot[0] = '\0';
	wf_job_tp_env(job, &env);
	env.config = &named;
	t->name = tp->name;
	for (int i = 0; i < WINFO_JOBS; i++) {
		struct winfo_answer *a = &t->answer[i];

		a->code = WINFO_NO_DEVICE;
		if (!wf_tp_is_allowed(config, tp->name))
			snprintf(a->why, sizeof(a->why), "not in "
				 "WEFT_TRANSPORT");
		else if (tp != &wf_shm_tp)
			ask_as_of(t, tp, &env, i);
		else
			a->code = WINFO_USABLE;
	}
	t->code = better(t->answer[0].code, t->answer[1].code);
	if (tp == &wf_shm_tp && t->code == WINFO_USABLE)
		describe(t, job->dev[0]);
}

enum winfo_code winfo_devices_ask(struct winfo_devices *devices,
				  const struct wf_tp_ops *const *tps,
				  const char *only)
{
	struct wf_config config;
	struct weft_job *job;
	char why[WF_ERROR_TEXT];

	memset(devices, 0, sizeof(*devices));
	if (wf_config_read(&config, environ, why, sizeof(why))) {
		fprintf(stderr, "weft-info: %s\n", why);
		return WINFO_BAD_OPTION;
	}
	if (open_job(&job))
		return WINFO_FAILED;	/* the library has said why */
	for (int i = 0; tps[i] && i < WINFO_TRANSPORTS; i++)
		if (!only || !strcmp(only, tps[i]->name))
			look_at(devices, job, tps[i], &config);
	wf_job_part(job);
	return winfo_devices_code(devices);
}

static void free_answer(struct winfo_answer *a)
{
	for (int k = 0; k < a->nverdicts; k++)
		free(a->verdict[k]);
}

void winfo_devices_free(struct winfo_devices *devices)
{
	for (int i = 0; i < devices->n; i++)
		for (int j = 0; j < WINFO_JOBS; j++)
			free_answer(&devices->transport[i].answer[j]);
}

enum winfo_code winfo_devices_code(const struct winfo_devices *devices)
{
	enum winfo_code code = WINFO_NO_DEVICE;

	for (int i = 0; i < devices->n; i++)
		code = better(devices->transport[i].code, code);
	return code;
}

static void print_unusable(const struct winfo_transport *t,
			   struct winfo_table *table)
{
	static const char *const in[] = {
		"in a job of one node: ", "in a job of several nodes: "
	};
	bool same = !strcmp(t->answer[0].why, t->answer[1].why);
	char why[WINFO_WHY + 40];

	for (int i = 0; i < WINFO_JOBS; i++) {
		const struct winfo_answer *a = &t->answer[i];
		const char *cell[] = { t->name, why };

		if (a->code == WINFO_USABLE || (same && i > 0))
			continue;
		snprintf(why, sizeof(why), "%s%s", same ? "" : in[i], a->why);
		winfo_row(table, cell);
	}
}

static bool is_limited(const struct winfo_transport *t)
{
	return t->answer[WINFO_ONE_NODE].code != WINFO_USABLE ||
	       t->answer[WINFO_SEVERAL_NODES].code != WINFO_USABLE;
}

void winfo_transports_print(const struct winfo_devices *devices,
			    struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "name", 6, WINFO_TEXT }, { "usable", 6, WINFO_YES_NO },
		{ "line", 4, WINFO_NUMBER }, { "can", 0, WINFO_LIST }
	};
	static const struct winfo_column reasons[] = {
		{ "name", 6, WINFO_TEXT }, { "because", 0, WINFO_TEXT }
	};
	int limited = 0;

	winfo_table(table, "transports", columns, 4);
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];
		char line[16] = "";
		const char *cell[] = {
			t->name, t->code ? "no" : "yes", line, t->caps
		};

		if (!t->code)
			snprintf(line, sizeof(line), "%u", t->line);
		limited += is_limited(t);
		winfo_row(table, cell);
	}
	if (!limited)
		return;
	winfo_table(table, "unusable", reasons, 2);
	for (int i = 0; i < devices->n; i++)
		if (is_limited(&devices->transport[i]))
			print_unusable(&devices->transport[i], table);
}

static void print_verdicts(const struct winfo_devices *devices,
			   enum winfo_job job, struct winfo_table *table)
{
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];
		const struct winfo_answer *a = &t->answer[job];

		for (int k = 0; k < a->nverdicts; k++) {
			const char *cell[] = {
				t->name,
				without_prefix(a->verdict[k], t->name)
			};

			winfo_row(table, cell);
		}
	}
}

void winfo_devices_print(const struct winfo_devices *devices,
			 struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "transport", 9, WINFO_TEXT }, { "verdict", 0, WINFO_TEXT }
	};

	winfo_table(table, "devices_for_one_node", columns, 2);
	print_verdicts(devices, WINFO_ONE_NODE, table);
	winfo_table(table, "devices_for_several_nodes", columns, 2);
	print_verdicts(devices, WINFO_SEVERAL_NODES, table);
}
