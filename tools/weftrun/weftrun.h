/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weftrun: starts the ranks of a job on this machine. What its files share.
 *
 *   weftrun.c        the order of things, from options to exit code
 *   run_options.c    the command line
 *   run_path.c       finds the program as a shell would
 *   run_interpreter.c  and who runs it
 *   run_bind.c       which CPUs each rank gets
 *   run_guardian.c   the process that outlives a killed weftrun
 *   run_server.c     the PMIx server that the ranks join through
 *   run_spawn.c      fork and exec of a rank
 *   run_streams.c    tagged output, input of rank 0 from a terminal
 *   run_output.c     what weftrun itself writes, without waiting for readers
 *   run_supervise.c  the loop: signals, ends of ranks, time limits
 *   run_verdict.c    who failed of what, killing, the exit code
 *
 * One thread runs all of this. The PMIx library has its own, which only sets
 * `link` of a rank, or leaves an abort, and rings `wake_fd`.
 */
#ifndef WEFT_TOOLS_WEFTRUN_H
#define WEFT_TOOLS_WEFTRUN_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define RUN_RANKS_MAX 16384

/* Exit codes of weftrun itself, as those of env(1) and timeout(1). */
enum {
	RUN_EXIT_TIMEOUT = 124,
	RUN_EXIT_SELF = 125,
	RUN_EXIT_NOEXEC = 126,
	RUN_EXIT_NOTFOUND = 127
};

/* What the server knows of a rank. */
enum run_link {
	RUN_LINK_NONE,  /* has not joined */
	RUN_LINK_OPEN,  /* has joined */
	RUN_LINK_CLOSED, /* has closed its job */
	RUN_LINK_LOST   /* its connection ended without that */
};

struct run_program {
	int n;       /* ranks */
	char **argv; /* program and its arguments */
};

struct run_options {
	int n; /* ranks of all programs */
	int n_programs;
	int per_node; /* so many on a machine are asked for; 0: not told */
	struct run_program *programs;
	const char *bind; /* a word of run_bind.c, or "none" */
	bool verbose;
	bool keep_going;
	bool tag_output;
	const char *directory; /* where the programs start; NULL: here */
	uint64_t timeout_ns;   /* of the whole job; 0: none */
};

struct run_rank {
	int rank;
	int program;      /* of run_options.programs */
	pid_t pid;        /* leader of its process group; 0: ended */
	atomic_int link;  /* enum run_link; written by the server's thread */
	bool doubtful;    /* exited with 0 while its link was open */
};

struct run_job {
	struct run_options options;
	struct run_rank *ranks;
	struct run_cpus *cpus; /* run_bind.h */
	struct run_server *server;
	struct run_streams *streams;

	pid_t self;
	pid_t guardian;
	int guardian_fd; /* pipe to the guardian; its end is the message */
	int signal_fd;
	int wake_fd; /* eventfd, rung by the server's thread */
	int word_fd; /* eventfd, read by the one rank that may complain */

	/* As weftrun found them; the ranks get them back. */
	struct rlimit files;
	sigset_t mask;
	void (*on_pipe)(int);

	int running;     /* ranks not ended */
	int exit_code;   /* of the first failure; 0: none */
	bool killing;    /* SIGTERM was sent to all */
	uint64_t end_asked_at; /* first SIGINT or SIGTERM received; 0: none */
	uint64_t kill_at;  /* when SIGKILL follows; 0: not planned, ns */
	uint64_t doubt_at; /* when a doubtful rank is judged; 0: none */
	uint64_t end_at;   /* when the time of --timeout is over; 0: never */
	uint64_t timeout_ns;
	uint64_t joined_at; /* when the first rank joined; 0: none has */
	bool all_joined;
	int absent; /* ranks that have ended without having joined */
};

/* Prints "weftrun: " and the sentence to stderr. */
void run_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * To STDOUT_FILENO or STDERR_FILENO of weftrun: added, then written as far as
 * that goes without waiting.
 */
void run_output_add(int to, const char *bytes, size_t n);
void run_output_flush(int to);
/* Bytes wait for a reader. */
bool run_output_waits(int to);
/* The errno of the write that was the last; 0: none has failed. */
int run_output_error(int to);
/* Something could not be written, though somebody would have read it. */
bool run_output_is_lost(void);
/* Before the process ends: waits a little for who reads what it said last. */
void run_output_end(void);

/* 0: run; otherwise exit with *code_p (help, version, mistakes). */
int run_options_read(struct run_options *options, int argc, char **argv,
		     int *code_p);

/* 0 if the program can be started, else the exit code; says why not. */
int run_path_check(const char *program);
/* The name of the file that the kernel runs a program with; "": none. */
void run_interpreter(const char *file, char *name, size_t size);

int run_guardian_start(struct run_job *job);
void run_guardian_forget(struct run_job *job, pid_t group);
void run_guardian_stop(struct run_job *job);
/* In a new child: tells the guardian of its group, before the exec. */
void run_guardian_enlist(int fd, pid_t group);

struct run_abort {
	int rank;
	int code;
	char why[256];
};

int run_server_start(struct run_job *job);
/* The environment of a rank, for free_env(). NULL: failed, said why. */
char **run_server_environment(struct run_job *job, int rank);
void run_server_free_environment(char **environment);
/* Takes an abort that a rank has asked for since the last call. */
bool run_server_aborted(struct run_job *job, struct run_abort *abort_p);

int run_spawn(struct run_job *job, int rank);
/* Sends a signal to the process groups of all running ranks. */
void run_signal_all(struct run_job *job, int signal);

/* The descriptors of a rank, for its child; -1: inherit. */
struct run_stdio {
	int in;
	int out;
	int err;
};

int run_streams_start(struct run_job *job);
int run_streams_open(struct run_job *job, int rank, struct run_stdio *stdio_p);
/* In the parent after the fork, or if there was none. */
void run_streams_opened(struct run_stdio *stdio);
struct pollfd;
/* How many descriptors it may watch, which it watches now, what to do then. */
int run_streams_poll_max(const struct run_job *job);
int run_streams_poll(const struct run_job *job, struct pollfd *fds);
void run_streams_moved(struct run_job *job, const struct pollfd *fds, int n);
/* weftrun was stopped and may be in the foreground now. */
void run_streams_continued(struct run_job *job);
/* No rank is there any more that could read. */
void run_streams_end_input(struct run_job *job);
void run_streams_stop(struct run_job *job);

/* Until all ranks have ended, and what they wrote has been printed. */
void run_supervise(struct run_job *job);

/* Deaths by a signal come before exits of the same batch: they are causes. */
void run_verdict_ended(struct run_job *job, int rank, const siginfo_t *end);
void run_verdict_doubts(struct run_job *job, bool too_late);
void run_verdict_abort(struct run_job *job, const struct run_abort *aborted);
void run_verdict_not_joined(struct run_job *job);
void run_verdict_timeout(struct run_job *job);
void run_verdict_kill(struct run_job *job);

#endif
