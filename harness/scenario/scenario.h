/* scenario.h - a scenario file as a list of points ready to simulate or to train.
 * A file names a platform, a model and a method, or a model and its training, or all four. Overrides change any key,
 * axes sweep any key, and variants are named sets of overrides: every combination of the axes is run with each variant.
 * Reading is strict: all errors are reported with their places, and a file with an error yields nothing.
 * Units      every number is in base units once bound: bytes, bytes/s, FLOP/s, seconds.
 * Ownership  scenario_close() frees what scenario_open() gives, point_free() a point. Strings inside a point live as
 *            long as its file.
 * Threads    after scenario_open() returns, scenario_point() and the other readers may run on many threads at once.
 * Errors     0, or NW_EINPUT (NW_EIO for a file of flows or of data that cannot be read) after the errors were printed
 *            to 'err', or NW_ENOMEM. */
#ifndef NARROWS_HARNESS_SCENARIO_SCENARIO_H
#define NARROWS_HARNESS_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/scenario/training.h"
#include "model/model.h"
#include "sim/method/method.h"
#include "sim/platform.h"

/* What a point simulates, trains, or both: everything the result depends on. Bound through the schema tables. */
struct scenario {
    bool simulated, trained;
    struct platform platform; /* this, 'method' and 'batch' are all zero if nothing is simulated */
    struct model_spec model;  /* all zero without one: method_has_model() */
    struct method method;
    int64_t batch;            /* samples per step, over all workers */
    struct training training; /* all zero if nothing is trained */
};

/* One cell of a published table that a point covers. The texts are already expanded: {variant}, {model.name}, {batch},
 * any scalar path in braces. */
struct cell {
    const char *paper, *table, *row, *column, *measure;
    size_t place; /* of its row in the file's list, from 0 */
};

/* A constant to fit so that 'measure' of variant 'variant' equals a published cell. */
struct fit {
    const char *constant; /* NULL: none; the cell is one more observation to fit */
    struct cell cell;
    const char *unit; /* of the constant, from the schema: "bytes/s", "s", "" for a plain number */
    double start;     /* where fitting starts, from the schema: 1e9 for a rate, 1e-3 for a time, else 0.1 */
    double most;      /* the largest value that the schema allows; 0: no limit */
};

/* A published cell with an eye on which something in the scenario was chosen. */
struct chosen_cell {
    const char *what; /* the assumption */
    const char *paper, *table, *row, *column;
};

/* The time that a trained scenario's steps would take on the machines of another scenario: its points of the same
 * variant are simulated step by step, with the bytes that each step really sent. */
struct trained_time {
    const char *scenario; /* a file, as it can be opened */
    const char *label;    /* put before the labels of that scenario's axes; may be "" */
    /* Its keys for bits per pushed value, bits per pulled value, bytes per pulled weight; "": none. */
    const char *push, *pull, *weights;
    int64_t every; /* steps that are simulated as one; 0: a fiftieth of all */
};

struct point_param {
    const char *path;
    const char *text;
    double value; /* NaN for text */
    const char *unit;
};

/* A codec's rate that the scenario does not give, and the default used for it (scenarios/codec-rates.csv). */
struct point_default {
    const char *path; /* "method.gradients.encode.rate" */
    double rate_Bps;  /* 0: unknown, so that it takes no time */
    bool measured;    /* else assumed */
    double moved;     /* bytes moved in GPU memory per value, if the rate is assumed from these; else 0 */
    const char *why;
};

struct point {
    struct scenario scenario;
    size_t index;               /* place in the scenario, 0-based; variants vary fastest, then the last axis */
    size_t combination;         /* index over the axes alone: equal for the variants of one combination */
    const char *variant;        /* "" if the scenario has no variants */
    struct point_param *params; /* one per axis, in the axes' order */
    size_t nparams;
    struct cell *cells;
    size_t ncells;
    struct point_default *defaults;
    size_t ndefaults;
    void *arena; /* private to harness/scenario */
};

struct scenario_file;

/* Read 'path', apply each of sets[] ("path=value") and add each of sweeps[] ("path=RANGE", see sweep.h) as an axis.
 * path "-" reads standard input. */
int scenario_open(const char *path, const char *const *sets, size_t nsets, const char *const *sweeps, size_t nsweeps,
                  FILE *err, struct scenario_file **out);
void scenario_close(struct scenario_file *f); /* accepts NULL */

const char *scenario_name(const struct scenario_file *f);
const char *scenario_title(const struct scenario_file *f);
const char *scenario_notes(const struct scenario_file *f);    /* free text for the report, "" if none */
const char *scenario_baseline(const struct scenario_file *f); /* the variant that gains are relative to, "" if none */
const char *scenario_figure(const struct scenario_file *f);   /* the template in plots/ that draws it, "" if none */
const char *scenario_path(const struct scenario_file *f);
size_t scenario_npoints(const struct scenario_file *f);
/* How the points are numbered: the lengths of the axes, the last one fastest, those that advance together one of them,
 * then the variants, fastest of all (length 1 without any). Returns how many there are, writes at most 'max'. */
