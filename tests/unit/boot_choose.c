/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which way a process joins its job, by the environment it finds.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "base/config.h"
#include "boot/boot_impl.h"
#include "tests/tap.h"

#define PMIX "PMIX_NAMESPACE=job", "PMIX_RANK=0"
#define SERVER "PMIX_SERVER_URI41=s;tcp4://127.0.0.1:1"

struct example {
	const char *boot; /* WEFT_BOOT */
	bool inproc;
	const char *env[6];
	int want;          /* enum wf_boot_way, or -1: refused */
	const char *words; /* in the refusal */
};

static const struct example examples[] = {
	{ "", false, { NULL }, WF_BOOT_SOLO, NULL },
	{ "", false, { PMIX, SERVER }, WF_BOOT_PMIX, NULL },
	{ "", false, { PMIX, "PMIX_SERVER_URI2=x" }, WF_BOOT_PMIX, NULL },
	{ "", true, { PMIX, SERVER }, WF_BOOT_INPROC, NULL },
	{ "", true, { NULL }, WF_BOOT_INPROC, NULL },
	{ "", false, { PMIX, SERVER, "SLURM_STEP_NUM_TASKS=4" }, WF_BOOT_PMIX,
	  NULL },
	/* One process is what one process is, whoever started it. */
	{ "", false, { "SLURM_STEP_NUM_TASKS=1" }, WF_BOOT_SOLO, NULL },
	{ "", false, { "PMI_SIZE=1" }, WF_BOOT_SOLO, NULL },
	{ "", false, { "OMPI_COMM_WORLD_SIZE=1" }, WF_BOOT_SOLO, NULL },
	{ "", false, { "SLURM_NTASKS=8" }, WF_BOOT_SOLO, NULL },
	{ "", false, { "XPMI_SIZE=8", "PMI_SIZES=8" }, WF_BOOT_SOLO, NULL },
	/* Several without a server are refused, with the remedy. */
	{ "", false, { "SLURM_STEP_NUM_TASKS=4" }, -1,
	  "srun --mpi=pmix|srun --mpi=pmi2|srun --mpi=list|4 tasks|"
	  "WEFT_BOOT=solo" },
	{ "", false, { "SLURM_STEP_NUM_TASKS=4", "PMI_FD=999" }, -1,
	  "srun --mpi=pmix" },
	{ "", false, { "PMI_SIZE=2" }, -1,
	  "PMI_SIZE is 2|mpiexec.hydra|weftrun -n" },
	{ "", false, { "PMI_FD=999", "PMI_SIZE=2" }, -1,
	  "PMI_FD is 999|no open socket|mpiexec.hydra|srun --mpi=pmi2" },
	{ "", false, { "PMI_PORT=h:1", "PMI_ID=0" }, -1, "PMI_PORT" },
	{ "", false, { "OMPI_COMM_WORLD_SIZE=2" }, -1, "Open MPI|weftrun -n" },
	{ "", false, { PMIX }, -1, "PMIX_SERVER_URI|weftrun -n" },
	{ "", false, { "PMIX_RANK=0", SERVER }, -1, "weftrun -n" },
	{ "", false, { "PMIX_NAMESPACE=", "PMIX_RANK=", SERVER }, WF_BOOT_SOLO,
	  NULL },
	/* WEFT_BOOT overrides. */
	{ "solo", false, { "SLURM_STEP_NUM_TASKS=4" }, WF_BOOT_SOLO, NULL },
	{ "solo", false, { PMIX, SERVER }, WF_BOOT_SOLO, NULL },
	{ "inproc", true, { PMIX, SERVER }, WF_BOOT_INPROC, NULL },
	{ "inproc", false, { NULL }, -1, "WEFT_BOOT=inproc" },
	{ "pmix", true, { PMIX, SERVER }, WF_BOOT_PMIX, NULL },
	{ "pmix", false, { NULL }, -1, "WEFT_BOOT=pmix|weftrun -n" },
	{ "pmi", false, { PMIX, SERVER }, -1, "WEFT_BOOT=pmi|not set|hydra" },
	{ "pmi", false, { PMIX, SERVER, "PMI_FD=999" }, -1, "no open socket" },
	{ "mpi", false, { NULL }, -1, "\"mpi\"|pmix, pmi, inproc or solo" },
};

