/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMIx server that the ranks join through: one node, one job.
 *
 * It creates no file: the data store is kept in memory ("hash") and the
 * directory that the library asks for is never written to. The upcalls run in
 * the library's thread and leave only a flag and a ring of wake_fd.
 *
 * It is never shut down: there is nothing to clean up, and the library's
 * thread of 4.2.2 locks itself up when a connection breaks off in its
 * handshake, so that weftrun would not end after such a death.
 */
#include <errno.h>
#include <pmix.h>
#include <pmix_server.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/pmix_home.h"
#include "tools/weftrun/weftrun.h"

#define PROC_FACTS 6
#define JOB_FACTS 12

struct run_server {
	pmix_nspace_t space;
	struct run_job *job;
	pthread_mutex_t lock;
	bool aborted; /* under lock, with `abort` */
	struct run_abort abort;
};

/* Waits for a completion callback of the library. */
struct reply {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
	pmix_status_t rc;
};

/*
 * The module's calls get a rank's own object, but a fence or an abort has
 * none: one server per process, and the upcalls have no other argument.
 */
static struct run_server *the_server;

static void replied(pmix_status_t rc, void *arg)
{
	struct reply *reply = arg;

	pthread_mutex_lock(&reply->lock);
	reply->rc = rc;
	reply->done = true;
	pthread_cond_signal(&reply->changed);
	pthread_mutex_unlock(&reply->lock);
}

static pmix_status_t await(struct reply *reply, pmix_status_t rc)
{
	if (rc == PMIX_OPERATION_SUCCEEDED)
		return PMIX_SUCCESS;
	if (rc != PMIX_SUCCESS)
		return rc;
	pthread_mutex_lock(&reply->lock);
	while (!reply->done)
		pthread_cond_wait(&reply->changed, &reply->lock);
	pthread_mutex_unlock(&reply->lock);
	return reply->rc;
}

static void reply_init(struct reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	pthread_mutex_init(&reply->lock, NULL);
	pthread_cond_init(&reply->changed, NULL);
}

static void ring(const struct run_server *server)
{
	const uint64_t one = 1;

	/* Full means that it has been rung already. */
	if (write(server->job->wake_fd, &one, sizeof(one)) < 0)
		return;
}

static void set_link(void *object, enum run_link link)
{
	struct run_rank *rank = object;

	if (rank == NULL)
		return;
	atomic_store(&rank->link, (int)link);
	ring(the_server);
}

static pmix_status_t on_connected(const pmix_proc_t *proc, void *object,
				  pmix_info_t info[], size_t ninfo,
				  pmix_op_cbfunc_t done, void *arg)
{
	(void)proc;
	(void)info;
	(void)ninfo;
	set_link(object, RUN_LINK_OPEN);
	if (done != NULL)
		done(PMIX_SUCCESS, arg);
	return PMIX_SUCCESS;
}

static pmix_status_t on_finalized(const pmix_proc_t *proc, void *object,
				  pmix_op_cbfunc_t done, void *arg)
{
	(void)proc;
	set_link(object, RUN_LINK_CLOSED);
	if (done != NULL)
		done(PMIX_SUCCESS, arg);
	return PMIX_SUCCESS;
}

static pmix_status_t on_abort(const pmix_proc_t *proc, void *object, int status,
			      const char text[], pmix_proc_t procs[],
			      size_t nprocs, pmix_op_cbfunc_t done, void *arg)
{
	struct run_server *server = the_server;

	(void)object;
	(void)procs;
	(void)nprocs;
	pthread_mutex_lock(&server->lock);
	if (!server->aborted) {
		server->aborted = true;
		server->abort.rank = (int)proc->rank;
		server->abort.code = status;
		snprintf(server->abort.why, sizeof(server->abort.why), "%s",
			 text != NULL ? text : "");
	}
	pthread_mutex_unlock(&server->lock);
	ring(server);
	if (done != NULL)
		done(PMIX_SUCCESS, arg);
	return PMIX_SUCCESS;
}

