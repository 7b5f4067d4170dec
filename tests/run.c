/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tests/run - run a test program within a time limit and leave nothing behind
 *
 *     tests/run [-n RANKS] [--timeout SECONDS] [--until TIME]
 *               [LAUNCHER-OPTION...] PROGRAM [ARGUMENT...]
 *
 * Without -n the program is started as it is; with -n as a job of so many
 * ranks by the weftrun of the build tree, or by what LAUNCHER names: `srun`,
 * with options if need be, or `mpiexec.hydra`. In a job of Slurm it is srun. A
 * rank finds its number in TEST_RANK, whoever started it. Rank 0
 * writes to the terminal (its TAP passes through), every other rank into a
 * memory file of its own that is shown with its rank at the end.
 *
 * The process is a child subreaper: whoever loses its parent becomes its
 * child, so at the end it can wait for all and kill who stays. The exit code
 * is that of the program, 124 if time ran out, 125 if a process stayed behind
 * or nothing could be started.
 *
 * TEST_TIME multiplies the time limit (slow builds). After TIME, in seconds
 * since 1970, nothing is started: the test is skipped, and says so.
 */
#include "tests/find_built.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_RANKS 512
#define GRACE_S 2                       /* to leave after the program ended */
#define SRUN_GRACE_S 8                  /* for srun to end ranks elsewhere */
#define LOGS "WEFT_TEST_LOGS"           /* "/proc/PID/fd" of this process */

struct run {
	int ranks;                      /* 0: no launcher */
	double limit_s;
	double until_s;                 /* since 1970; 0: for ever */
	char **words;                   /* launcher options and the program */
	int logs[MOST_RANKS];           /* memory file per rank, from 1 on */
};

