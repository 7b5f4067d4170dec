/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What pictures of weft-sim and weft-topo have in common: an SVG document that
 * needs nothing from elsewhere, on white paper.
 */
#ifndef WEFT_TOOLS_SVG_H
#define WEFT_TOOLS_SVG_H

#include <stdio.h>

/* So many pixels; style is the content of a style element. */
void svg_open(FILE *to, int width, int height, const char *style);
void svg_close(FILE *to);

/* Text of users: escaped; what is not printable ASCII becomes "?". */
void svg_text(FILE *to, const char *text);

#endif
