/* plan.h - a data-parallel job worked out before it is played: where each worker computes, how long each layer takes,
 * which tensors travel together, and over which hops.
 * Ownership  ar_plan_free() releases what ar_plan_make() made; the job must outlive the plan. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_PLAN_H
#define NARROWS_SIM_METHOD_ALLREDUCE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/collective/collective.h"
#include "sim/method/method.h"
#include "sim/network/topology.h"

/* Weights, biases, or one of batch norm's two: one tensor to the codec. */
struct gradient {
    size_t layer, bucket;
    int64_t values, row;          /* row: of the matrix that a codec with second_bytes makes of it, or 0 */
    int64_t encode_ps, decode_ps; /* of one payload */
};

/* Tensors that travel together, in the order of the backward pass: a range of them. */
struct bucket {
    size_t first, end;
    int64_t values;
    int64_t reduce_bytes, gather_bytes; /* on the wire, of one worker (of the mean one, if they are uneven): what is
                                           all-reduced, what is all-gathered */
    int64_t second_bytes;               /* and what is all-reduced when reduce_bytes are: of codecs in two rounds */
    int64_t part_bytes;                 /* and one of as many parts as there are workers of what is scattered */
    int64_t part_values;                /* ... which has so many values; 0: nothing is */
    int64_t encode_ps, decode_ps;       /* of one payload, sums over its tensors; or of one part */
    int64_t update_ps;
    int64_t wait_ps;                 /* from its last tensor to the end of the cycle */
    int64_t time_ps, crossing_bytes; /* 'timed': and the bytes that cross a machine's NIC */
    int64_t return_ps; /* 'timed': after that, and after the work on parts, the all-gather of their sums */
};

enum { SHARE_LARGER, SHARE_SMALLER, SHARES }; /* of a batch that does not divide evenly: they differ by one sample */

struct ar_layer {
    int64_t forward_ps[SHARES], backward_ps[SHARES];
    int64_t offload_bytes[SHARES]; /* on the link */
    size_t first_bucket, end_bucket;
};

struct ar_plan {
    const struct job *job;
    const struct allreduce *method;
    struct platform platform; /* as it is played: with one or two machines, where those stand for all */
    struct ar_layer *layers;
    struct gradient *tensors;
    struct bucket *buckets;
    size_t *by_size; /* the buckets' numbers, smallest first */
    size_t ntensors, nbuckets;
    struct codec_spec codec[2]; /* of a layer that the codec does not take, and of one that it takes */
    int64_t local_steps;        /* from one exchange to the next, the codec's counted */
    int64_t start_ps;           /* from when all have a bucket until its exchange may begin */
    bool scatters;              /* the codec's payloads are cut in parts */
    int64_t encodes;            /* payloads (or parts) that each worker encodes at first; 0: there is no codec */
    int64_t codes;              /* and that it decodes at a time */
    bool host_ends;             /* the collective leaves from the machines' memory, not from the GPUs */
    bool timed;                 /* a bucket's exchange is one task as long as its time_ps */
    bool by_steps;              /* the ranks placed stand for others */
    int64_t placed;             /* workers that are played */
    /* Messages do not slow each other down; false also where this was not computed. */
    bool apart;
    /* Of the algorithm, of an all-gather: messages of one size that start together arrive together. */
    bool lockstep, ring_lockstep;
    struct collective_shape shape, ring; /* of the algorithm, and of an all-gather */
};

/* Sizes and times of the tensors and buckets of a job that passed allreduce_check_keys(). E_NOMEM; E_INVAL for what
 * level_check_plan() refuses. */
int ar_plan_make(const struct job *j, struct ar_plan *out, char *why, size_t nwhy);
void ar_plan_free(struct ar_plan *p);

/* Which end of the platform a worker's messages leave from. */
struct end ar_plan_end(const struct ar_plan *p, int64_t worker);

/* fusion.c: which tensors begin another bucket than the one before them, besides those that do not fit into it, and how
 * long each bucket waits. Needs layers and tensors. */
void ar_fusion_cuts(const struct ar_plan *p, bool cut[]);
void ar_fusion_waits(struct ar_plan *p);

/* scatter.c: the parts that a bucket with so many coded values is cut in. */
void ar_scatter_parts(const struct ar_plan *p, struct bucket *b, int64_t values);
double ar_scatter_sent_bytes(const struct ar_plan *p, const struct bucket *b);
double ar_scatter_state_bytes(const struct ar_plan *p);
int ar_scatter_times(const struct ar_plan *p, struct bucket *b); /* adds to time_ps and crossing_bytes; return_ps */

/* payload.c: what a worker sends of a bucket that is all-gathered. */
int64_t ar_payload_bytes(const struct ar_plan *p, const struct bucket *b, int64_t worker);

/* check.c: all checks that need no plan. */
int allreduce_check_keys(const struct job *j, char *why, size_t nwhy);

/* check_buckets.c: those of how buckets are made, started and waited for. */
int allreduce_check_buckets(const struct allreduce *a, char *why, size_t nwhy);

/* Refuse what a level would get wrong: from the keys alone (level.c), and from buckets and links (level_plan.c). */
int level_check_keys(const struct job *j, char *why, size_t nwhy);
int level_check_plan(const struct ar_plan *p, char *why, size_t nwhy);
const char *level_name(const struct allreduce *a); /* of the two that do not play every worker */

/* measured.c: COLLECTIVE_MEASURED, whose buckets take as long as the platform says. */
int ar_measured_check(const struct job *j, char *why, size_t nwhy);
int ar_measured_times(const struct ar_plan *p, struct bucket *b); /* time_ps, crossing_bytes */

/* hops.c: rate, latency and framing of messages while all workers send: shape, ring, apart and lockstep. Needs the
 * platform as it is played. */
int ar_plan_hops(struct ar_plan *p, char *why, size_t nwhy);

/* Bytes that one worker sends in a step, and would send without a codec and without local steps. */
double ar_plan_sent_bytes(const struct ar_plan *p);
double ar_plan_uncoded_bytes(const struct ar_plan *p);

int64_t ar_plan_samples(const struct ar_plan *p, int share);

#endif