/* All participants are on this node: what they gave is what they get. */
static pmix_status_t on_fence(const pmix_proc_t procs[], size_t nprocs,
			      const pmix_info_t info[], size_t ninfo,
			      char *data, size_t ndata,
			      pmix_modex_cbfunc_t done, void *arg)
{
	(void)procs;
	(void)nprocs;
	(void)info;
	(void)ninfo;
	if (done != NULL)
		done(PMIX_SUCCESS, data, ndata, arg, NULL, NULL);
	return PMIX_SUCCESS;
}

/* There is no other node to ask. */
static pmix_status_t on_modex(const pmix_proc_t *proc,
			      const pmix_info_t info[], size_t ninfo,
			      pmix_modex_cbfunc_t done, void *arg)
{
	(void)proc;
	(void)info;
	(void)ninfo;
	(void)done;
	(void)arg;
	return PMIX_ERR_NOT_FOUND;
}

/* A client's connection ended; that of one that has finalized is no event. */
static void on_lost(size_t id, pmix_status_t status, const pmix_proc_t *source,
		    pmix_info_t info[], size_t ninfo, pmix_info_t results[],
		    size_t nresults, pmix_event_notification_cbfunc_fn_t done,
		    void *arg)
{
	const struct run_job *job = the_server->job;

	(void)id;
	(void)status;
	(void)info;
	(void)ninfo;
	(void)results;
	(void)nresults;
	if (source->rank < (pmix_rank_t)job->options.n)
		set_link(&job->ranks[source->rank], RUN_LINK_LOST);
	if (done != NULL)
		done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

static pmix_server_module_t module = {
	.client_connected2 = on_connected,
	.client_finalized = on_finalized,
	.abort = on_abort,
	.fence_nb = on_fence,
	.direct_modex = on_modex,
};

static int refuse(const char *what, pmix_status_t rc)
{
	run_say("%s: %s", what, PMIx_Error_string(rc));
	return -1;
}

/*
 * A launcher around this one (srun, another weftrun) has told the library who
 * we are there; neither our server nor our ranks are that. PMIX_MCA_* is how
 * a user tunes the library and stays.
 */
static void clean_environment(void)
{
	char name[256];
	char **entry = environ;

	while (*entry != NULL) {
		size_t n = strcspn(*entry, "=");

		if (n < sizeof(name) &&
		    (strncmp(*entry, "PMI_", 4) == 0 ||
		     (strncmp(*entry, "PMIX_", 5) == 0 &&
		      strncmp(*entry, "PMIX_MCA_", 9) != 0))) {
			memcpy(name, *entry, n);
			name[n] = '\0';
			unsetenv(name);
		} else {
			entry++;
		}
	}
	setenv("PMIX_MCA_gds", "hash", 1);
	/* Tell of a lost connection at once, not within a second. */
	setenv("PMIX_MCA_pmix_event_caching_window", "0", 0);
}

/*
 * The library looks at the machine through hwloc.  Its plugins for graphics
 * and accelerators, where they are installed, ask for X displays by the name
 * of this host, which may take seconds; the one for PCI reads the names of all
 * devices in the world.  No rank hears of the answers.
 */
static pmix_status_t init_without_devices(pmix_info_t *info, size_t n)
{
	static const char name[] = "HWLOC_COMPONENTS";
	bool given = getenv(name) != NULL;
	pmix_status_t rc;

	if (!given)
		setenv(name, "-pci,-gl,-opencl,-cuda,-nvml,-rsmi,-levelzero",
		       1);
	rc = PMIx_server_init(&module, info, n);
	if (!given)
		unsetenv(name);
	return rc;
}

static int init_library(void)
{
	const char *directory = getenv("TMPDIR");
	pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
	pmix_info_t info[2];
	pmix_status_t rc;

	if (directory == NULL || access(directory, X_OK) != 0)
		directory = "/tmp";
	memset(info, 0, sizeof(info));
	PMIX_INFO_LOAD(&info[0], PMIX_SERVER_TMPDIR, directory, PMIX_STRING);
	PMIX_INFO_LOAD(&info[1], PMIX_SYSTEM_TMPDIR, directory, PMIX_STRING);
	rc = init_without_devices(info, 2);
	PMIX_INFO_DESTRUCT(&info[0]);
	PMIX_INFO_DESTRUCT(&info[1]);
	if (rc != PMIX_SUCCESS)
		return refuse("PMIx_server_init", rc);
	rc = PMIx_Register_event_handler(&lost, 1, NULL, 0, on_lost, NULL,
					 NULL);
	/* Without callbacks it waits, and returns the handler's number. */
	return rc >= 0 ? 0 : refuse("PMIx_Register_event_handler", rc);
}

static int load_proc(pmix_info_t *fact, const struct run_rank *of,
		     const char *host)
{
	pmix_data_array_t *facts;
	pmix_info_t *at;
	pmix_rank_t rank = (pmix_rank_t)of->rank;
	uint16_t local = (uint16_t)of->rank;
	uint32_t program = (uint32_t)of->program;
	uint32_t zero = 0;

	PMIX_DATA_ARRAY_CREATE(facts, PROC_FACTS, PMIX_INFO);
	if (facts == NULL || facts->array == NULL) {
		free(facts);
		return refuse("facts of a rank", PMIX_ERR_NOMEM);
	}
	at = facts->array;
	PMIX_INFO_LOAD(&at[0], PMIX_RANK, &rank, PMIX_PROC_RANK);
	PMIX_INFO_LOAD(&at[1], PMIX_LOCAL_RANK, &local, PMIX_UINT16);
	PMIX_INFO_LOAD(&at[2], PMIX_NODE_RANK, &local, PMIX_UINT16);
	PMIX_INFO_LOAD(&at[3], PMIX_NODEID, &zero, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[4], PMIX_HOSTNAME, host, PMIX_STRING);
	PMIX_INFO_LOAD(&at[5], PMIX_APPNUM, &program, PMIX_UINT32);
	/* copies it */
	PMIX_INFO_LOAD(fact, PMIX_PROC_DATA, facts, PMIX_DATA_ARRAY);
	PMIX_DATA_ARRAY_FREE(facts);
	return 0;
}

struct node_map {
	char host[256];
	char nodes[256 + 8];
	char *peers; /* "0,1,2" */
	char *procs; /* what the library makes of peers */
};

/*
 * PMIx_generate_regex() of 4.2 has 50 bytes for the letters that a host's name
 * begins with, and crashes above. What it makes of one name is the name behind
 * a word that says how to read it.
 */
static int make_map(struct node_map *map, int n)
{
	size_t used = 0;
	pmix_status_t rc;
	int r;

	memset(map, 0, sizeof(*map));
	if (gethostname(map->host, sizeof(map->host) - 1) != 0)
		snprintf(map->host, sizeof(map->host), "localhost");
	snprintf(map->nodes, sizeof(map->nodes), "raw:%s", map->host);
	map->peers = malloc((size_t)n * 8);
	if (map->peers == NULL)
		return refuse("node map", PMIX_ERR_NOMEM);
	for (r = 0; r < n; r++)
		used += (size_t)sprintf(map->peers + used, "%s%d",
					r > 0 ? "," : "", r);
	rc = PMIx_generate_ppn(map->peers, &map->procs);
	return rc == PMIX_SUCCESS ? 0 : refuse("node map", rc);
}

static void free_map(struct node_map *map)
{
	free(map->peers);
	free(map->procs);
}

static void load_job(pmix_info_t *at, const struct run_server *server,
		     const struct node_map *map)
{
	uint32_t n = (uint32_t)server->job->options.n;
	uint32_t programs = (uint32_t)server->job->options.n_programs;
	uint32_t one = 1;
	pmix_rank_t leader = 0;

	PMIX_INFO_LOAD(&at[0], PMIX_JOBID, server->space, PMIX_STRING);
	PMIX_INFO_LOAD(&at[1], PMIX_UNIV_SIZE, &n, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[2], PMIX_JOB_SIZE, &n, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[3], PMIX_MAX_PROCS, &n, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[4], PMIX_LOCAL_SIZE, &n, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[5], PMIX_NODE_SIZE, &n, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[6], PMIX_NUM_NODES, &one, PMIX_UINT32);
	PMIX_INFO_LOAD(&at[7], PMIX_LOCALLDR, &leader, PMIX_PROC_RANK);
	PMIX_INFO_LOAD(&at[8], PMIX_LOCAL_PEERS, map->peers, PMIX_STRING);
	PMIX_INFO_LOAD(&at[9], PMIX_NODE_MAP, map->nodes, PMIX_REGEX);
	PMIX_INFO_LOAD(&at[10], PMIX_PROC_MAP, map->procs, PMIX_REGEX);
	PMIX_INFO_LOAD(&at[11], PMIX_JOB_NUM_APPS, &programs, PMIX_UINT32);
}

static int load_facts(pmix_info_t *info, const struct run_server *server,
		      const struct node_map *map)
{
	int status = 0;

	load_job(info, server, map);
	for (int r = 0; r < server->job->options.n && status == 0; r++)
		status = load_proc(&info[JOB_FACTS + r],
				   &server->job->ranks[r], map->host);
	return status;
}

/* Hands all facts about the job to the library. */
static int give_facts(struct run_server *server, const struct node_map *map)
{
	int n = server->job->options.n;
	size_t facts = JOB_FACTS + (size_t)n;
	pmix_status_t rc = PMIX_SUCCESS;
	struct reply reply;
	pmix_info_t *info;
	int status;

	PMIX_INFO_CREATE(info, facts);
	if (info == NULL)
		return refuse("facts of the job", PMIX_ERR_NOMEM);
	status = load_facts(info, server, map);
	if (status == 0) {
		reply_init(&reply);
		rc = await(&reply, PMIx_server_register_nspace(server->space,
				n, info, facts, replied, &reply));
	}
	PMIX_INFO_FREE(info, facts);
	if (rc != PMIX_SUCCESS)
		return refuse("PMIx_server_register_nspace", rc);
	return status;
}

static int register_job(struct run_server *server)
{
	struct node_map map;
	int status = make_map(&map, server->job->options.n);

	if (status == 0)
		status = give_facts(server, &map);
	free_map(&map);
	return status;
}

static int register_rank(struct run_server *server, int r)
{
	struct reply reply;
	pmix_proc_t proc;
	pmix_status_t rc;

	PMIX_LOAD_PROCID(&proc, server->space, (pmix_rank_t)r);
	reply_init(&reply);
	rc = PMIx_server_register_client(&proc, getuid(), getgid(),
					 &server->job->ranks[r], replied,
					 &reply);
	rc = await(&reply, rc);
	return rc == PMIX_SUCCESS ? 0 : refuse("PMIx_server_register_client",
					       rc);
}

int run_server_start(struct run_job *job)
{
	struct run_server *server = calloc(1, sizeof(*server));
	int status;
	int r;

	if (server == NULL)
		return refuse("server", PMIX_ERR_NOMEM);
	server->job = job;
	pthread_mutex_init(&server->lock, NULL);
	snprintf(server->space, sizeof(server->space), "weftrun-%d",
		 (int)getpid());
	job->server = server;
	the_server = server;
	clean_environment();
	wf_pmix_need_home();
	status = init_library();
	if (status == 0)
		status = register_job(server);
	for (r = 0; r < job->options.n && status == 0; r++)
		status = register_rank(server, r);
	return status;
}

char **run_server_environment(struct run_job *job, int rank)
{
	char **environment = NULL;
	pmix_status_t rc = PMIX_SUCCESS;
	pmix_proc_t proc;
	char **entry;

	for (entry = environ; *entry != NULL && rc == PMIX_SUCCESS; entry++)
		PMIX_ARGV_APPEND(rc, environment, *entry);
	PMIX_LOAD_PROCID(&proc, job->server->space, (pmix_rank_t)rank);
	if (rc == PMIX_SUCCESS)
		rc = PMIx_server_setup_fork(&proc, &environment);
	if (rc == PMIX_SUCCESS)
		return environment;
	refuse("environment of a rank", rc);
	run_server_free_environment(environment);
	return NULL;
}

void run_server_free_environment(char **environment)
{
	char **entry;

	for (entry = environment; entry != NULL && *entry != NULL; entry++)
		free(*entry);
	free(environment);
}

bool run_server_aborted(struct run_job *job, struct run_abort *abort_p)
{
	struct run_server *server = job->server;
	bool aborted;

	pthread_mutex_lock(&server->lock);
	aborted = server->aborted;
	server->aborted = false;
	*abort_p = server->abort;
	pthread_mutex_unlock(&server->lock);
	return aborted;
}
