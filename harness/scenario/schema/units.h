/* units.h - quantities: a number and a unit. Decimal (kB, MB, GB) and binary (KiB, MiB, GiB) prefixes are kept apart,
 * bits and bytes too; units are spelled exactly as listed. Base units: bytes, bytes/s, seconds, FLOP/s, hertz. */
#ifndef NARROWS_HARNESS_SCENARIO_SCHEMA_UNITS_H
#define NARROWS_HARNESS_SCENARIO_SCHEMA_UNITS_H

#include <stddef.h>

enum dimension { DIM_NONE, DIM_BYTES, DIM_BYTES_PER_S, DIM_SECONDS, DIM_FLOPS, DIM_HERTZ };

struct unit {
    const char *name;
    enum dimension dimension;
    int exponent;  /* base units = number * 10^exponent * factor; the factor is a power of two, so nothing is rounded */
    double factor; /* after the number was read in decimal */
};

const char *unit_base(enum dimension d);     /* "bytes/s"; "" for a plain number */
const char *unit_examples(enum dimension d); /* "GB/s, MB/s, GiB/s, Gbit/s" */

/* Read all of 'text' as a quantity of dimension d, in base units. On success 0, and *unit is the unit as written (NULL
 * for DIM_NONE). Otherwise nonzero, the reason in 'why' and perhaps a better unit in 'suggest'; 'offset' is the byte of
 * the text where the error is. */
struct quantity_error {
    const char *why, *suggest;
    size_t offset;
};
int quantity_read(const char *text, enum dimension d, double *out, const struct unit **unit,
                  struct quantity_error *error);

/* The shortest text with a unit that reads back as the same value: "5 us", "25 MiB", "1.25 GB/s". */
void quantity_print(double value, enum dimension d, char *text, size_t size);

/* 'text' with its fractions rounded to 5 significant digits: "2.1544 Gbit/s" for 2.15443469003. Names with digits in
 * them are kept. Writes to out[0..size), cut if necessary, and returns it. */
const char *quantity_short(const char *text, char *out, size_t size);

#endif