/* Each of the words, which are separated by a bar. */
static bool has_words(const char *text, const char *words)
{
	char one[80];
	size_t n;

	for (;; words += n + 1) {
		n = strcspn(words, "|");
		snprintf(one, sizeof(one), "%.*s", (int)n, words);
		if (strstr(text, one) == NULL)
			return false;
		if (words[n] == '\0')
			return true;
	}
}

static void check(const struct example *example, int number)
{
	struct wf_config config = { .log = WF_LOG_WARN };
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config,
		.inproc = example->inproc ? (struct weft_inproc *)&config :
					    NULL,
		.environ = (char *const *)example->env,
	};
	enum wf_boot_way way = WF_BOOT_SOLO;
	char why[512] = "";
	int status;

	snprintf(config.boot, sizeof(config.boot), "%s", example->boot);
	status = wf_boot_choose(&options, &way, why, sizeof(why));
	if (example->want >= 0) {
		TAP_EQUAL(status, WEFT_OK);
		TAP_EQUAL(way, example->want);
	} else {
		TAP_EQUAL(status, WEFT_ERR_BOOT);
		TAP_CHECK(has_words(why, example->words));
	}
	if (tap.failures > 0)
		tap_diag("example %d: %s", number, why);
}

static void all_examples(void)
{
	int i;

	for (i = 0; i < TAP_COUNT(examples); i++)
		check(&examples[i], i);
}

/*
 * A descriptor that is a socket here, alone and with the variables of outer or
 * inner launchers.
 */
static void open_descriptor(void)
{
	char fd[20];
	char file[20];
	struct example nested[] = {
		{ "", false, { fd, "PMI_SIZE=2" }, WF_BOOT_PMI, NULL },
		{ "", false, { fd, PMIX, SERVER }, WF_BOOT_PMI, NULL },
		{ "", false, { fd, "SLURM_STEP_NUM_TASKS=4" }, WF_BOOT_PMI,
		  NULL },
		{ "pmi", false, { fd, PMIX, SERVER }, WF_BOOT_PMI, NULL },
		{ "pmix", false, { fd, PMIX, SERVER }, WF_BOOT_PMIX, NULL },
		{ "solo", false, { fd }, WF_BOOT_SOLO, NULL },
		{ "", true, { fd }, WF_BOOT_INPROC, NULL },
		/* the descriptor of an outer launcher was not passed on */
		{ "", false, { "PMI_FD=999", PMIX, SERVER }, WF_BOOT_PMIX,
		  NULL },
		{ "", false, { "PMI_FD=x", PMIX, SERVER }, WF_BOOT_PMIX, NULL },
		/* or its number is something else's by now */
		{ "", false, { file, PMIX, SERVER }, WF_BOOT_PMIX, NULL },
		{ "", false, { file }, -1, "no open socket" },
	};
	int ends[2];
	int pipes[2];
	int i;

	TAP_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	TAP_EQUAL(pipe(pipes), 0);
	snprintf(fd, sizeof(fd), "PMI_FD=%d", ends[0]);
	snprintf(file, sizeof(file), "PMI_FD=%d", pipes[0]);
	for (i = 0; i < TAP_COUNT(nested); i++)
		check(&nested[i], i);
	for (i = 0; i < 2; i++) {
		close(ends[i]);
		close(pipes[i]);
	}
}

/* A refusal is the result of opening, and of nothing else. */
static void open_refuses(void)
{
	static char *const env[] = { "PMI_SIZE=2", NULL };
	struct wf_config config = { .log = WF_LOG_WARN };
	struct wf_boot_options options = {
		.size = sizeof(options), .config = &config, .environ = env,
	};
	struct wf_boot *boot = NULL;
	char why[512] = "";

	TAP_EQUAL(wf_boot_open(&options, &boot, why, sizeof(why)),
		  WEFT_ERR_BOOT);
	TAP_CHECK(boot == NULL && strstr(why, "PMI_SIZE") != NULL);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "ways and refusals", all_examples },
		{ "open descriptor", open_descriptor },
		{ "open refuses", open_refuses },
	};

	return tap_run(argc, argv, cases, TAP_COUNT(cases));
}
