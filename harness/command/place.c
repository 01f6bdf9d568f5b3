/* narrows place - buffers with known lifetimes into a pool: how high it must be, by each method, and what no method
 * can beat. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/buffers/csv.h"
#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/host/clock.h"
#include "harness/run/interrupt.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "model/placement/placement.h"
#include "model/status.h"

struct arguments {
    char **files;
    size_t nfiles;
    const char *output;
    bool methods[PLACEMENT_METHODS], chosen, check, timed;
    double seconds;
    uint64_t nodes; /* 0: not given */
    int64_t alignment, capacity;
};

static const struct argp_option options[] = {
    { "method", 'm', "NAME", 0, "first-fit, greedy-by-size or exact; may be given again (default: all three)", 0 },
    { "time", 't', "SECONDS", 0, "how long the exact search may take for a file (default 1, none with --nodes)", 0 },
    { "nodes", 'n', "N", 0, "end the exact search after so many nodes, wherever it runs", 0 },
    { "align", 'a', "SIZE", 0, "offsets are multiples of it, sizes rounded up to it (default 1)", 0 },
    { "capacity", 'c', "SIZE", 0,
      "what there is, e.g. '16 GiB': a placement that fits will do; exit 1 if none was found", 0 },
    { "output", 'o', "FILE", 0, "write the lowest placement, with its offsets, as CSV ('-': standard output)", 0 },
    { "check", 'k', NULL, 0, "place nothing: do the offsets in the files keep apart what is alive together?", 0 },
    { 0 }
};

static int64_t size_of(struct argp_state *state, const char *option, const char *text)
{
    struct quantity_error error;
    const struct unit *unit;
    double value = 0;
    char *end;
    long long plain;

    errno = 0;
    plain = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && plain > 0 && plain <= BUFFERS_CSV_LARGEST)
        return plain;
    if (quantity_read(text, DIM_BYTES, &value, &unit, &error) || !(value >= 1 && value <= 0x1p62))
        argp_error(state, "%s: expected bytes above zero, such as 4096 or '16 GiB', got '%s'", option, text);
    return (int64_t)value;
}

