/* tasks.h - the steps of a data-parallel job as a graph of tasks. */
#ifndef NARROWS_SIM_METHOD_ALLREDUCE_TASKS_H
#define NARROWS_SIM_METHOD_ALLREDUCE_TASKS_H

#include <stdbool.h>

#include "sim/method/allreduce/plan.h"

/* The row that a task counts for. Tasks that are not measured (of the first steps, and of all workers but the first)
 * count for row + AR_ROWS. A copy between a GPU and the memory where a codec runs counts as encoding or decoding. */
enum ar_row { AR_COMPUTE, AR_COMM, AR_ENCODE, AR_DECODE, AR_UPDATE, AR_OFFLOAD, AR_ROWS };

/* A worker that is played. */
struct ar_worker {
    int stream;            /* its GPU, or its share of the CPU's cores */
    int copy_out, copy_in; /* its GPU's copy engines; -1: not used */
    int pool;              /* its machine's threads that run the codec; -1: the stream does */
    int slots;             /* of buckets in transfer, where each worker has its own; else -1 */
    int share;             /* of the batch */
    int last;              /* the last task of its program so far; -1: none */
};

struct ar_step {
    const struct ar_plan *plan;
    struct engine *e;
    struct topology *topology;
    struct ar_worker *crews;
    int slots, link;   /* resources that a bucket's exchange holds; 'link': of the task of a bucket that is timed */
    int starts;        /* where buckets take turns to start; -1: that takes no time */
    int *updated;      /* [bucket][worker]: the task after which the bucket's weights are new; -1: from the start */
    int *fetched;      /* [layer][worker]: the layer's activations are back */
    int *ready, *done; /* [worker]: of the present bucket */
    int64_t step;      /* the one being added */
    int64_t warm, measured;
    int *ends; /* [step]: the end of its backward pass, of all workers */
};

int ar_new(const struct ar_plan *p, struct ar_step *out, char *why, size_t nwhy);
void ar_free(struct ar_step *g);

/* Adds all steps. Status; engine_run() returns the engine's errors. */
int ar_tasks(struct ar_step *g);

/* exchange.c: adds the exchange of a bucket: from the gradients ready[] to the exchanged ones done[]. */
int ar_exchange(struct ar_step *g, size_t bucket);

/* coding.c: a worker encodes the bucket when ready[] has ended; with parts of all others in done[] it decodes them and
 * encodes their sum; decodes what came when done[] has ended. Each answers the last task of it. */
int ar_encode(struct ar_step *g, size_t bucket, int64_t worker);
int ar_merge(struct ar_step *g, size_t bucket, int64_t worker);
int ar_decode(struct ar_step *g, size_t bucket, int64_t worker);
size_t ar_item(const struct ar_step *g, size_t bucket);

/* A task of a worker; 'item' is a layer, or nlayers + bucket. */
int ar_compute(struct ar_step *g, int64_t worker, int resource, int64_t ps, enum ar_row row, size_t item);
void ar_after(struct ar_step *g, int task, int earlier); /* -1: nothing */
int ar_label(const struct ar_step *g, int64_t worker, enum ar_row row);

/* Order among all workers: when the graph is executed, each keeps it for itself. */
int ar_each(struct ar_step *g, int task);

/* Copy between a GPU and its machine's memory. */
int ar_copy(struct ar_step *g, int64_t worker, bool out, int64_t bytes, enum ar_row row, size_t item);

#endif
