/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages by every pair of calls that send and receive, with counts that are
 * int and with large ones.  POINTS_COUNT: bytes of a message, 5 if it is not
 * there; above INT_MAX only calls with large counts are made.
 */
#include <limits.h>
#include "tests/mpi/check.h"

static MPI_Count count;
static unsigned char *out, *in;
static int to, from;			/* the next rank, the one before */
static MPI_Request sent;		/* of the call, if it has one */

enum { SLACK = 8192 };			/* of a buffer for one message */

static void *memory_for(MPI_Count bytes)
{
	void *memory = malloc((size_t)bytes);

	if (!memory)
		MPI_Abort(MPI_COMM_WORLD, 1);
	return memory;
}

/* Byte i of the message of this number that a rank sends. */
static unsigned char value(int sender, int number, MPI_Count i)
{
	return (unsigned char)(sender * 37 + number * 11 + i % 253 + i / 253);
}

static void fill(int number)
{
	for (MPI_Count i = 0; i < count; i++)
		out[i] = value(rank, number, i);
	memset(in, 0xee, (size_t)count + 1);
}

/* Of long ones some bytes in between are not looked at. */
static int arrived(int number)
{
	MPI_Count step = count > 1000000 ? 997 : 1;
	int wrong = in[count] != 0xee;

	for (MPI_Count i = 0; i < count; i += step)
		wrong += in[i] != value(from, number, i);
	wrong += in[count - 1] != value(from, number, count - 1);
	return !wrong;
}

/* ---- calls that send ---- */

#define SENDS(Name, Iname, c)						\
static void send_##Name##c(int tag)					\
{									\
	MPI_##Name##c(out, count, MPI_BYTE, to, tag, MPI_COMM_WORLD);	\
	sent = MPI_REQUEST_NULL;					\
}									\
static void send_##Iname##c(int tag)					\
{									\
	MPI_##Iname##c(out, count, MPI_BYTE, to, tag, MPI_COMM_WORLD,	\
		       &sent);						\
}									\
static void send_##Name##_init##c(int tag)				\
{									\
	MPI_##Name##_init##c(out, count, MPI_BYTE, to, tag,		\
			     MPI_COMM_WORLD, &sent);			\
	MPI_Start(&sent);						\
}

SENDS(Send, Isend,)
SENDS(Send, Isend, _c)
SENDS(Bsend, Ibsend,)
SENDS(Bsend, Ibsend, _c)
SENDS(Ssend, Issend,)
SENDS(Ssend, Issend, _c)
SENDS(Rsend, Irsend,)
SENDS(Rsend, Irsend, _c)