static void fail(const char *what)
{
	fprintf(stderr, "tests/run: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void usage(void)
{
	fprintf(stderr, "usage: tests/run [-n RANKS] [--timeout SECONDS] "
		"[--until TIME] [LAUNCHER-OPTION...] PROGRAM "
		"[ARGUMENT...]\n");
	exit(125);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double number(const char *text)
{
	char *end = NULL;
	double value = text ? strtod(text, &end) : 0;

	if (!text || *end || !(value > 0))
		usage();
	return value;
}

static struct run read_arguments(char **argv)
{
	struct run run = { .limit_s = 60 };
	const char *slower = getenv("TEST_TIME");

	for (argv++; *argv; argv += 2) {
		if (strcmp(*argv, "-n") == 0)
			run.ranks = (int)number(argv[1]);
		else if (strcmp(*argv, "--timeout") == 0)
			run.limit_s = number(argv[1]);
		else if (strcmp(*argv, "--until") == 0)
			run.until_s = number(argv[1]);
		else
			break;
	}
	if (!*argv || run.ranks > MOST_RANKS)
		usage();
	run.words = argv;
	if (slower)
		run.limit_s *= number(slower);
	return run;
}

/* The rank, of the nearest launcher that says so. */
static const char *rank_of_launcher(void)
{
	const char *rank = NULL;

	if (getenv("PMI_FD"))
		rank = getenv("PMI_RANK");
	if (!rank)
		rank = getenv("PMIX_RANK");
	return rank ? rank : getenv("SLURM_PROCID");
}

/*
 * In a rank, just before its program: sends its output to its memory file. If
 * that cannot be opened (another node), the output stays where it is.
 */
static void run_rank(char **words)
{
	const char *rank = rank_of_launcher();
	const char *logs = getenv(LOGS);
	char path[100];
	int code;
	int fd;

	if (rank && logs && atoi(rank) > 0) {
		/* "/proc/PID/fd/BASE": the file of rank r is number BASE + r */
		const char *slash = strrchr(logs, '/');

		snprintf(path, sizeof(path), "%.*s/%d",
			 (int)(slash - logs), logs,
			 atoi(slash + 1) + atoi(rank));
		fd = open(path, O_WRONLY | O_APPEND);
		if (fd >= 0) {
			dup2(fd, STDOUT_FILENO);
			dup2(fd, STDERR_FILENO);
			close(fd);
		}
	}
	unsetenv(LOGS);
	if (rank)
		setenv("TEST_RANK", rank, 1);
	execvp(words[0], words);
	code = errno == ENOENT ? 127 : 126;
	perror(words[0]);
	exit(code);
}

/* Files with consecutive numbers, so that one name leads to all of them. */
static void open_logs(struct run *run)
{
	char name[100];
	int base = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);

	for (int rank = 1; rank < run->ranks; rank++) {
		int fd = memfd_create("rank output", MFD_CLOEXEC);

		run->logs[rank] = fcntl(fd, F_DUPFD_CLOEXEC, base + rank);
		if (run->logs[rank] != base + rank)
			fail("memory file of a rank");
		close(fd);
	}
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getpid(), base);
	setenv(LOGS, name, 1);
}

static int count(char **words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

/* The words of a command, split at blanks, appended to argv. */
static int add_words(char **argv, int n, char *command)
{
	for (char *word = strtok(command, " "); word && n < 16;
	     word = strtok(NULL, " "))
		argv[n++] = word;
	return n;
}

/* The command that starts a job, in memory of its own; NULL: there is none. */
static char *launcher_command(void)
{
	const char *given = getenv("LAUNCHER");

	if (!given && getenv("SLURM_JOB_ID"))
		given = "srun";
	return given && *given ? strdup(given) :
				 find_built("tools/weftrun/weftrun");
}

static bool is_srun(const char *launcher)
{
	return strncmp(launcher, "srun", 4) == 0 &&
	       (launcher[4] == ' ' || !launcher[4]);
}

/* More ranks than CPUs are usual here, and srun asks for its PMI. */
static int add_srun_words(char **argv, int n, bool has_mpi)
{
	argv[n++] = (char *)"--quiet";
	argv[n++] = (char *)"--overcommit";
	if (!has_mpi && !getenv("SLURM_MPI_TYPE"))
		argv[n++] = (char *)"--mpi=pmix";
	return n;
}

/* An option of weftrun, in the words of another launcher; NULL: it has none. */
static char *translate(char *option, bool srun)
{
	if (getenv("LAUNCHER") && strcmp(option, "--keep-going") == 0)
		return srun ? (char *)"--kill-on-bad-exit=0" : NULL;
	return option;
}

/*
 * Replaces this process by `LAUNCHER -n RANKS OPTION... run --rank PROGRAM`.
 * What begins with - before the program is for the launcher.
 */
static void exec_launcher(struct run *run)
{
	char **argv = calloc((size_t)count(run->words) + 32, sizeof(*argv));
	char *launcher = launcher_command();
	char ranks[20];
	bool srun, has_mpi;
	int n;

	if (!argv)
		fail("memory");
	if (!launcher) {
		errno = ENOENT;
		fail("tools/weftrun/weftrun");
	}
	srun = is_srun(launcher);
	has_mpi = strstr(launcher, "--mpi");
	snprintf(ranks, sizeof(ranks), "%d", run->ranks);
	n = add_words(argv, 0, launcher);
	if (srun)
		n = add_srun_words(argv, n, has_mpi);
	argv[n++] = (char *)"-n";
	argv[n++] = ranks;
	for (; *run->words && (*run->words)[0] == '-'; run->words++) {
		argv[n] = translate(*run->words, srun);
		n += argv[n] != NULL;
	}
	if (!*run->words)
		usage();
	argv[n++] = find_built("tests/run");
	argv[n++] = "--rank";
	while (*run->words)
		argv[n++] = *run->words++;
	execvp(argv[0], argv);
	fail(argv[0]);
}

static pid_t start(struct run *run, const sigset_t *signals)
{
	pid_t parent = getpid();
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		fail("fork");
	if (child > 0)
		return child;
	/* should this process be killed, the program is, too */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(125);
	sigprocmask(SIG_UNBLOCK, signals, NULL);
	/* nohup make check: a shell cannot trap what it finds ignored */
	signal(SIGHUP, SIG_DFL);
	if (run->ranks)
		exec_launcher(run);
	execvp(run->words[0], run->words);
	fail(run->words[0]);
	return -1;
}

/* True if pid is a child of this process; its name goes into name. */
static bool is_child(int pid, char *name, size_t size)
{
	char path[50];
	char line[300] = "";
	char *from;
	char *to;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	/* "pid (name) state parent": a name may contain anything */
	from = strchr(line, '(');
	to = strrchr(line, ')');
	if (!from || !to || sscanf(to + 1, " %*c %d", &parent) != 1)
		return false;
	snprintf(name, size, "%.*s", (int)(to - from - 1), from + 1);
	return parent == getpid();
}

static void kill_children(bool tell)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char name[100];

	while (proc && (entry = readdir(proc))) {
		int pid = atoi(entry->d_name);

		if (pid <= 0 || !is_child(pid, name, sizeof(name)))
			continue;
		if (tell)
			printf("# tests/run: left behind: %d %s\n", pid, name);
		kill(pid, SIGKILL);
	}
	if (proc)
		closedir(proc);
}

static int exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}

