/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which way a process joins its job, decided from WEFT_BOOT, the options and
 * the environment alone; nothing is called here but whether PMI_FD is a socket.
 * Called by wf_boot_open().
 *
 * The rule that matters: an environment that shows a launcher of several
 * processes but no server that weft can talk to is refused with the remedy.
 * Running on as N jobs of one rank would give N right-looking wrong results.
 *
 * Launchers start launchers, and the variables of the outer one stay behind.
 * Where a PMIx server and a PMI descriptor are both named, the descriptor
 * decides: one that is open here was passed on by the parent of this process,
 * so that launcher is the nearer one; PMIx launchers (weftrun, srun, mpirun)
 * remove the variables or do not pass on the descriptor.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "boot/boot_impl.h"
#include "boot/pmi_conn.h"

#define SOLO_ADVICE "; WEFT_BOOT=solo runs each process as a job of one rank"

struct traces {
	const char *pmix_namespace;
	const char *pmix_rank;
	const char *pmix_server;
	long slurm_tasks;
	long pmi_size;
	const char *pmi_fd;
	const char *pmi_port;
	long ompi_size;
};

/* The value behind "NAME=" if this entry of the environment is NAME's. */
static const char *value_of(const char *entry, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(entry, name, n) != 0 || entry[n] != '=')
		return NULL;
	return entry + n + 1;
}

static void read_text(const char *entry, const char *name, const char **text_p)
{
	const char *value = value_of(entry, name);

	if (value != NULL && value[0] != '\0')
		*text_p = value;
}

static void read_count(const char *entry, const char *name, long *count_p)
{
	const char *value = value_of(entry, name);

	if (value != NULL)
		*count_p = strtol(value, NULL, 10);
}

static void look(char *const *env, struct traces *traces)
{
	static const char server[] = "PMIX_SERVER_URI";

	memset(traces, 0, sizeof(*traces));
	for (; *env != NULL; env++) {
		read_text(*env, "PMIX_NAMESPACE", &traces->pmix_namespace);
		read_text(*env, "PMIX_RANK", &traces->pmix_rank);
		read_text(*env, "PMI_FD", &traces->pmi_fd);
		read_text(*env, "PMI_PORT", &traces->pmi_port);
		read_count(*env, "SLURM_STEP_NUM_TASKS", &traces->slurm_tasks);
		read_count(*env, "PMI_SIZE", &traces->pmi_size);
		read_count(*env, "OMPI_COMM_WORLD_SIZE", &traces->ompi_size);
		/* PMIX_SERVER_URI2, URI21, URI41: one per wire version */
		if (strncmp(*env, server, sizeof(server) - 1) == 0)
			traces->pmix_server = *env;
	}
}

static bool is_pmix(const struct traces *traces)
{
	return traces->pmix_namespace != NULL && traces->pmix_rank != NULL &&
	       traces->pmix_server != NULL;
}

static bool is_pmi(const struct traces *traces)
{
	return traces->pmi_fd != NULL && wf_pmi_descriptor(traces->pmi_fd) >= 0;
}

/* PMI without a descriptor that works. */
static void refuse_pmi(const struct traces *traces, char *why, size_t why_len)
{
	static const char remedy[] = "start with `srun --mpi=pmi2`, "
		"`mpiexec.hydra -n N` or `weftrun -n N`" SOLO_ADVICE;

	if (traces->pmi_fd != NULL)
		snprintf(why, why_len, "PMI_FD is %s, which is no open socket "
			 "of this process: the launcher's connection was not "
			 "passed on to it, or is another process's; %s",
			 traces->pmi_fd, remedy);
	else if (traces->pmi_port != NULL)
		snprintf(why, why_len, "this launcher speaks PMI on a port "
			 "(PMI_PORT), which weft does not: leave out "
			 "-pmi-port, or %s", remedy);
	else
		snprintf(why, why_len, "the environment is a PMI launcher's "
			 "(PMI_SIZE is %ld) but names no descriptor (PMI_FD): "
			 "%s", traces->pmi_size, remedy);
}

