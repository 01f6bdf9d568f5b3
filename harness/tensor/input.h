/* input.h - bytes in order, from a file, memory or a member of an archive: what the readers of tensors read from.
 * Ownership  input_close() releases what input_open() took; what input_memory() gets stays the caller's.
 * Errors     0 or a negative nw_status, with the message on 'err': "FILE: PART: ...". Control characters of names and
 *            headers are printed as '?'. */
#ifndef NARROWS_HARNESS_TENSOR_INPUT_H
#define NARROWS_HARNESS_TENSOR_INPUT_H

#include <stdint.h>
#include <stdio.h>

struct input {
    const char *file, *part; /* part: of an archive, or NULL */
    FILE *err;
    uint64_t size, at;                                     /* bytes in all; those that were read or skipped */
    int64_t (*pull)(struct input *in, void *to, size_t n); /* at most n bytes; 0: it ends here; negative: status */
    void *source;
    const uint8_t *bytes; /* where it is memory, else NULL */
    int fd;
};

/* "-" is standard input. What is not a regular file is read into memory at once. */
int input_open(struct input *in, const char *path, FILE *err);
void input_memory(struct input *in, const char *name, const uint8_t *bytes, size_t nbytes, FILE *err);
void input_close(struct input *in);

/* All n bytes; NW_EINPUT if it ends before, 'what' being what was expected there. */
int input_read(struct input *in, void *to, size_t n, const char *what);

/* The first bytes, at most n, without reading them: how many there are in *got. Only before anything else was read. */
int input_peek(struct input *in, void *to, size_t n, size_t *got);

void input_skip(struct input *in, uint64_t n);
static inline uint64_t input_left(const struct input *in)
{
    return in->size - in->at;
}

/* Print why, without a newline in 'format'; NW_EINPUT. */
int input_refuse(const struct input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
void input_say(const struct input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
int input_no_memory(const struct input *in, double nbytes); /* NW_ENOMEM */

#endif