static void choose(struct argp_state *state, struct arguments *a, const char *text)
{
    for (int m = 0; m < PLACEMENT_METHODS; m++)
        if (!strcmp(text, placement_name((enum placement_method)m))) {
            a->methods[m] = a->chosen = true;
            return;
        }
    argp_error(state, "--method: expected first-fit, greedy-by-size or exact, got '%s'", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    char *end;

    switch (key) {
    case 'm': choose(state, a, text); return 0;
    case 't':
        a->seconds = strtod(text, &end);
        a->timed = true;
        if (end == text || *end || !isfinite(a->seconds) || a->seconds < 0)
            argp_error(state, "--time: expected seconds, got '%s'", text);
        return 0;
    case 'n':
        errno = 0;
        a->nodes = strtoull(text, &end, 10);
        if (*text < '0' || *text > '9' || *end || errno || !a->nodes)
            argp_error(state, "--nodes: expected a whole number above zero, got '%s'", text);
        return 0;
    case 'a': a->alignment = size_of(state, "--align", text); return 0;
    case 'c': a->capacity = size_of(state, "--capacity", text); return 0;
    case 'o': a->output = text; return 0;
    case 'k': a->check = 1; return 0;
    case ARGP_KEY_ARGS:
        a->files = state->argv + state->next;
        a->nfiles = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which FILE? A CSV of buffers: id,lower,upper,size"); return 0;
    case ARGP_KEY_END:
        if (a->output && (a->nfiles > 1 || a->check))
            argp_error(state, "--output: expected one FILE, to be placed");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE...",
    .doc =
        "Place buffers with known lifetimes into a pool, so that those alive together do not overlap, and say how "
        "high it gets, next to the bound: the most that is alive at once. First-fit goes through time and takes the "
        "lowest hole; greedy-by-size begins with the largest buffer; exact searches until the height is proved to be "
        "the least, or the time is over, and says how far from the least it may be. Ctrl-C ends a search with what it "
        "has found, another method without a result.\v"
        "FILE is a CSV with the columns id, lower, upper and size, in any order: the buffer is alive in [lower, "
        "upper). '-' is standard input. minimalloc's names are read, too: buffer or buffer_id for id, start or begin "
        "for lower, end for the last step of life, upper less one (of a file whose end means upper, rename the "
        "column); hint is ignored. A column alignment has each buffer's own, in addition to --align; a column gaps, "
        "such as '7-9 11-13@0:64', the times in which others may use its addresses, but for the bytes of a window "
        "behind '@'. Among more than 8192 buffers with gaps, or sizes that are no multiples of their alignments, exact "
        "does not search; of those with windows it proves no more than the bound. Examples:\n"
        "  narrows plan memory --csv vgg.csv; narrows place vgg.csv\n"
        "  narrows place --time 10 --capacity '16 GiB' --output placed.csv buffers.csv\n"
        "  narrows place --check placed.csv",
};

/* Of the search, which has something to show whenever it ends. */
static bool is_over(void *context)
{
    const double *end_s = context;

    return interrupted() || clock_s() >= *end_s;
}

static bool is_unwanted(void *context)
{
    (void)context;
    return interrupted();
}

static int check(const struct arguments *a, const char *path, const struct buffers_csv *csv)
{
    int64_t height = 0, bound = placement_bound(csv->list, csv->n, a->alignment);
    size_t i, j;

    if (!csv->placed)
        return status_error(NW_EINPUT, "%s: --check: expected a column 'offset', got none\n", path);
    if (!placement_valid(csv->list, csv->n, a->alignment, &i, &j)) {
        const struct buffer *x = &csv->list[i], *y = &csv->list[j];
        int64_t at = x->lower;
        placement_overlap(x, y, &at);
        if (i == j)
            printf("%s:%" PRId64 ": '%s' lies at %" PRId64 ", which is no multiple of %" PRId64
                   " or leaves no space for its %" PRId64 " bytes\n",
                   path, csv->lines[i], csv->ids[i], x->offset,
                   x->alignment > 1 && x->offset % x->alignment ? x->alignment : a->alignment, x->bytes);
        else
            printf("%s:%" PRId64 ": '%s' at [%" PRId64 ", %" PRId64 ") overlaps '%s' of line %" PRId64 " at [%" PRId64
                   ", %" PRId64 "), both alive at %" PRId64 "\n",
                   path, csv->lines[i], csv->ids[i], x->offset, x->offset + x->bytes, csv->ids[j], csv->lines[j],
                   y->offset, y->offset + y->bytes, at);
        return EXIT_FAILED;
    }
    for (i = 0; i < csv->n; i++)
        if (csv->list[i].offset + csv->list[i].bytes > height)
            height = csv->list[i].offset + csv->list[i].bytes;
    printf("%s: %zu buffers keep apart, height %" PRId64, path, csv->n, height);
    if (bound > 0)
        printf(", %.4f of the bound %" PRId64, (double)height / (double)bound, bound);
    printf("\n");
    return NW_OK;
}

static void print_row(FILE *to, enum placement_method m, const struct placement *p, double elapsed_s)
{
    char gap[32] = "proven";

    if (p->height > p->floor)
        snprintf(gap, sizeof(gap), "%.4f %%", 100 * ((double)p->height / (double)p->floor - 1));
    fprintf(to, "  %-14s %20" PRId64 " %8.4f %12s %12" PRIu64 " %10.3f\n", placement_name(m), p->height,
            p->bound ? (double)p->height / (double)p->bound : 1, gap, p->nodes, 1e3 * elapsed_s);
}

/* One method; the lowest placement so far is kept in 'best'. A heuristic that is interrupted has none. */
static int place(const struct arguments *a, enum placement_method m, FILE *to, struct buffers_csv *csv,
                 struct buffer *best, struct placement *lowest)
{
    double begin_s = clock_s(), end_s = begin_s + a->seconds;
    bool timed = m == PLACEMENT_EXACT && (!a->nodes || a->timed);
    struct placement_options o = { .method = m,
                                   .alignment = a->alignment,
                                   .capacity = a->capacity,
                                   .budget = a->nodes ? a->nodes : UINT64_MAX,
                                   .stop = timed ? is_over : is_unwanted,
                                   .context = &end_s };
    struct placement p;
    int rc = placement_make(csv->list, csv->n, &o, &p);

    if (rc || (m != PLACEMENT_EXACT && interrupted()))
        return rc;
    print_row(to, m, &p, clock_s() - begin_s);
    if (lowest->height < 0 || p.height < lowest->height) {
        lowest->height = p.height;
        memcpy(best, csv->list, csv->n * sizeof(*best));
    }
    lowest->floor = p.floor > lowest->floor ? p.floor : lowest->floor;
    return E_OK;
}

static int refuse(const char *path, int rc)
{
    if (rc == E_NOMEM)
        fprintf(stderr, "%s: no memory to place its buffers\n", path);
    else
        fprintf(stderr, "%s: expected sizes and alignments that add up to 2^62 at most, got more\n", path);
    return rc == E_NOMEM ? NW_ENOMEM : NW_EINPUT;
}

static int fits(const struct arguments *a, const char *path, const struct placement *lowest)
{
    if (!a->capacity || lowest->height <= a->capacity)
        return NW_OK;
    return status_error(EXIT_FAILED,
                        "%s: does not fit into %" PRId64 " bytes: the lowest placement needs %" PRId64 " more, %s\n",
                        path, a->capacity, lowest->height - a->capacity,
                        lowest->floor > a->capacity ? "and none fits" : "though it is not proved that none fits");
}

static int place_file(const struct arguments *a, const char *path, struct buffers_csv *csv)
{
    struct buffer *best = malloc(csv->n * sizeof(*best));
    struct placement lowest = { .height = -1 };
    /* what is printed must not get into what is written */
    FILE *to = a->output && !strcmp(a->output, "-") ? stderr : stdout;
    int64_t bound = placement_bound(csv->list, csv->n, a->alignment);
    int rc = best ? bound < 0 ? (int)bound : E_OK : E_NOMEM;

    if (!rc) {
        fprintf(to, "%s: %zu buffers, bound %" PRId64 "\n", path, csv->n, bound);
        fprintf(to, "  %-14s %20s %8s %12s %12s %10s\n", "method", "height", "ratio", "gap", "nodes", "ms");
        fflush(to);
    }
    for (int m = 0; m < PLACEMENT_METHODS && !rc && !interrupted(); m++)
        if (a->methods[m] || !a->chosen)
            rc = place(a, (enum placement_method)m, to, csv, best, &lowest);
    if (rc)
        rc = refuse(path, rc);
    else if (lowest.height < 0)
        rc = NW_EINTR;
    else if (a->output)
        rc = buffers_csv_write(a->output, best, csv->ids, csv->n, 1, stderr);
    if (!rc)
        rc = fits(a, path, &lowest);
    free(best);
    return rc;
}

int cmd_place(int argc, char **argv)
{
    struct arguments a = { .seconds = 1, .alignment = 1 };
    int worst = NW_OK;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    for (size_t i = 0; i < a.nfiles && !interrupted(); i++) {
        const char *path = whole_file_name(a.files[i]);
        struct buffers_csv csv = { 0 };
        int rc = buffers_csv_read(a.files[i], &csv, stderr);
        if (!rc && a.check) {
            rc = check(&a, path, &csv);
        } else if (!rc) {
            interrupt_catch();
            rc = place_file(&a, path, &csv);
            interrupt_release();
        }
        buffers_csv_free(&csv);
        worst = exit_code(rc) > exit_code(worst) ? rc : worst;
    }
    return interrupted() ? NW_EINTR : worst;
}
