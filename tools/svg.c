/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a picture: see svg.h. */
#include "tools/svg.h"

static const char head[] =
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"\n"
"     font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\""
" fill=\"#222\">\n"
"<style>\n"
"%s"
"</style>\n"
"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n";

void svg_open(FILE *to, int width, int height, const char *style)
{
	fprintf(to, head, width, height, style);
}

void svg_close(FILE *to)
{
	fputs("</svg>\n", to);
}

void svg_text(FILE *to, const char *text)
{
	for (; *text; text++)
		if (*text == '&')
			fputs("&amp;", to);
		else if (*text == '<')
			fputs("&lt;", to);
		else
			fputc(*text < ' ' || *text > '~' ? '?' : *text, to);
}
