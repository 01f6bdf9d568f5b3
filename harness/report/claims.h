/* claims.h - what a paper concludes from its trainings, each conclusion beside what ours came to. */
#ifndef NW_HARNESS_REPORT_CLAIMS_H
#define NW_HARNESS_REPORT_CLAIMS_H

#include <stddef.h>
#include <stdio.h>

struct sqlite3;

/* What a claim takes to hold is settled before anything is trained. The query's one row is what came out, in words, and 1 or 0; no row,
 * or NULL, where the trainings for it are not there. Its ?1 is the size of the trainings. */
struct claim {
    const char *says, *takes, *sql;
};

/* Prints all of them, and how many of those that can be told hold. 0 or NW_EDB. */
int claims_print(struct sqlite3 *db, FILE *out, const struct claim *claims, size_t nclaims, const char *size);

#endif