static const struct send {
	void (*call)(int tag);
	int is_large;
} sends[] = {
#define CALLS(Name, Iname) \
	{ send_##Name, 0 }, { send_##Iname, 0 }, { send_##Name##_init, 0 }, \
	{ send_##Name##_c, 1 }, { send_##Iname##_c, 1 }, \
	{ send_##Name##_init_c, 1 }
	CALLS(Send, Isend),
	CALLS(Bsend, Ibsend),
	CALLS(Ssend, Issend),
	CALLS(Rsend, Irsend)
};

/* ---- calls that receive: begun before the peer sends, and ended ---- */

static MPI_Request received;
static MPI_Status status;

static void begin_irecv(int tag)
{
	MPI_Irecv(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &received);
}

static void begin_irecv_c(int tag)
{
	MPI_Irecv_c(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &received);
}

static void begin_recv_init(int tag)
{
	MPI_Recv_init(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
		      &received);
	MPI_Start(&received);
}

static void begin_recv_init_c(int tag)
{
	MPI_Recv_init_c(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD,
			&received);
	MPI_Start(&received);
}

static void end_request(int tag)
{
	(void)tag;
	MPI_Wait(&received, &status);
	if (received != MPI_REQUEST_NULL)
		MPI_Request_free(&received);
}

static const struct receive {
	void (*begin)(int tag);
	void (*end)(int tag);
	int is_large;
} receives[] = {
	{ begin_irecv, end_request, 0 },
	{ begin_irecv_c, end_request, 1 },
	{ begin_recv_init, end_request, 0 },
	{ begin_recv_init_c, end_request, 1 }
};

/* ---- calls that receive late, once the send has begun ---- */

static void end_recv(int tag)
{
	MPI_Recv(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
}

static void end_recv_c(int tag)
{
	MPI_Recv_c(in, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
}

static MPI_Message matched(int tag)
{
	MPI_Message message;

	MPI_Mprobe(from, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	return message;
}

static void end_mrecv(int tag)
{
	MPI_Message message = matched(tag);

	MPI_Mrecv(in, count, MPI_BYTE, &message, &status);
}

static void end_mrecv_c(int tag)
{
	MPI_Message message = matched(tag);

	MPI_Mrecv_c(in, count, MPI_BYTE, &message, &status);
}

static void end_imrecv(int tag)
{
	MPI_Message message = matched(tag);

	MPI_Imrecv(in, count, MPI_BYTE, &message, &received);
	end_request(tag);
}

static void end_imrecv_c(int tag)
{
	MPI_Message message = matched(tag);

	MPI_Imrecv_c(in, count, MPI_BYTE, &message, &received);
	end_request(tag);
}

static const struct receive late[] = {
	{ NULL, end_recv, 0 },
	{ NULL, end_recv_c, 1 },
	{ NULL, end_mrecv, 0 },
	{ NULL, end_mrecv_c, 1 },
	{ NULL, end_imrecv, 0 },
	{ NULL, end_imrecv_c, 1 }
};

/* ---- cases ---- */

/* May a call that is large, or not, be made with this count? */
static int is_for(int is_large)
{
	return is_large || count <= INT_MAX;
}

static void check_message(int number)
{
	MPI_Count bytes = -1, elements = -1;
	int few = -1;

	CHECK(arrived(number));
	CHECK(status.MPI_SOURCE == from && status.MPI_TAG == number);
	MPI_Get_count_c(&status, MPI_BYTE, &bytes);
	MPI_Get_elements_c(&status, MPI_BYTE, &elements);
	CHECK(bytes == count && elements == count);
	MPI_Get_count(&status, MPI_BYTE, &few);
	CHECK(count > INT_MAX ? few == MPI_UNDEFINED : few == count);
}

static void pass(const struct send *send, const struct receive *receive,
		 int number)
{
	fill(number);
	if (receive->begin)
		receive->begin(number);
	MPI_Barrier(MPI_COMM_WORLD);	/* a ready send finds its receive */
	send->call(number);
	receive->end(number);
	MPI_Buffer_flush();		/* there is room for one message */
	MPI_Wait(&sent, MPI_STATUS_IGNORE);
	if (sent != MPI_REQUEST_NULL)
		MPI_Request_free(&sent);
	check_message(number);
}

/* Each call of the first with each of the second. */
static void pairs(const struct send *first, int nsends,
		  const struct receive *second, int nreceives)
{
	for (int i = 0; i < nsends; i++) {
		for (int k = 0; k < nreceives; k++) {
			if (is_for(first[i].is_large) &&
			    is_for(second[k].is_large))
				pass(&first[i], &second[k], 10 * i + k);
		}
	}
}

static void attach(void **buffer)
{
	*buffer = memory_for(count + SLACK);
	MPI_Buffer_attach_c(*buffer, count + SLACK);
}

static void detach(void **buffer)
{
	void *was = NULL;
	MPI_Count bytes = -1;

	MPI_Buffer_detach_c(&was, &bytes);
	CHECK(was == *buffer && bytes == count + SLACK);
	free(*buffer);
}

static void in_time(void)
{
	void *buffer;

	attach(&buffer);
	pairs(sends, CHECK_COUNT(sends), receives, CHECK_COUNT(receives));
	detach(&buffer);
}

/* Sends that end, or are requests, before anybody receives. */
static void when_late(void)
{
	static const struct send early[] = {
		{ send_Isend, 0 }, { send_Send_init, 0 }, { send_Bsend, 0 },
		{ send_Issend, 0 }, { send_Ssend_init, 0 },
		{ send_Isend_c, 1 }, { send_Send_init_c, 1 },
		{ send_Bsend_c, 1 }, { send_Issend_c, 1 },
		{ send_Ssend_init_c, 1 }
	};
	void *buffer;

	attach(&buffer);
	pairs(early, CHECK_COUNT(early), late, CHECK_COUNT(late));
	detach(&buffer);
}

/* ---- sends and receives in one ---- */

static void replace(int number)
{
	memcpy(in, out, (size_t)count);
	if (number & 1)
		MPI_Sendrecv_replace_c(in, count, MPI_BYTE, to, number, from,
				       number, MPI_COMM_WORLD, &status);
	else
		MPI_Sendrecv_replace(in, (int)count, MPI_BYTE, to, number,
				     from, number, MPI_COMM_WORLD, &status);
}

static void ireplace(int number)
{
	memcpy(in, out, (size_t)count);
	if (number & 1)
		MPI_Isendrecv_replace_c(in, count, MPI_BYTE, to, number, from,
					number, MPI_COMM_WORLD, &received);
	else
		MPI_Isendrecv_replace(in, (int)count, MPI_BYTE, to, number,
				      from, number, MPI_COMM_WORLD, &received);
	end_request(number);
}

static void both(int number)
{
	if (number & 1)
		MPI_Sendrecv_c(out, count, MPI_BYTE, to, number, in, count,
			       MPI_BYTE, from, number, MPI_COMM_WORLD, &status);
	else
		MPI_Sendrecv(out, (int)count, MPI_BYTE, to, number, in,
			     (int)count, MPI_BYTE, from, number,
			     MPI_COMM_WORLD, &status);
}

static void iboth(int number)
{
	if (number & 1)
		MPI_Isendrecv_c(out, count, MPI_BYTE, to, number, in, count,
				MPI_BYTE, from, number, MPI_COMM_WORLD,
				&received);
	else
		MPI_Isendrecv(out, (int)count, MPI_BYTE, to, number, in,
			      (int)count, MPI_BYTE, from, number,
			      MPI_COMM_WORLD, &received);
	end_request(number);
}

static void in_one(void)
{
	static void (*const calls[])(int number) = {
		replace, ireplace, both, iboth
	};

	for (int i = 0; i < CHECK_COUNT(calls); i++) {
		for (int number = !is_for(0); number < 2; number++) {
			fill(number);
			calls[i](number);
			check_message(number);
		}
	}
}

/* ---- buffers of a communicator and of all of a process ---- */

static void buffers(void)
{
	void *buffer = memory_for(count + SLACK), *was = NULL;
	MPI_Count bytes = -1;
	MPI_Comm comm;
	MPI_Request flushed;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_attach_buffer_c(comm, buffer, count + SLACK);
	fill(1);
	MPI_Bsend_c(out, count, MPI_BYTE, to, 1, comm);
	memset(out, 0, (size_t)count);
	MPI_Recv_c(in, count, MPI_BYTE, from, 1, comm, &status);
	check_message(1);
	MPI_Comm_iflush_buffer(comm, &flushed);
	MPI_Wait(&flushed, MPI_STATUS_IGNORE);
	MPI_Comm_flush_buffer(comm);
	MPI_Comm_detach_buffer_c(comm, &was, &bytes);
	CHECK(was == buffer && bytes == count + SLACK);
	MPI_Comm_free(&comm);
	free(buffer);
}

/* ---- packing ---- */

static void packed(void)
{
	MPI_Count room = -1, more = -1, at = 0, length;
	char *memory;

	fill(2);
	MPI_Pack_size_c(count - 1, MPI_BYTE, MPI_COMM_WORLD, &room);
	MPI_Pack_size_c(1, MPI_BYTE, MPI_COMM_WORLD, &more);
	room += more;
	CHECK(room >= count);
	memory = memory_for(room);
	MPI_Pack_c(out, count - 1, MPI_BYTE, memory, room, &at,
		   MPI_COMM_WORLD);
	MPI_Pack_c(out + count - 1, 1, MPI_BYTE, memory, room, &at,
		   MPI_COMM_WORLD);
	length = at;
	CHECK(length == count);
	if (is_for(0))			/* else memory may not suffice */
		MPI_Sendrecv_replace_c(memory, length, MPI_PACKED, to, 2, from,
				       2, MPI_COMM_WORLD, &status);
	at = 0;
	MPI_Unpack_c(memory, length, &at, in, count, MPI_BYTE,
		     MPI_COMM_WORLD);
	CHECK(at == length);
	if (is_for(0))
		check_message(2);
	else
		CHECK(!memcmp(in, out, (size_t)count));
	free(memory);
}

static void packed_for_others(void)
{
	MPI_Count room = -1, at = 0;
	char *memory;

	fill(3);
	MPI_Pack_external_size_c("external32", count, MPI_BYTE, &room);
	memory = memory_for(room);
	MPI_Pack_external_c("external32", out, count, MPI_BYTE, memory, room,
			    &at);
	CHECK(at == room && room == count);
	at = 0;
	MPI_Unpack_external_c("external32", memory, room, &at, in, count,
			      MPI_BYTE);
	CHECK(at == room && !memcmp(in, out, (size_t)count));
	free(memory);
}

int main(int argc, char **argv)
{
	static const struct check_case cases[] = {
		{ "received in time", in_time },
		{ "received late", when_late },
		{ "in one call", in_one },
		{ "buffers of communicators", buffers },
		{ "packed", packed },
		{ "packed for other machines", packed_for_others }
	};
	const char *bytes = getenv("POINTS_COUNT");

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	to = (rank + 1) % size;
	from = (rank + size - 1) % size;
	count = bytes ? strtoll(bytes, NULL, 0) : 5;
	out = memory_for(count);
	in = memory_for(count + 1);
	return check_run(NULL, NULL, cases, CHECK_COUNT(cases));
}
