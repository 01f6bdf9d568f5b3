/* outcome.h - what one codec does to one tensor over several steps, with its state kept from step to step.
 * Bytes      of the wire: payloads and the headers of their streams. Those of several tensors add up: outcome_merge().
 * Times      encode_s and decode_s: of all steps, of each the median of calls from the same state, with the whole
 *            stream: sealed, opened, checked.
 * Errors     NW_EINPUT if a codec does not read what it wrote, NW_ENOMEM; the message has been printed. */
#ifndef NARROWS_HARNESS_COMPARE_OUTCOME_H
#define NARROWS_HARNESS_COMPARE_OUTCOME_H

#include "harness/compare/contender.h"
#include "harness/compare/fidelity.h"

struct outcome {
    size_t tensors, values; /* values: of all steps */
    double payload_bytes, header_bytes;
    struct fidelity each;    /* each step's gradient against what is decoded in that step */
    struct fidelity arrived; /* the sum of all steps' gradients against the sum of what was decoded: error feedback */
    double encode_s, decode_s;
    size_t nans, infinities; /* among the values */
};

/* steps[0..nsteps): the same tensor in each step. Calls are repeated for about 'seconds' in all, at least three times a
 * step, or once where a call takes more than 20 ms. */
int outcome_measure(const struct contender *c, const struct tensor *const *steps, size_t nsteps, double seconds,
                    struct outcome *out);
void outcome_merge(struct outcome *o, const struct outcome *other);

/* Bits of a value on the wire, headers included; fp32 bytes divided by those of the wire; NaN without values. */
double outcome_bits(const struct outcome *o);
double outcome_ratio(const struct outcome *o);
/* fp32 bytes a second. */
double outcome_encode_Bps(const struct outcome *o);
double outcome_decode_Bps(const struct outcome *o);

#endif
