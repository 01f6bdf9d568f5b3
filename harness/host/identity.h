/* identity.h - what produced a result: the program, how it was built, the machine. Stored with every run.
 * Ownership  every string is static: valid for the life of the process.
 * Threads    any.
 * Errors     none: what is unknown is left out, or "unknown". */
#ifndef NARROWS_HARNESS_HOST_IDENTITY_H
#define NARROWS_HARNESS_HOST_IDENTITY_H

const char *identity_version(void); /* "0.1.0" */
const char *identity_commit(void);  /* git describe --always --dirty at build time; "unknown" outside a repository */
const char *identity_build(void);   /* "gcc 12.2.0, Release -O3 -ffp-contract=off, OpenMP, CUDA 13.0.88 (75 80 90)" */

/* "Intel(R) Xeon(R) Processor, 2 cores, 23.5 GiB", and ", 2 x Tesla K80" where a driver lists GPUs. Measurements with
 * the same text are from the same kind of machine. */
const char *identity_machine(void);

#endif
