/* store.h - the results database: facts are inserted once and never updated; everything derived is a view.
 * Units      in the schema's comments and in the 'unit' columns.
 * Ownership  the store copies what it is given. One thread per handle; many processes per file.
 * Durability WAL, one transaction per point: a killed process loses at most the point that it was computing.
 * Errors     0, or NW_EDB / NW_EIO with the message printed to stderr: the file, what was tried, SQLite's words. */
#ifndef NARROWS_HARNESS_STORE_STORE_H
#define NARROWS_HARNESS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sqlite3;
struct store;

/* The default path of the database. */
#define STORE_DEFAULT "out/narrows.db"

/* In place of a path: a database in memory, which is lost when it is closed. */
#define STORE_NOWHERE ":memory:"
bool store_nowhere(const char *path);

/* Can a database be written or created there? Changes and prints nothing. */
bool store_writable(const char *path);

/* Is this folder on a filesystem of this machine alone? Prints nothing. */
bool store_local(const char *folder);

/* Open or create, migrate to the current schema, and recreate views and the papers' values if they are not this
 * program's. The folder of STORE_DEFAULT is created; any other must exist. Refuses a file that is not a narrows
 * database, one from a newer program (the message has both numbers), one on a network filesystem. */
int store_open(const char *path, struct store **out);
/* Open for reading only, also on a network filesystem if nobody was writing there; NW_EDB if the file is missing. One
 * that is older, or has another program's views, is brought up to date first, or refused with NW_EDB if it cannot be
 * written. */
int store_open_readonly(const char *path, struct store **out);
/* The database as a file would hold it, to be freed with sqlite3_free(); NULL after a message. And one that is read
 * from such bytes, which must last until it is closed: NW_EDB if another program's schema is in them. 'name' is for
 * messages. */
unsigned char *store_bytes(struct store *s, size_t *n);
int store_open_bytes(const char *name, unsigned char *bytes, size_t n, struct store **out);
void store_close(struct store *s);             /* accepts NULL */
struct sqlite3 *store_handle(struct store *s); /* for readers: the report's queries */
/* Add a user's definitions of a paper to those of the program: all of 'sql' or nothing. They last until the database is
 * next opened for writing. 'file' is for messages. */
int store_define(struct store *s, const char *file, const char *sql);

/* --- facts about a run --- */
struct run_fact {
    const char *command;  /* argv, joined */
    const char *scenario; /* its name, "" for a bench */
    const char *title;
    const char *notes;
    const char *baseline; /* variant that gains are counted from, "" if none */
    const char *figure;   /* template that draws it, "" if none */
    const char *file;     /* path as given */
    const char *commit;   /* of the program, "-dirty" appended if the tree was */
    const char *build;    /* compiler and flags */
    const char *machine;  /* CPU model, cores, memory, GPU */
    int64_t seed;
    size_t npoints; /* how many the scenario has */
};
int store_run(struct store *s, const struct run_fact *run, int64_t *run_id);
int store_run_finished(struct store *s, int64_t run_id); /* a row in run_end: absent for a killed run */

/* --- points --- */
struct param_fact {
    const char *path, *text;
    double value;
    const char *unit;
}; /* value NaN is stored as NULL */
struct measure_fact {
    const char *name;
    double value;
    const char *unit;
};
struct cell_fact {
    const char *paper, *table, *row, *column, *measure;
};
struct timeline_fact;
struct plan_fact;
struct training_fact;
struct point_fact {
    const char *key; /* 32 hex digits: hash of the canonical scenario, the variant and the simulator */
    const char *variant;
    size_t index, combination;
    const struct param_fact *params;
    size_t nparams;
    const struct measure_fact *measures;
    size_t nmeasures;
    const struct cell_fact *cells;
    size_t ncells;
    const struct timeline_fact *timeline; /* what ran when, to be stored with the point; NULL: not kept */
    const struct plan_fact *plan;         /* its memory plan, in the same way */
    const struct training_fact *training; /* how it was trained (trace.h), in the same way; an existing one is kept */
};

/* Store a point and all that belongs to it in one transaction and list it under the run. A point whose key is stored
 * already (by an earlier run, another process) is only listed. */
int store_point(struct store *s, int64_t run_id, const struct point_fact *point);

/* List under the run those of the keys that are stored already, all in one transaction; present[i] tells which.
 * points[] needs key, variant, index, combination, params and cells (cells and params are of the scenario, so they are
 * stored with the listing, not with the point: see the schema). */
int store_claim_existing(struct store *s, int64_t run_id, const struct point_fact *points, size_t n, bool *present);

/* Is a point with this key stored? 1, 0, or negative. */
int store_has_point(struct store *s, const char *key);

/* --- timelines: what ran when, for points for which it was requested --- */
struct task_fact {
    int64_t id;               /* the flow's number in its file, else the task's in its graph */
    const char *name, *track; /* "push conv1", "gpu 3" */
    int64_t slot;             /* tasks of one track and slot do not overlap */
    int64_t start_ps, end_ps;
    int64_t bytes; /* -1: no transfer */
};
struct timeline_fact {
    int64_t from_ps, to_ps; /* only what touches this window was kept; to_ps 0: to the end */
    size_t left_out;        /* number of tasks beyond the most that are kept */
    const struct task_fact *tasks;
    size_t ntasks;
};
/* Store the tasks of the point with this key, in their order, all in one transaction. A point that has a timeline
 * already keeps the one it has. NW_EDB if there is no such point. */
