/* codec_rates.c - the file, read once, and the rates it supplies to a point. */
#include "harness/scenario/codec_rates.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/home.h"
#include "sim/method/method_codecs.h"

enum { MOST = 128, WORD = 32, SOURCE = 96, LINE = 256, COLUMNS = 6, GPU = CPU_CLASSES, CLASSES };

struct row {
    int class;
    enum wire_format format;
    double encode, decode, select; /* as the file has them; 0: left empty */
    char source[SOURCE];
};

static struct {
    pthread_once_t once;
    struct row rows[MOST];
    size_t n;
    char error[4096 + LINE + 256];
} shipped = { .once = PTHREAD_ONCE_INIT };

static int class_of(const char *text)
{
    static const char *const names[CLASSES] = { "avx512", "scalar", "gpu" };

    for (int i = 0; i < CLASSES; i++)
        if (!strcmp(names[i], text))
            return i;
    return -1;
}

static int format_of(const char *text)
{
    for (int i = WIRE_NONE + 1; i < WIRE_ASKED; i++)
        if (!strcmp(wire_format_name((enum wire_format)i), text))
            return i;
    return -1;
}

/* 'empty': may be left out, which gives 0. */
static bool number_of(const char *text, bool empty, double *out)
{
    char *end;

    *out = strtod(text, &end);
    return !*end && (*text ? *out > 0 && isfinite(*out) : empty);
}

/* What was expected instead, or NULL. The line is modified. */
static const char *read_row(char *line, struct row *r)
{
    char *columns[COLUMNS], *rest = line;
    int n = 0;

    while (n < COLUMNS && rest)
        columns[n++] = strsep(&rest, ",");
    if (n < COLUMNS || rest)
        return "six columns";
    r->class = class_of(columns[0]);
    int format = format_of(columns[1]);
    if (r->class < 0)
        return "avx512, scalar or gpu in the first column";
    if (format < 0)
        return "a codec of narrows list codecs, or ratio, in the second column";
    r->format = (enum wire_format)format;
    if (!number_of(columns[2], false, &r->encode) || !number_of(columns[3], false, &r->decode) ||
        !number_of(columns[4], true, &r->select))
        return "numbers above 0 for encode and decode, and one or nothing for select";
    snprintf(r->source, sizeof(r->source), "%s", columns[5]);
    return NULL;
}

static void read_rows(FILE *f, const char *path)
{
    char line[LINE], kept[LINE];
    const char *wrong = NULL;

    for (int number = 1; !wrong && fgets(line, sizeof(line), f); number++) {
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(kept, sizeof(kept), "%s", line);
        if (number == 1)
            wrong = strcmp(line, "class,format,encode,decode,select,source") != 0
                        ? "the header class,format,encode,decode,select,source"
                        : NULL;
        else
            wrong = shipped.n == MOST ? "at most 128 rows" : read_row(line, &shipped.rows[shipped.n++]);
        if (wrong)
            snprintf(shipped.error, sizeof(shipped.error), "%s:%d: expected %s, got '%s'", path, number, wrong, kept);
    }
}

static void read_file(void)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof(path), "%s/scenarios/codec-rates.csv", home_dir());
    f = fopen(path, "r");
    if (!f) {
        snprintf(shipped.error, sizeof(shipped.error), "%s: expected the rates of codecs, got: %s", path,
                 strerror(errno));
        return;
    }
    read_rows(f, path);
    fclose(f);
}

const char *codec_rates_error(void)
{
    pthread_once(&shipped.once, read_file);
    return *shipped.error ? shipped.error : NULL;
}

/* On a GPU a codec without a formula is taken for one of one's own; on a CPU nothing is known of either. */
static const struct row *find(const struct platform *p, const struct codec_spec *c)
{
    int class = c->place == CODEC_ON_GPU ? GPU : (int)p->cpu.codec_class;
    enum wire_format format = c->format == WIRE_ASKED ? WIRE_RATIO : c->format;

    pthread_once(&shipped.once, read_file);
    for (size_t i = 0; i < shipped.n; i++)
        if (shipped.rows[i].class == class && shipped.rows[i].format == format)
            return &shipped.rows[i];
    return NULL;
}

