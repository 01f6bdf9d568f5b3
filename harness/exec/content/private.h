/* private.h - private to the content: what all methods share, and the two kinds of it. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_PRIVATE_H
#define NARROWS_HARNESS_EXEC_CONTENT_PRIVATE_H

#include <stdbool.h>

#include "harness/exec/content/coder.h"
#include "harness/exec/content/content.h"

/* Tensors that travel together: [first, first + n) of the graph's. */
struct item {
    size_t first, n;
};

struct vectors;
struct parameters;
struct turns;

struct content {
    const struct task_graph *graph;
    int32_t rank;
    int32_t nitems; /* the largest item, and one: those without tensors are empty */
    struct item *items;
    int64_t *at; /* of each tensor among the values */
    int64_t nvalues;
    float *gradients;
    struct turns *turns; /* NULL: gradients are the same in every step */
    bool known;          /* gradients are the pattern, and nothing loses a bit */
    int64_t sent_bytes;
    void *plain; /* what is sent where there are no tensors */
    struct vectors *vectors;
    struct parameters *parameters;
};

/* The gradient of a rank at a place among all values: a small whole number. */
float content_pattern(int32_t rank, int64_t place);

/* turns.c: this rank's gradient of a tensor, as it is in the next step. */
int turns_open(struct content *c);
void turns_close(struct content *c);
const float *content_next(struct content *c, size_t tensor);

/* The coder of what this rank sends of a tensor: payloads of some ranks are denser than those of others. */
int content_coder(const struct content *c, size_t tensor, struct coder *out);

/* Do its payloads reach every rank, where they are not cut in parts (parts.h)? */
static inline bool content_gathers(const struct codec *codec)
{
    return codec->class == CODEC_GATHERED || codec->class == CODEC_SCATTERED;
}

int vectors_open(struct content *c);
void vectors_close(struct content *c);
int vectors_message(struct content *c, int32_t task, const void **bytes, size_t *n);
int vectors_arrived(struct content *c, int32_t task, void *bytes, size_t n);
float *vectors_floats(struct content *c, int32_t item, size_t *n);
int vectors_work(struct content *c, int32_t task);
int64_t vectors_wrong(const struct content *c);

/* The decoded sums of an item's values; NULL where nothing was encoded. */
const float *content_sums(const struct content *c, int32_t item);

int parameters_open(struct content *c);
void parameters_close(struct content *c);
void parameters_restart(struct content *c);
int parameters_message(struct content *c, int32_t task, const void **bytes, size_t *n);
int parameters_arrived(struct content *c, int32_t task, void *bytes, size_t n);
int parameters_work(struct content *c, int32_t task);
int64_t parameters_wrong(const struct content *c);

#endif
