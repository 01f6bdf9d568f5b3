/* allreduce_lay.h - a data-parallel job's steps as a graph of tasks. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_LAY_H
#define NARROWS_SIM_METHOD_ALLREDUCE_LAY_H

#include <stdbool.h>

#include "sim/method/allreduce/plan.h"

/* What a task counts for; those that are not measured, of the first steps and of all workers but the first, count for the
 * same row + AR_ROWS. A copy between a GPU and the memory where a codec runs belongs to encoding or decoding. */
enum ar_row { AR_COMPUTE, AR_COMM, AR_ENCODE, AR_DECODE, AR_UPDATE, AR_OFFLOAD, AR_ROWS };

/* One of the workers that are played. */
struct crew {
    int stream;            /* its GPU, or its share of the CPU's cores */
    int copy_out, copy_in; /* its GPU's copy engines; -1: not used */
    int pool;              /* threads of its machine that code; -1: the stream does */
    int share;             /* of the batch */
    int last;              /* the last task of its program so far; -1: none */
};

struct laid_step {
    const struct plan *plan;
    struct engine *e;
    struct topology *topology;
    struct crew *crews;
    int slots, link;   /* what buckets on their way hold; COLLECTIVE_ANALYTIC: what a closed form's task holds */
    int *updated;      /* [bucket][worker]: the task after which the bucket's weights are new; -1: from the start */
    int *fetched;      /* [layer][worker]: the layer's activations are back */
    int *ready, *done; /* [worker]: of the bucket that is being laid */
    int64_t step;      /* that is being laid */
    int64_t warm, measured;
    int *ends; /* [step]: the end of its backward pass, of all workers */
};

int laid_new(const struct plan *p, struct laid_step *out, char *why, size_t nwhy);
void laid_free(struct laid_step *g);

/* Lay all steps. Status; what the engine refuses, engine_run() answers. */
int laid_tasks(struct laid_step *g);

/* A bucket's way through the network: of the backward pass's gradients ready[] it makes the exchanged ones done[]
 * (allreduce_exchange.c). */
int laid_exchange(struct laid_step *g, size_t bucket);

/* A worker's task of the row that is about 'item': a layer, or nlayers + bucket. */
int laid_compute(struct laid_step *g, int64_t worker, int resource, int64_t ps, enum ar_row row, size_t item);
void laid_after(struct laid_step *g, int task, int earlier); /* -1: nothing */
int laid_label(const struct laid_step *g, int64_t worker, enum ar_row row);

/* Copy between a GPU and its machine's memory. */
int laid_copy(struct laid_step *g, int64_t worker, bool out, int64_t bytes, enum ar_row row, size_t item);

#endif
