/* split.c - a model transformed into a Split-CNN: what each layer does on each patch. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/show/show.h"
#include "harness/status.h"
#include "model/split/patches.h"
#include "model/status.h"

int show_split_read(const char *text, struct split_spec *out)
{
    char *end;

    errno = 0;
    out->depth = strtod(text, &end);
    if (end == text || *end != ',')
        return NW_EINPUT;
    text = end + 1;
    out->rows = strtoll(text, &end, 10);
    if (end == text || *end != 'x')
        return NW_EINPUT;
    text = end + 1;
    out->columns = strtoll(text, &end, 10);
    return end == text || *end || errno ? NW_EINPUT : NW_OK;
}

enum field { FIELD_IN, FIELD_OUT, FIELD_PADDING };

static void field_text(const struct split_part *p, enum field field, char *text, size_t size)
{
    if (field == FIELD_PADDING)
        snprintf(text, size, "%lld,%lld", (long long)p->pad_begin, (long long)p->pad_end);
    else
        snprintf(text, size, "%lld", (long long)(field == FIELD_IN ? p->in_length : p->out_length));
}

/* "57 56*3 55": the parts in their order, three or more alike in one. Cut at 'size'. */
static void parts_text(const struct split_part *parts, int64_t n, enum field field, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (int64_t i = 0, same; i < n && used < size; i += same) {
        char one[64], next[64];
        field_text(&parts[i], field, one, sizeof(one));
        for (same = 1; i + same < n; same++) {
            field_text(&parts[i + same], field, next, sizeof(next));
            if (strcmp(one, next) != 0)
                break;
        }
        int wrote;
        if (same > 2)
            wrote = snprintf(text + used, size - used, "%s%s*%lld", i ? " " : "", one, (long long)same);
        else if (same == 2)
            wrote = snprintf(text + used, size - used, "%s%s %s", i ? " " : "", one, one);
        else
            wrote = snprintf(text + used, size - used, "%s%s", i ? " " : "", one);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (used >= size)
        memcpy(text + size - 4, "...", 4);
}

/* A line of the table without blanks at its end. */
__attribute__((format(printf, 1, 2))) static void print_line(const char *format, ...)
{
    char line[1200];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    size_t n = strlen(line);
    while (n && line[n - 1] == ' ')
        n--;
    printf("%.*s\n", (int)n, line);
}

static void print_row(const char *layer, const char *kind, const char *window, const char *axis, const char *in,
                      const char *out, const char *padding, const char *zeros, const char *cut)
{
    print_line("%-22s %-10s %-6s %-8s %-20s %-20s %-20s %8s %8s", layer, kind, window, axis, in, out, padding, zeros,
               cut);
}

static void share_text(int64_t part, int64_t whole, char *text, size_t size)
{
    snprintf(text, size, whole ? "%.2f" : "-", 100.0 * (double)part / (double)whole);
}

/* What a line begins with; all empty on the second of a layer. */
struct heading {
    const char *layer, *kind, *window;
};

static void print_axis(const struct heading *h, const char *axis, const struct split_part *parts, int64_t n,
                       bool padded, const struct split_taps *t)
{
    char in[256], out[256], padding[256] = "-", zeros[32] = "", cut[32] = "";

    parts_text(parts, n, FIELD_IN, in, sizeof(in));
    parts_text(parts, n, FIELD_OUT, out, sizeof(out));
    if (padded)
        parts_text(parts, n, FIELD_PADDING, padding, sizeof(padding));
    if (t) {
        share_text(t->zeros, t->values, zeros, sizeof(zeros));
        share_text(t->cut, t->all, cut, sizeof(cut));
    }
    print_row(h->layer, h->kind, h->window, axis, in, out, padding, zeros, cut);
}

/* One line where both axes are cut alike, else one for each. 't' NULL: a shortcut. */
static void print_axes(const struct heading *h, const struct split_part *rows, int64_t nrows,
                       const struct split_part *columns, int64_t ncolumns, const struct split_taps *t)
{
    static const struct heading again = { "", "", "" };
    bool alike = nrows == ncolumns && !memcmp(rows, columns, (size_t)nrows * sizeof(*rows)), padded = *h->window != '-';

    print_axis(h, alike ? "both" : "rows", rows, nrows, padded, t);
    if (!alike)
        print_axis(&again, "columns", columns, ncolumns, padded, NULL);
}

static void window_text(int64_t kernel, int64_t width, int64_t stride, char *text, size_t size)
{
    if (kernel != width)
        snprintf(text, size, "%lldx%lld/%lld", (long long)kernel, (long long)width, (long long)stride);
    else if (kernel)
        snprintf(text, size, "%lld/%lld", (long long)kernel, (long long)stride);
    else
        snprintf(text, size, "-");
}

static void print_layer(const struct split_net *s, const struct model *m, size_t l)
{
    const struct layer *layer = &m->layers[l];
    const struct split_axis *h = &s->height, *w = &s->width;
    size_t row = l * (size_t)h->n, column = l * (size_t)w->n;
    struct split_taps t = split_net_taps(s, m, l);
    char window[48];
    struct heading heading = { layer->name, layer_kind_name(layer->kind), window };

    window_text(layer->kernel, layer->kernel_width, layer->stride, window, sizeof(window));
    print_axes(&heading, h->parts + row, h->n, w->parts + column, w->n, &t);
    if (layer->kind != LAYER_ADD || layer->stride < 2)
        return;
    heading = (struct heading){ "  its shortcut", "", window };
    window_text(1, 1, layer->stride, window, sizeof(window));
    print_axes(&heading, h->second + row, h->n, w->second + column, w->n, NULL);
}

static void print_split(const struct split_spec *spec, const struct split_net *s, const struct model *m)
{
    const struct layer *last = &m->layers[s->nlayers - 1];

    printf("; %lldx%lld patches, ", (long long)s->rows, (long long)s->columns);
    if (spec->wiggle > 0)
        printf("stochastic: wiggle %g, seed %lld\n", spec->wiggle, (long long)spec->seed);
    else
        printf("even\n");
    printf("depth %.4g %% asked, %.4g %% reached: %lld of %lld convolutions; joined behind %s, %lldx%lldx%lld\n\n",
           100 * spec->depth, 100.0 * (double)s->convs_split / (double)s->convs, (long long)s->convs_split,
           (long long)s->convs, last->name, (long long)last->out.channels, (long long)last->out.height,
           (long long)last->out.width);
    print_row("layer", "kind", "window", "axis", "in", "out", "padding", "zeros %", "cut %");
    for (size_t l = 0; l < s->nlayers; l++)
        print_layer(s, m, l);
    printf("\n%zu layers are split, the %zu behind the join work on the whole plane\n", s->nlayers,
           m->nlayers - s->nlayers);
    printf("of the split convolutions' %.4g G multiplications that read a value, %.2f %% read a zero since the split\n",
           (double)s->taps / 1e9, 100.0 * (double)s->zeros / (double)(s->taps ? s->taps : 1));
    puts("\n"
         "window   kernel/stride\n"
         "in, out  positions, patch by patch; *3: three alike\n"
         "padding  before,after; below 0: positions that are skipped\n"
         "zeros    of the taps that read a value in the unsplit layer: those behind a cut, which read a zero now\n"
         "cut      of all taps, those on the layer's own padding too: those behind a cut");
}

int show_split(const struct model_spec *spec, const struct model *m, const struct split_spec *split)
{
    struct split_net s = { 0 };
    char why[512];
    int rc = split_net_make(split, m, &s, why, sizeof(why));

    if (rc == E_INVAL)
        return status_error(NW_EINPUT, "narrows show: --%s%s\n", strncmp(why, "wiggle: ", 8) ? "split: " : "", why);
    if (rc)
        return NW_ENOMEM;
    printf("%s: %s (%s)\n", spec->name, spec->title, spec->source);
    printf("input %lldx%lldx%lld", (long long)m->input.channels, (long long)m->input.height, (long long)m->input.width);
    if (s.nlayers)
        print_split(split, &s, m);
    else
        printf("; not split: depth %.4g %%, %lldx%lld patches\n", 100 * split->depth, (long long)split->rows,
               (long long)split->columns);
    split_net_free(&s);
    return NW_OK;
}
