/* codec_rates.h - default rates of codecs whose scenario gives none, from scenarios/codec-rates.csv.
 * File       a header, then class,format,encode,decode,select,source. For a class of processors (enum cpu_class)
 *            measured GB of fp32 per second on one core, as in results/; for the class gpu bytes moved in GPU memory
 *            per value. 'select', the search for an exact threshold, may be empty: it is then part of encode, or there
 *            is none.
 * Threads    read once, on first use, from any thread. */
#ifndef NARROWS_HARNESS_SCENARIO_CODEC_RATES_H
#define NARROWS_HARNESS_SCENARIO_CODEC_RATES_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/yaml/arena.h"

/* NULL, or why the file cannot be used: "PATH:LINE: expected ..., got ...". */
const char *codec_rates_error(void);

/* Give each codec in use, if its cost has neither a rate nor a curve and is not 'measured', the file's rate for its
 * place (CPU class or GPU). out->defaults lists the rates supplied, and those for which the file has none. */
void codec_rates_supply(struct arena *a, struct point *out);

#endif
