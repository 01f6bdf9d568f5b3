/* stand_ins.h - what the emulated test of the backend "cuda" has in place of CUDA's runtime and libraries: memory is
 * the process's own, work is done when a call returns, products and convolutions are plain loops that check what they
 * get. */
#ifndef NARROWS_TESTS_TRAIN_OPS_CUDA_STAND_INS_H
#define NARROWS_TESTS_TRAIN_OPS_CUDA_STAND_INS_H

#include <stdbool.h>
#include <stddef.h>

extern struct stand_ins {
    /* To be set: */
    bool dnn_takes; /* windows padded alike at both ends */
    int fail_multiply, fail_dnn;
    /* Counted: */
    int products, convolutions;
    int marks_set, marks_waited;
    void *mark_stream, *waiting_stream; /* of the last mark, and of the last wait */
    int finished;
    /* A download that nobody has waited for. */
    void *to_host, *download_stream;
    const void *from;
    size_t nbytes;
} stand_ins;

#endif
