/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs a program for the kernel: the interpreter that a script names behind
 * "#!", or the dynamic linker that an ELF file does. Where it is missing the
 * kernel says of the program that there is no such file. Called by run_path.c.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "tools/weftrun/weftrun.h"

/* Where the two classes of ELF files have what is read here. */
struct layout {
	size_t table_at; /* offset of the program headers, `word` bytes */
	size_t entry_at; /* size of one, 2 bytes */
	size_t count_at; /* 2 bytes */
	size_t offset_at; /* in a program header: `word` bytes */
	size_t word;
};

static const struct layout layout32 = {
	offsetof(Elf32_Ehdr, e_phoff), offsetof(Elf32_Ehdr, e_phentsize),
	offsetof(Elf32_Ehdr, e_phnum), offsetof(Elf32_Phdr, p_offset), 4,
};

static const struct layout layout64 = {
	offsetof(Elf64_Ehdr, e_phoff), offsetof(Elf64_Ehdr, e_phentsize),
	offsetof(Elf64_Ehdr, e_phnum), offsetof(Elf64_Phdr, p_offset), 8,
};

/* A number of n bytes in the order of this machine. */
static bool read_number(int fd, uint64_t at, size_t n, uint64_t *number_p)
{
	unsigned char bytes[8] = { 0 };
	uint32_t four;
	uint16_t two;

	if (pread(fd, bytes, n, (off_t)at) != (ssize_t)n)
		return false;
	memcpy(number_p, bytes, sizeof(bytes));
	memcpy(&four, bytes, sizeof(four));
	memcpy(&two, bytes, sizeof(two));
	if (n < sizeof(bytes))
		*number_p = n == sizeof(two) ? two : four;
	return true;
}

/* The offset of the linker's name; 0: there is none. */
static uint64_t linker_at(int fd, const struct layout *layout)
{
	uint64_t table, entry, count, type, offset;

	if (!read_number(fd, layout->table_at, layout->word, &table) ||
	    !read_number(fd, layout->entry_at, 2, &entry) ||
	    !read_number(fd, layout->count_at, 2, &count))
		return 0;
	for (; count > 0; count--, table += entry)
		if (read_number(fd, table, 4, &type) && type == PT_INTERP &&
		    read_number(fd, table + layout->offset_at, layout->word,
				&offset))
			return offset;
	return 0;
}

static void name_of_linker(int fd, const char *start, char *name, size_t size)
{
	uint64_t at = linker_at(fd, start[EI_CLASS] == ELFCLASS64 ? &layout64 :
								    &layout32);
	ssize_t n = at > 0 ? pread(fd, name, size - 1, (off_t)at) : 0;

	name[n > 0 ? n : 0] = '\0';
}

static void name_of_interpreter(const char *line, char *name, size_t size)
{
	size_t n;

	line += strspn(line, " \t");
	n = strcspn(line, " \t\n");
	if (n >= size)
		n = size - 1;
	memcpy(name, line, n);
	name[n] = '\0';
}

void run_interpreter(const char *file, char *name, size_t size)
{
	char start[256] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	name[0] = '\0';
	if (fd < 0)
		return;
	if (pread(fd, start, sizeof(start) - 1, 0) > 0) {
		if (memcmp(start, "#!", 2) == 0)
			name_of_interpreter(start + 2, name, size);
		else if (memcmp(start, ELFMAG, SELFMAG) == 0)
			name_of_linker(fd, start, name, size);
	}
	close(fd);
}