/* Fitted shares are not known yet: the datasheet's figure is used without them. */
static double streamed_Bps(const struct gpu_spec *g)
{
    return g->memory_Bps * (isfinite(g->efficiency_memory) ? g->efficiency_memory : 1);
}

struct supplying {
    struct arena *arena;
    struct point *out;
    const struct row *row; /* NULL: nothing is known */
    const struct codec_spec *codec;
    const char *key; /* below method */
};

static double rate(const struct supplying *s, double figure)
{
    const struct platform *p = &s->out->scenario.platform;

    if (!s->row || !(figure > 0))
        return 0;
    return s->codec->place == CODEC_ON_GPU ? 4 * streamed_Bps(&p->gpu) / figure : 1e9 * figure;
}

static const char *explain(const struct supplying *s)
{
    const struct platform *p = &s->out->scenario.platform;

    if (!s->row)
        return arena_printf(s->arena, "nothing is known of the codec %s on a CPU", codec_spec_name(s->codec));
    if (s->codec->place == CODEC_ON_GPU)
        return arena_printf(s->arena, "assumed: passes over the GPU's memory at %.4g GB/s",
                            1e-9 * streamed_Bps(&p->gpu));
    return arena_printf(s->arena, "measured on %s", s->row->source);
}

/* The default rate of one direction. */
static void supply_rate(struct supplying *s, const char *direction, double figure, double *rate_Bps)
{
    struct point *out = s->out;
    double value = rate(s, figure);

    *rate_Bps = value;
    if (s->row && !(figure > 0))
        return; /* none is needed */
    out->defaults[out->ndefaults++] =
        (struct point_default){ .path = arena_printf(s->arena, "method.%s.%s", s->key, direction),
                                .rate_Bps = value,
                                .measured = s->row && s->codec->place == CODEC_ON_CPU,
                                .moved = s->row && s->codec->place == CODEC_ON_GPU ? figure : 0,
                                .why = explain(s) };
}

static bool left_open(const struct codec_spec *c, const struct codec_cost *cost)
{
    return cost->rate_Bps < 0 && !cost->ncurve && c->timing == CODEC_COST_GIVEN && c->format != WIRE_NONE;
}

static void supply_codec(struct supplying *s, struct codec_spec *c)
{
    bool encode = left_open(c, &c->encode), decode = left_open(c, &c->decode);

    s->codec = c;
    s->row = encode || decode ? find(&s->out->scenario.platform, c) : NULL;
    if (encode)
        supply_rate(s, "encode.rate", s->row ? s->row->encode : 0, &c->encode.rate_Bps);
    if (decode)
        supply_rate(s, "decode.rate", s->row ? s->row->decode : 0, &c->decode.rate_Bps);
    /* A rate that the scenario gives for encoding includes the search, unless it gives select_rate as well. */
    if (encode && s->row && c->select_rate_Bps < 0)
        supply_rate(s, "select_rate", s->row->select, &c->select_rate_Bps);
    c->encode.rate_Bps = c->encode.rate_Bps < 0 ? 0 : c->encode.rate_Bps;
    c->decode.rate_Bps = c->decode.rate_Bps < 0 ? 0 : c->decode.rate_Bps;
    c->select_rate_Bps = c->select_rate_Bps < 0 ? 0 : c->select_rate_Bps;
}

void codec_rates_supply(struct arena *a, struct point *out)
{
    struct codec_spec *codecs[METHOD_CODECS_MAX];
    const char *keys[METHOD_CODECS_MAX];
    size_t n = method_codecs(&out->scenario.method, codecs, keys, METHOD_CODECS_MAX);
    struct supplying s = { .arena = a, .out = out };

    out->defaults = ARENA_ARRAY(a, struct point_default, 3 * METHOD_CODECS_MAX);
    for (size_t i = 0; i < n && out->scenario.simulated; i++) {
        s.key = keys[i];
        supply_codec(&s, codecs[i]);
    }
}

void scenario_renew_rates(struct point *p, const char *except)
{
    for (size_t i = 0; i < p->ndefaults; i++) {
        struct point_default *d = &p->defaults[i];
        double *at =
            d->moved > 0 && !(except && !strcmp(except, d->path)) ? scenario_number(&p->scenario, d->path) : NULL;

        if (at)
            *at = d->rate_Bps = 4 * streamed_Bps(&p->scenario.platform.gpu) / d->moved;
    }
}
