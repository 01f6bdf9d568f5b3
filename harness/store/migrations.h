/* migrations.h - the SQL of results_schema/, embedded by the build. Migration i takes a file from user_version i to
 * i + 1; a file that has been released is never edited, a correction is a new one. */
#ifndef NARROWS_HARNESS_STORE_MIGRATIONS_H
#define NARROWS_HARNESS_STORE_MIGRATIONS_H

struct migration {
    const char *file; /* its path in results_schema/, for messages */
    const char *sql;
};

extern const struct migration migrations[];
extern const int nmigrations; /* the user_version this program writes and understands */

/* "NRWS": tells a database of ours from any other. */
#define NARROWS_APPLICATION_ID 0x4e525753

#endif
