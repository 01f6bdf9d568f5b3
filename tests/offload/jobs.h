/* jobs.h - work for an offload whose results are known: every byte that should have moved, and those around it, are
 * compared. The same jobs run on every back end. */
#ifndef NARROWS_TESTS_OFFLOAD_JOBS_H
#define NARROWS_TESTS_OFFLOAD_JOBS_H

#include "harness/offload/offload.h"

/* How a test reaches a back end's device memory; when it does, nothing is under way. */
struct machine {
    void (*write)(void *dst, const void *src, size_t nbytes); /* host to device */
    void (*read)(void *dst, const void *src, size_t nbytes);  /* device to host */
    backend_work_fn *copy;                                    /* arg: struct device_copy */
};

struct device_copy {
    void *dst;
    const void *src;
    size_t nbytes;
};

extern const struct machine host_machine; /* device memory is the host's */

/* What a job found: bytes that differ, or the status that stopped it. */
struct finding {
    long wrong;
    int rc;
};

typedef struct finding job_fn(const struct machine *m, struct offload *o);

job_fn job_push;    /* layers of all sizes, several versions, host weights overwritten as soon as that is allowed */
job_fn job_update;  /* new weights pushed while launched work still reads the old ones */
job_fn job_pull;    /* pieces of all sizes */
job_fn job_tensors; /* the schedule of vDNN: tensors leave while the next is computed, and come back */

struct named_job {
    const char *name;
    job_fn *run;
};
enum { NJOBS = 4 };
extern const struct named_job jobs[NJOBS];

#endif
