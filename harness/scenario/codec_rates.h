/* codec_rates.h - how fast codecs are whose scenario does not say: scenarios/codec-rates.csv, of processors what was measured, of GPUs
 * how many bytes of their memory a value moves.
 * File       a header, then class,format,encode,decode,select,source. Of a class of processors (enum cpu_class) GB of fp32 a second
 *            on one core, as results/ has them; of the class gpu bytes a value that move in the GPU's memory. 'select', the search for
 *            an exact threshold, may be left empty: then it is part of encode, or there is none.
 * Threads    read once, on first use; any thread may ask. */
#ifndef NARROWS_HARNESS_SCENARIO_CODEC_RATES_H
#define NARROWS_HARNESS_SCENARIO_CODEC_RATES_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/yaml/arena.h"

/* NULL, or why the file cannot be used: "PATH:LINE: expected ..., got ...". */
const char *codec_rates_error(void);

/* Give every codec of the method that is coded, and whose cost says neither a rate nor a curve nor 'measured', the rate that its place
 * has in the file; list in out->defaults what was given, or that there is nothing to give. */
void codec_rates_supply(struct arena *a, struct point *out);

#endif