/* Reaps who has ended. False: there is no child any more. */
static bool reap(pid_t program, int *code)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);

		if (pid <= 0)
			return pid == 0;
		if (pid == program)
			*code = exit_code(status);
	}
}

/* Waits for a child to end, a signal to stop or the deadline. */
static int wait_signal(const sigset_t *signals, double deadline)
{
	double left = deadline - now_s();
	struct timespec time = { 0, 0 };

	if (left > 0) {
		time.tv_sec = (time_t)left;
		time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
	}
	return sigtimedwait(signals, NULL, &time);
}

/* Ranks on other nodes end only if their launcher is asked to end them. */
static void end_srun(const sigset_t *signals, pid_t program)
{
	char *launcher = launcher_command();
	double deadline = now_s() + SRUN_GRACE_S;
	int code = -1;

	if (launcher && is_srun(launcher) && kill(program, SIGTERM) == 0)
		while (reap(program, &code) && code < 0 &&
		       now_s() < deadline)
			wait_signal(signals, deadline);
	free(launcher);
}

/* Kills children until there are none: theirs become ours meanwhile. */
static void kill_all(const sigset_t *signals, pid_t program)
{
	int code;

	end_srun(signals, program);
	while (reap(program, &code)) {
		kill_children(false);
		wait_signal(signals, now_s() + 0.05);
	}
}

/* What hangs, for whoever reads the log: the processes below this one. */
static void tell_late(const struct run *run)
{
	char command[300];

	printf("# tests/run: not finished after %.0f s:\n", run->limit_s);
	fflush(stdout);
	snprintf(command, sizeof(command),
		 "ps -eo pid,ppid,stat,time,wchan:20,args | awk '"
		 "$2 == %d || $2 in ours {"
		 " ours[$1]; print \"#   \" substr($0, 1, 120) }'",
		 (int)getpid());
	if (system(command) != 0)
		printf("# ps could not be run\n");
}

/* The exit code of the program once it and all that it started are gone. */
static int supervise(const struct run *run, pid_t program,
		     const sigset_t *signals)
{
	double deadline = now_s() + run->limit_s;
	int code = -1;

	while (reap(program, &code)) {
		int sig;

		if (code >= 0 && deadline > now_s() + GRACE_S)
			deadline = now_s() + GRACE_S;
		sig = wait_signal(signals, deadline);
		if (sig == SIGCHLD || (sig < 0 && now_s() < deadline))
			continue;
		if (sig < 0 && code < 0)
			tell_late(run);
		else if (sig < 0)
			kill_children(true);
		kill_all(signals, program);
		if (sig > 0)
			return 128 + sig;
		return code < 0 ? 124 : 125;
	}
	return code;
}

static void show_logs(const struct run *run)
{
	for (int rank = 1; rank < run->ranks; rank++) {
		char line[2000];
		FILE *file;

		lseek(run->logs[rank], 0, SEEK_SET);
		file = fdopen(run->logs[rank], "r");
		while (file && fgets(line, sizeof(line), file)) {
			line[strcspn(line, "\n")] = '\0';
			printf("# [%d] %s\n", rank, line);
		}
	}
}

static bool is_too_late(const struct run *run)
{
	return run->until_s > 0 && (double)time(NULL) >= run->until_s;
}

int main(int argc, char **argv)
{
	struct run run;
	sigset_t signals;
	int code;

	if (argc > 2 && strcmp(argv[1], "--rank") == 0)
		run_rank(argv + 2);
	run = read_arguments(argv);
	if (is_too_late(&run)) {
		printf("1..0 # SKIP the time for tests was over\n");
		return 0;
	}
	if (run.ranks)
		open_logs(&run);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	code = supervise(&run, start(&run, &signals), &signals);
	show_logs(&run);
	if (run.ranks && code)
		printf("# tests/run: the job ended with code %d\n", code);
	fflush(stdout);
	return code;
}
