/* record.h - training runs that were computed elsewhere, as a file, and the file's runs in a database as what they are:
 * recorded there and then (facts/33_record.sql). Nothing else of the two databases is touched.
 * Rounding   losses of single steps keep 17 bits, learning rates and thresholds 25; measures, evaluations, bytes and
 *            times are exact.
 * Errors     harness status; the message has been printed. What fails leaves file and database as they were. */
#ifndef NARROWS_HARNESS_RECORD_RECORD_H
#define NARROWS_HARNESS_RECORD_RECORD_H

#include <stddef.h>
#include <stdint.h>

struct store;

/* What computed the runs. */
struct record_sources {
    const char *trainer, *simulator; /* 16 hex digits each */
};

struct record_counts {
    size_t runs, training_runs, bytes;
};

/* These runs with all that belongs to them, to a file. The caller knows that they are of these sources. */
int record_export(struct store *s, const int64_t *runs, size_t nruns, const struct record_sources *sources,
                  const char *path, struct record_counts *out);

/* The file's runs into the database, in one transaction. 1 if they were added, 0 if a file with the same contents was
 * imported before: then only who checked it is noted, where the file says more of that than the database. */
int record_import(struct store *s, const char *path, struct record_counts *out);

/* The file's runs as the database's own, so that a sweep goes on from them on another machine. What the database has of
 * them stays as it is; 'out' counts the file's. 'trainer' is this program's; NW_EINPUT if the file's is another. */
int record_resume(struct store *s, const char *path, const char *trainer, struct record_counts *out);

#endif