size_t scenario_axes(const struct scenario_file *f, size_t lengths[], size_t max);
bool scenario_trained(const struct scenario_file *f); /* true: every point is trained; false: none */

/* Number of constants that this file fits (its 'calibrate' section), in its order; 0 if it fits none. */
size_t scenario_fits(const struct scenario_file *f, const struct fit **fits);
const char *scenario_fit_variant(const struct scenario_file *f);
/* The scenario that fits the same measures on another machine, "" if none is named. */
const char *scenario_fit_elsewhere(const struct scenario_file *f);
/* Number of rows of its 'compare' section: without any no point covers a cell. */
size_t scenario_ncompared(const struct scenario_file *f);

/* Number of rows of the section 'chosen', as they are written. */
size_t scenario_chosen(const struct scenario_file *f, const struct chosen_cell **chosen);

/* Number of 'time' entries of a trained scenario; 0 for any other. */
size_t scenario_times(const struct scenario_file *f, const struct trained_time **times);

/* Is the key of that full path ("platform.gpu.efficiency.memory") given in this point, or is it the default? */
bool scenario_given(const struct scenario_file *f, const struct point *p, const char *path);

/* Call it after changing or supplying a figure of the GPU's memory in the point: recomputes the rates assumed from it,
 * except for the one at 'except' (a full path, or NULL). */
void scenario_renew_rates(struct point *p, const char *except);

/* Bind point 'index'. Calibrated figures are NaN until scenario_number() supplies them. */
int scenario_point(const struct scenario_file *f, size_t index, struct point *out);

/* The point with the same combination of the axes as point 'index' and the variant of that name; NULL: point 'index'
 * itself. NW_EINPUT, after a message to 'err', if there is no such point (the message calls it --point) or no such
 * variant. */
int scenario_point_variant(const struct scenario_file *f, size_t index, const char *variant, FILE *err,
                           struct point *out);
void point_free(struct point *p);

/* Print why a point is refused, in the form of the errors that reading finds. 'why' is "PATH: what is wrong", PATH a
 * key's full path ("method.push.density"). The line shown is that of the setting, the axis or the file that gave the
 * point its value, or, if the key is not given, that of the nearest key around it. If there are several points, the
 * message ends with the name of this one. Any other text is printed with the point only. */
void scenario_refuse(const struct scenario_file *f, const struct point *p, const char *why, FILE *err);

/* The same for a key of the file that does not belong to points ("figure"). */
void scenario_error(const struct scenario_file *f, const char *path, const char *text, FILE *err);

/* The bound number at 'path' (its full path, "platform.link.pcie.efficiency.to_device"), to read or to supply; NULL if
 * there is none. */
double *scenario_number(struct scenario *sc, const char *path);

/* Every path whose value is the word 'calibrated' in this point. Returns how many there are, writes at most 'max'. The
 * strings are interned for the life of the file. */
size_t scenario_calibrated(const struct scenario_file *f, const struct point *p, const char **paths, size_t max);

/* The scenario in full, one "path = value unit" per line in schema order, numbers in base units with %.17g: the text
 * that is hashed into a point's key. Sources and titles are left out, since they do not change a result. The caller
 * frees it. NULL if memory ran out. */
char *scenario_canonical(const struct scenario *sc);

/* Writes the file at 'to' with the sections of the file that 'f' was opened from and all that sets, axes and the
 * variant give point 'index'; without sweep, variants, and what compares or fits. Paths that it names become absolute.
 * NW_EIO after a message. */
int scenario_rewrite(const struct scenario_file *f, size_t index, const char *to);

/* The same lines for a person: numbers as a file would have them, "unlimited", "not given". */
void scenario_print(const struct scenario *sc, FILE *out);

/* Read a single platform, model or timing file. The same errors as scenario_open(). */
int scenario_load_platform(const char *path, FILE *err, struct platform **out);
int scenario_load_model(const char *path, FILE *err, struct model_spec **out);
int scenario_load_timing(const char *path, FILE *err, struct timing **out);

/* A platform with keys overridden as by --set: "link.eth.bandwidth=100 Mbit/s", with or without "platform." before
 * it. */
int scenario_load_platform_set(const char *path, const char *const *sets, size_t nsets, FILE *err,
                               struct platform **out);
void scenario_free_platform(struct platform *p); /* all accept NULL */
void scenario_free_model(struct model_spec *m);
void scenario_free_timing(struct timing *t);

/* The kind of a file, by its keys: a scenario names a platform, a model, a method or a training, a model has layers, a
 * timing rates, a platform a cpu, a gpu or a link. */
enum scenario_kind { KIND_UNKNOWN, KIND_SCENARIO, KIND_PLATFORM, KIND_MODEL, KIND_TIMING };
enum scenario_kind scenario_kind(const char *path);

/* Print the documentation of every key of "platform", "model", "method", "timing", "training" or "scenario". NW_EINPUT
 * for any other name. */
int scenario_document(const char *what, FILE *out);

#endif
