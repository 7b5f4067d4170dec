/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each backend is asked as a job asks it, and opened, in a job of this process
 * alone; what it says at info level are its verdicts.
 */
#include "tools/weft-info/weft_info_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/job.h>

#include "base/config.h"
#include "base/text.h"
#include "job/job.h"

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
	struct winfo_transport *t = arg;
	char *copy = strndup(line, n && line[n - 1] == '\n' ? n - 1 : n);

	if (!copy || t->nverdicts == WINFO_LINES) {
		free(copy);
		return;
	}
	/* The reason of a failure to open is there only. */
	if (strstr(copy, "error: "))
		snprintf(t->why, sizeof(t->why), "%s",
			 strstr(copy, "error: ") + strlen("error: "));
	t->verdict[t->nverdicts++] = copy;
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

	t->code = WINFO_USABLE;
	t->line = dev->line_data;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (dev->caps & names[i].cap)
			wf_text_add(t->caps, sizeof(t->caps), "%s%s",
				    *t->caps ? "," : "", names[i].name);
}

static void ask(struct winfo_transport *t, const struct wf_tp_ops *tp,
		const struct wf_tp_env *env)
{
	struct wf_device *dev;
	int status = tp->query(env, t->why, sizeof(t->why));

	t->code = status == WEFT_ERR_DEVICE ? WINFO_NO_PERMISSION :
					      WINFO_NO_DEVICE;
	if (status)
		return;
	status = tp->open(env, &dev);
	if (status) {
		/* It is there: mostly a limit of this user's. */
		t->code = WINFO_NO_PERMISSION;
		if (!*t->why)
			snprintf(t->why, sizeof(t->why), "it cannot be "
				 "opened: %s", weft_status_text(status));
		return;
	}
	describe(t, dev);
	tp->close(dev);
}

static void look_at(struct winfo_devices *devices, struct weft_job *job,
		    const struct wf_tp_ops *tp, const struct wf_config *config)
{
	struct winfo_transport *t = &devices->transport[devices->n++];
	struct wf_log log = {
		.level = WF_LOG_INFO, .write = keep_line, .arg = t
	};
	struct wf_config named = *config;
	struct wf_tp_env env;

	/* On one node a job leaves out what is not named. */
	snprintf(named.transport, sizeof(named.transport), "%s", tp->name);
	t->name = tp->name;
	t->code = WINFO_NO_DEVICE;
	if (!wf_tp_is_allowed(config, tp->name)) {
		snprintf(t->why, sizeof(t->why), "not in WEFT_TRANSPORT");
	} else if (tp == &wf_shm_tp) {
		describe(t, job->dev[0]);
	} else {
		wf_job_tp_env(job, &env);
		env.log = &log;
		env.config = &named;
		ask(t, tp, &env);
	}
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

void winfo_devices_free(struct winfo_devices *devices)
{
	for (int i = 0; i < devices->n; i++)
		for (int k = 0; k < devices->transport[i].nverdicts; k++)
			free(devices->transport[i].verdict[k]);
}

enum winfo_code winfo_devices_code(const struct winfo_devices *devices)
{
	enum winfo_code code = WINFO_NO_DEVICE;

	for (int i = 0; i < devices->n; i++) {
		if (devices->transport[i].code == WINFO_USABLE)
			return WINFO_USABLE;
		if (devices->transport[i].code == WINFO_NO_PERMISSION)
			code = WINFO_NO_PERMISSION;
	}
	return code;
}

void winfo_transports_print(const struct winfo_devices *devices,
			    struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "name", 6, false }, { "usable", 6, false },
		{ "line", 4, true }, { "can", 0, false }
	};
	static const struct winfo_column reasons[] = {
		{ "name", 6, false }, { "because", 0, false }
	};
	int missing = 0;

	winfo_table(table, "transports", columns, 4);
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];
		char line[16] = "";
		const char *cell[] = {
			t->name, t->code ? "no" : "yes", line, t->caps
		};

		if (!t->code)
			snprintf(line, sizeof(line), "%u", t->line);
		missing += t->code != WINFO_USABLE;
		winfo_row(table, cell);
	}
	if (!missing)
		return;
	winfo_table(table, "unusable", reasons, 2);
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];
		const char *cell[] = { t->name, t->why };

		if (t->code)
			winfo_row(table, cell);
	}
}

void winfo_devices_print(const struct winfo_devices *devices,
			 struct winfo_table *table)
{
	static const struct winfo_column columns[] = {
		{ "transport", 9, false }, { "verdict", 0, false }
	};

	winfo_table(table, "devices", columns, 2);
	for (int i = 0; i < devices->n; i++) {
		const struct winfo_transport *t = &devices->transport[i];

		for (int k = 0; k < t->nverdicts; k++) {
			const char *cell[] = {
				t->name,
				without_prefix(t->verdict[k], t->name)
			};

			winfo_row(table, cell);
		}
	}
}