static int refuse(const struct traces *traces, char *why, size_t why_len)
{
	if (traces->slurm_tasks > 1)
		snprintf(why, why_len, "this is a Slurm step of %ld tasks "
			 "without a server for them: start it with `srun "
			 "--mpi=pmix` or `srun --mpi=pmi2`, which this build "
			 "speaks (`srun --mpi=list` shows what this Slurm "
			 "has)" SOLO_ADVICE, traces->slurm_tasks);
	else if (traces->pmix_namespace != NULL || traces->pmix_rank != NULL)
		snprintf(why, why_len, "the environment is a PMIx launcher's "
			 "(PMIX_NAMESPACE, PMIX_RANK) but names no server "
			 "(PMIX_SERVER_URI*): start with `weftrun -n N` or "
			 "`srun --mpi=pmix`" SOLO_ADVICE);
	else if (traces->ompi_size > 1)
		snprintf(why, why_len, "this is an Open MPI launch of %ld "
			 "processes without a PMIx server: start with `weftrun "
			 "-n N` or `srun --mpi=pmix`" SOLO_ADVICE,
			 traces->ompi_size);
	else
		refuse_pmi(traces, why, why_len);
	return WEFT_ERR_BOOT;
}

static int from_environment(const struct traces *traces,
			    enum wf_boot_way *way_p, char *why, size_t why_len)
{
	if (is_pmi(traces)) {
		*way_p = WF_BOOT_PMI;
		return WEFT_OK;
	}
	if (is_pmix(traces)) {
		*way_p = WF_BOOT_PMIX;
		return WEFT_OK;
	}
	if (traces->pmix_namespace != NULL || traces->pmix_rank != NULL ||
	    traces->slurm_tasks > 1 || traces->ompi_size > 1 ||
	    traces->pmi_size > 1 || traces->pmi_fd != NULL ||
	    traces->pmi_port != NULL)
		return refuse(traces, why, why_len);
	*way_p = WF_BOOT_SOLO;
	return WEFT_OK;
}

static int by_word(const struct wf_boot_options *options,
		   const struct traces *traces, enum wf_boot_way *way_p,
		   char *why, size_t why_len)
{
	const char *word = options->config->boot;

	if (strcmp(word, "solo") == 0) {
		*way_p = WF_BOOT_SOLO;
		return WEFT_OK;
	}
	if (strcmp(word, "inproc") == 0) {
		*way_p = WF_BOOT_INPROC;
		if (options->inproc != NULL)
			return WEFT_OK;
		snprintf(why, why_len, "WEFT_BOOT=inproc, but the program did "
			 "not pass the ranks of its process "
			 "(weft_job_options.inproc)");
		return WEFT_ERR_BOOT;
	}
	if (strcmp(word, "pmix") == 0) {
		*way_p = WF_BOOT_PMIX;
		if (traces->pmix_namespace != NULL)
			return WEFT_OK;
		snprintf(why, why_len, "WEFT_BOOT=pmix, but no PMIx launcher "
			 "started this process (no PMIX_NAMESPACE): start it "
			 "with `weftrun -n N` or `srun --mpi=pmix`");
		return WEFT_ERR_BOOT;
	}
	if (strcmp(word, "pmi") == 0) {
		*way_p = WF_BOOT_PMI;
		if (is_pmi(traces))
			return WEFT_OK;
		snprintf(why, why_len, "WEFT_BOOT=pmi, but no PMI launcher "
			 "started this process (PMI_FD is %s): start it with "
			 "`srun --mpi=pmi2` or `mpiexec.hydra -n N`",
			 traces->pmi_fd != NULL ? "no open socket" : "not set");
		return WEFT_ERR_BOOT;
	}
	snprintf(why, why_len, "WEFT_BOOT is \"%s\"; it may be pmix, pmi, "
		 "inproc or solo", word);
	return WEFT_ERR_BOOT;
}

int wf_boot_choose(const struct wf_boot_options *options,
		   enum wf_boot_way *way_p, char *why, size_t why_len)
{
	char *const *env = options->environ;
	struct traces traces;

	look(env != NULL ? env : environ, &traces);
	if (options->config->boot[0] != '\0')
		return by_word(options, &traces, way_p, why, why_len);
	if (options->inproc != NULL) {
		*way_p = WF_BOOT_INPROC;
		return WEFT_OK;
	}
	return from_environment(&traces, way_p, why, why_len);
}