int store_tasks(struct store *s, const char *key, const struct timeline_fact *timeline);

/* --- memory plans, operation by operation --- */
struct plan_step_fact {
    const char *name, *layer; /* layer "": the operation belongs to no layer */
    bool backward;
    int64_t duration_ps;
    int64_t generated_bytes, offloadable_bytes, offloaded_bytes, live_bytes;
};
struct plan_fact {
    const struct plan_step_fact *steps;
    size_t nsteps;
};
/* Store the plan of the point with this key in one transaction. A point that has one already keeps it. NW_EDB if there
 * is no such point. */
int store_plan(struct store *s, const char *key, const struct plan_fact *plan);

/* --- calibrations: a fitted constant and the observation it was fitted to --- */
struct calibration_fact {
    const char *platform; /* platform.name */
    const char *constant; /* full path of the key */
    double value;
    const char *unit;         /* "" for a share */
    const char *scenario;     /* the scenario that fitted it */
    struct cell_fact cell;    /* the observation; its measure */
    double observed, reached; /* published and simulated with the fitted value */
    const char *measured_on;  /* "" for a paper's observation; the machine for one measured here */
};
int store_calibration(struct store *s, int64_t run_id, const struct calibration_fact *fact);

/* Something in the scenario, 'what', was chosen with an eye on this cell (its measure is not looked at). A cell that
 * several name keeps the first. */
int store_assumption(struct store *s, int64_t run_id, const struct cell_fact *cell, const char *what);

/* A fit made again without one cell, the constants that it gives, and what then comes out for the cells of points; all
 * in one transaction. */
struct refit_cell_fact {
    size_t position;
    struct cell_fact cell;
    double ours;
};
struct refit_fact {
    size_t place; /* among those of the run */
    const char *platform;
    struct cell_fact left; /* its measure is not looked at */
    char *const *constants;
    const double *values;
    size_t nconstants;
    const struct refit_cell_fact *cells;
    size_t ncells;
};
int store_refit(struct store *s, int64_t run_id, const struct refit_fact *fact);

/* Earlier fits, by the key of their inputs: store_fit_find() fills rows[0..n) and returns 1, 0 if there is no fit of
 * that key with n rows, or negative. A key stored twice keeps its first rows. */
struct fit_fact {
    double value; /* of the row's constant; NaN for a row without one */
    double reached;
};
int store_fit(struct store *s, const char *key, const struct fit_fact *rows, size_t n); /* one transaction */
int store_fit_find(struct store *s, const char *key, struct fit_fact *rows, size_t n);

/* Published value of a cell. 1 and *value set, 0 if the papers' tables have none, or negative. *unit lives until the
 * next call; it may be NULL. */
int store_paper_value(struct store *s, const char *paper, const char *table, const char *row, const char *column,
                      double *value, const char **unit);

/* --- timed repetitions of a kernel: one row for each (run, kernel, impl, variant, values, rep) --- */
struct sample_fact {
    const char *kernel;  /* "adt_pack" */
    const char *impl;    /* "avx512vbmi" or, for the anchor, "nt_copy" */
    const char *variant; /* "keep=3 threads=1" */
    int64_t values;      /* floats */
    int64_t bytes_moved; /* that must move: read + written */
    int64_t rep;
    int64_t elapsed_ns;
    int64_t anchor_ns; /* the anchor's repetition paired with this one; 0 for the anchor's own rows */
    int64_t anchor_bytes;
};
int store_samples(struct store *s, int64_t run_id, const struct sample_fact *samples, size_t n); /* one transaction */

/* The anchor of a kernel timed at one size, and its bits on the wire: one row for each (run, kernel, impl, variant,
 * values), stored before its samples are summed up by the view bench. */
struct bench_fact {
    const char *kernel, *impl, *variant; /* as in its samples */
    int64_t values;
    int64_t place;                    /* in the order of timing */
    const char *group, *option;       /* "threelc", "density=5%" */
    int threads;                      /* 0: on a device */
    const char *anchor, *anchor_impl; /* "" for an anchor itself */
    double flops;                     /* a repetition; 0: the rate is one of bytes */
    double bits;                      /* a value on the wire; 0: nothing is sent */
};
int store_bench_work(struct store *s, int64_t run_id, const struct bench_fact *fact);

/* GB/s of bytes that must move of 'kernel' with 'variant' on 'machine': the median of the fastest implementation in the
 * newest bench (of its largest size, if it timed several), or else what a run timed for itself and recorded as a
 * calibration. 1 and *Bps (bytes per second) and impl set, 0 if there is neither, or negative. */
int store_measured_rate(struct store *s, const char *machine, const char *kernel, const char *variant, double *Bps,
                        char *impl, size_t nimpl);

#endif
