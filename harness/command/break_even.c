/* narrows break-even - where does it start to pay? */
#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/report/answer/break_even.h"
#include "harness/run/break_even/break_even.h"
#include "harness/run/fit/refit.h"
#include "harness/run/interrupt.h"
#include "harness/run/point/key.h"
#include "harness/run/supply.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { MAX_VARIANTS = 64, MAX_STORED = 4096 };
enum {
    KEY_FROM = 256,
    KEY_TO,
    KEY_VARIANT,
    KEY_AGAINST,
    KEY_TARGET,
    KEY_TOLERANCE,
    KEY_SCAN,
    KEY_FORMAT,
    KEY_NO_STORE
};

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct arguments {
    struct command_point at;
    const char *db;
    enum format format;
    struct break_even_question q;
};

static const struct argp_option options[] = {
    { "vary", 'v', "PATH", 0, "the number that is varied: any key of the scenario, as in --set", 0 },
    { "from", KEY_FROM, "LOW", 0, "smallest value, with its unit (default: a 1000th of the present one)", 0 },
    { "to", KEY_TO, "HIGH", 0, "largest value (default: 1000 times the present one)", 0 },
    { "variant", KEY_VARIANT, "NAME", 0, "the variant that may pay (default: each but the baseline)", 0 },
    { "against", KEY_AGAINST, "NAME", 0, "what it is compared with (default: the scenario's baseline)", 0 },
    { "target", KEY_TARGET, "SPEEDUP", 0, "speedup per sample that counts as paying (default 1)", 0 },
    { "point", 'p', "N", 0, "of a scenario with axes: at the place of this point (default 0)", 0 },
    { "tolerance", KEY_TOLERANCE, "SHARE", 0, "relative width of the answer (default 1e-4); whole numbers are exact",
      0 },
    { "scan", KEY_SCAN, "N", 0, "points at which crossings are looked for (default 33)", 0 },
    { "set", 's', "PATH=VALUE", 0, "override any key", 0 },
    { "db", 'd', "FILE", 0, "results database, where what is simulated is stored (default " DEFAULT_DB ")", 0 },
    { "no-store", KEY_NO_STORE, NULL, 0, "keep nothing, as where the database cannot be written", 0 },
    { "format", KEY_FORMAT, "text|csv|json", 0, "how to print the answer (default text)", 0 },
    { 0 }
};

static double positive(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !(value > 0) || !isfinite(value))
        command_misused(option, "a number above 0", text);
    return value;
}

static enum format format_of(const char *text)
{
    static const char *const names[] = { "text", "csv", "json" };

