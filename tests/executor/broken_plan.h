/* broken_plan.h - plans that are wrong on purpose: what is changed in them, and the errors that are expected. */
#ifndef NARROWS_TESTS_EXECUTOR_BROKEN_PLAN_H
#define NARROWS_TESTS_EXECUTOR_BROKEN_PLAN_H

#include "tests/executor/plans.h"
#include "tests/test.h"

enum { BROKEN_SCHEDULES = 4 };
extern const enum schedule broken_schedules[BROKEN_SCHEDULES];

struct memory_plan broken_make(struct model *m, enum schedule schedule, int64_t patches, bool residual);
void broken_drop(struct memory_plan *plan, struct model *m);

/* Do no two buffers overlap that are alive at the same time? */
bool broken_valid(const struct lifetimes *l);
size_t broken_buffer_of(const struct lifetimes *l, int32_t storage, int32_t part);
bool broken_reads(const struct memory_plan *plan, int32_t operation, int32_t storage);

/* Move both to the top of the pool, where nothing else is. */
void broken_stack(struct lifetimes *l, struct placement *pool, size_t a, size_t b);

/* What a test may change, to be put back. */
struct broken_saved {
    int64_t offsets[4096], homes[1024], height, home_height;
};

void broken_save(const struct memory_plan *plan, struct broken_saved *s);
void broken_restore(struct memory_plan *plan, const struct broken_saved *s);

/* The text must name the operation and the layer whose tensor it is. */
void broken_check_text(const struct memory_plan *plan, const struct executor_error *f);

/* STAMP must find the first error at this operation, in this storage. */
void broken_expect_error(const char *what, const struct memory_plan *plan, enum lazy_mode mode, int32_t operation,
                         int32_t storage);

/* REAL must refuse the plan before it runs: the text names the operation and both areas that overlap. */
void broken_expect_refusal(const char *what, const struct memory_plan *plan, int32_t operation, const char *first,
                           const char *second);
void broken_name_of(const struct memory_plan *plan, int32_t storage, char text[128]);

#endif