    for (int i = 0; i < 3; i++)
        if (!strcmp(text, names[i]))
            return (enum format)i;
    command_misused("--format", "text, csv or json", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'v': a->q.path = text; return 0;
    case KEY_FROM: a->q.from = text; return 0;
    case KEY_TO: a->q.to = text; return 0;
    case KEY_VARIANT: a->q.variant = text; return 0;
    case KEY_AGAINST: a->q.baseline = text; return 0;
    case KEY_TARGET: a->q.target = positive("--target", text); return 0;
    case KEY_TOLERANCE: a->q.tolerance = positive("--tolerance", text); return 0;
    case KEY_SCAN: a->q.scan = (size_t)command_number("--scan", text, 2, 100000); return 0;
    case KEY_FORMAT: a->format = format_of(text); return 0;
    case 'd': a->db = text; return 0;
    case KEY_NO_STORE: a->db = STORE_NOWHERE; return 0;
    case ARGP_KEY_END:
        command_parse_point(key, text, state, &a->at);
        if (!a->q.path)
            argp_error(state, "--vary PATH is missing: which number is varied?");
        return 0;
    default: return command_parse_point(key, text, state, &a->at);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "SCENARIO --vary PATH",
    .doc = "The value of PATH at which a variant of the scenario starts to pay: at which it is as fast per sample as "
           "another, with what each of them is bound by on either side. Every crossing that a scan of the range finds "
           "is narrowed by bisection and printed.\v"
           "SCENARIO is a YAML file or the name of a shipped one (narrows list scenarios). Examples:\n"
           "  narrows break-even break-even --vary link.eth.bandwidth\n"
           "  narrows break-even break-even --vary eth.bandwidth --from '1 Gbit/s' --to '1 Tbit/s'\n"
           "  narrows break-even break-even --vary gradients.density --target 1.5\n"
           "  narrows break-even break-even --vary batch --format csv\n"
           "The number is changed in both variants, unless the baseline sets it for itself. Shares: how much of a "
           "step its main bottleneck accounts for.",
};

/* What the answers of one invocation share. */
struct asking {
    const struct arguments *a;
    struct break_even_question q; /* but for the variant */
    const char *names[MAX_VARIANTS];
    size_t nnames;
    struct scenario_file *file;
    struct supply supply;
    size_t position, combination; /* of the next point stored */
    double last_x;
    char keys[MAX_STORED][POINT_KEY_LENGTH + 1]; /* listed under the run already */
    size_t nkeys;
    const struct refits *refits; /* of the variant's point; NULL: asked with what all cells together give */
    size_t refit;                /* the one asked with */
};

static int supply(void *context, struct point *p)
{
    struct asking *k = context;
    const struct refits *refits = NULL;
    int rc = k->refits ? supply_refits(&k->supply, p, &refits) : NW_OK;

    rc = rc ? rc : supply_point(&k->supply, p);
    if (!rc && refits && refits == k->refits)
        supply_refit(&k->supply, refits, k->refit, p);
    return rc;
}

static bool listed(const struct asking *k, const char *key)
{
    for (size_t i = 0; i < k->nkeys; i++)
        if (!strcmp(k->keys[i], key))
            return true;
    return k->nkeys == MAX_STORED;
}

/* The two plays at one value lie on one combination, as the view 'gain' counts. */
static int simulated(void *context, const struct varied *v, double x, const struct point *p, const struct measures *m)
{
    struct asking *k = context;
    char key[POINT_KEY_LENGTH + 1], text[64];
    int rc = point_key(p, key);

    if (rc || listed(k, key))
        return rc;
    k->combination += x != k->last_x;
    k->last_x = x;
    vary_print(v, x, text, sizeof(text));
    struct param_fact param = { v->path, text, x, vary_unit(v) };
    struct point_fact fact = { .key = key,
                               .variant = p->variant,
                               .index = k->position++,
                               .combination = k->combination,
                               .params = &param,
                               .nparams = 1,
                               .measures = m->list,
                               .nmeasures = m->count };
    memcpy(k->keys[k->nkeys++], key, sizeof(key));
    return store_point(k->supply.store, k->supply.run_id, &fact);
}

static void print(const struct asking *k, const struct break_even *b, const struct break_even_question *q, size_t i)
{
    const char *name = scenario_name(k->file);

    switch (k->a->format) {
    case FORMAT_CSV: break_even_csv(b, q, name, stdout); break;
    case FORMAT_JSON:
        fputs(i ? ",\n" : "[", stdout);
        break_even_json(b, q, name, stdout);
        break;
    default:
        if (i)
            putchar('\n');
        break_even_text(b, q, stdout);
        break;
    }
    fflush(stdout);
}

/* The variants to ask about: the one named, or all but the baseline. Their names are the file's. */
static int variants(struct asking *k)
{
    bool beyond = false;
    struct point p;

    if (k->q.variant)
        k->names[k->nnames++] = k->q.variant;
    for (size_t i = 0; i < scenario_npoints(k->file) && !k->q.variant && !beyond && k->nnames < MAX_VARIANTS; i++) {
        int rc = scenario_point(k->file, i, &p);

        if (rc)
            return rc;
        beyond = p.combination > 0;
        if (!beyond && strcmp(p.variant, k->q.baseline) != 0)
            k->names[k->nnames++] = p.variant;
        point_free(&p);
    }
    if (k->nnames)
        return NW_OK;
    return status_error(NW_EINPUT, "%s: expected a variant besides '%s', got none\n", scenario_path(k->file),
                        k->q.baseline);
}

/* The same question with the constants that are fitted without one of their cells; nothing of it is stored. */
static int ask_again(struct asking *k, const struct break_even_question *q, struct break_even *b)
{
    struct break_even_question again = *q;
    struct point p;
    int rc = scenario_point_variant(k->file, q->point, q->variant, stderr, &p);

    if (rc)
        return rc;
    again.simulated = NULL;
    rc = b->found.n ? supply_refits(&k->supply, &p, &k->refits) : NW_OK;
    point_free(&p);
    for (k->refit = 0; k->refits && k->refit < k->refits->n && !rc; k->refit++) {
        struct break_even found;

        rc = break_even_find(k->file, &again, &found);
        if (!rc)
            break_even_widen(b, &found);
        break_even_free(&found);
    }
    k->refits = NULL;
    return rc;
}

static int ask(struct asking *k, const struct break_even_question *q, size_t i)
{
    struct break_even b;
    int rc;

    fprintf(stderr, "%s over %s: varying %s ...\n", q->variant, q->baseline, q->path);
    rc = break_even_find(k->file, q, &b);
    rc = rc ? rc : ask_again(k, q, &b);
    if (!rc)
        print(k, &b, q, i);
    break_even_free(&b);
    return rc;
}

static int ask_all(struct asking *k)
{
    struct break_even_question q = k->q;
    int rc = NW_OK;

    if (k->a->format == FORMAT_CSV)
        break_even_csv_header(stdout);
    for (size_t i = 0; i < k->nnames && !rc; i++) {
        q.variant = k->names[i];
        k->last_x = NAN;
        rc = ask(k, &q, i);
    }
    if (!rc && k->a->format == FORMAT_JSON)
        fputs("]\n", stdout);
    return rc;
}

static int check(struct arguments *a, const struct scenario_file *file)
{
    if (!a->q.baseline)
        a->q.baseline = scenario_baseline(file);
    if (!*a->q.baseline)
        return status_error(NW_EINPUT,
                            "%s: expected a baseline or --against, got none: what is it to be compared with?\n",
                            scenario_path(file));
    if (a->q.variant && !strcmp(a->q.variant, a->q.baseline))
        return status_error(NW_EINPUT, "narrows break-even: expected two variants, got '%s' against itself\n",
                            a->q.variant);
    return NW_OK;
}

/* Misspelled names are reported before a database is made. */
static int prepare(struct asking *k)
{
    struct break_even_question q = k->q;
    int rc = variants(k);

    for (size_t i = 0; i < k->nnames && !rc; i++) {
        q.variant = k->names[i];
        rc = break_even_check(k->file, &q);
    }
    return rc;
}

static int play(struct asking *k)
{
    bool kept = store_writable(k->a->db);

    if (!kept)
        fprintf(stderr, "narrows break-even: %s cannot be written here, so nothing is kept\n", k->a->db);
    int rc =
        supply_open(&k->supply, k->file, kept ? k->a->db : STORE_NOWHERE, "break-even", k->q.baseline, command_text());

    interrupt_catch();
    if (!rc)
        rc = ask_all(k);
    return supply_close(&k->supply, rc);
}

static int run(const struct arguments *a, struct scenario_file *file)
{
    struct asking *k = calloc(1, sizeof(*k));
    int rc;

    if (!k)
        return NW_ENOMEM;
    k->a = a;
    k->file = file;
    k->q = a->q;
    k->q.point = (size_t)a->at.index;
    k->q.supply = supply;
    k->q.simulated = simulated;
    k->q.context = k;
    rc = prepare(k);
    if (!rc)
        rc = play(k);
    free(k);
    return rc;
}

int cmd_break_even(int argc, char **argv)
{
    struct arguments a = { .db = DEFAULT_DB, .q = { .target = 1, .tolerance = 1e-4, .scan = BREAK_EVEN_SCAN } };
    struct scenario_file *file = NULL;
    int rc;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    rc = command_open(&a.at, &file);
    if (!rc)
        rc = check(&a, file);
    if (!rc)
        rc = run(&a, file);
    scenario_close(file);
    return rc;
}
