/* text.c - reads a codec with its parameters, in place: nothing is allocated, nothing of 'text' is changed. */
#include "kernels/codec/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 64, LONGEST_NUMBER = 128 };

struct span {
    const char *at;
    size_t n;
};

struct reader {
    const struct codec *codec;
    struct codec_params params;
    char *why;
    size_t nwhy;
};

/* The span before the next 'end' of *rest, or all of it; *rest.at is NULL after the last. */
static struct span take(struct span *rest, char end)
{
    const char *stop = memchr(rest->at, end, rest->n);
    struct span s = { rest->at, stop ? (size_t)(stop - rest->at) : rest->n };

    rest->at = stop ? stop + 1 : NULL;
    rest->n = stop ? rest->n - s.n - 1 : 0;
    return s;
}

static bool is_called(struct span s, const char *name)
{
    return strlen(name) == s.n && !memcmp(s.at, name, s.n);
}

static int shown(struct span s)
{
    return s.n < 256 ? (int)s.n : 256;
}

static const struct codec *find(const struct codec *const *table, struct span name)
{
    char copy[LONGEST_NAME];
    const char *known;

    if (name.n >= sizeof(copy))
        return NULL;
    memcpy(copy, name.at, name.n);
    copy[name.n] = '\0';
    known = codec_alias_of(copy);
    while (*table && strcmp((*table)->name, known ? known : copy) != 0)
        table++;
    return *table;
}

static enum codec_error no_such_param(struct reader *r, struct span name)
{
    size_t used;

    snprintf(r->why, r->nwhy, "%s has no parameter '%.*s'; it has%s", r->codec->name, shown(name), name.at,
             r->codec->param[0].name ? "" : " none");
    for (const struct codec_param *p = r->codec->param; r->nwhy && p->name; p++) {
        used = strlen(r->why);
        snprintf(r->why + used, r->nwhy - used, " %s", p->name);
    }
    return CODEC_PARAMETER;
}

/* What separates digits in the locale of the moment, for strtod(): a program may have set one that has a comma. */
static bool read_number(struct span text, double *value)
{
    char copy[LONGEST_NUMBER + 8], half[16], *end;
    const char *point = memchr(text.at, '.', text.n);
    size_t before = point ? (size_t)(point - text.at) : text.n, after = point ? text.n - before - 1 : 0, n = 0;

    if (!text.n || text.n > LONGEST_NUMBER)
        return 0;
    memcpy(copy, text.at, before);
    if (point) {
        snprintf(half, sizeof(half), "%.1f", 0.5);
        n = strlen(half) - 2;
        n = n < 8 ? n : 1;
        memcpy(copy + before, half + 1, n);
        memcpy(copy + before + n, point + 1, after);
    }
    copy[before + n + after] = '\0';
    *value = strtod(copy, &end);
    return end == copy + before + n + after;
}

static enum codec_error read_param(struct reader *r, struct span text)
{
    const struct codec_param *param = r->codec->param;
    struct span value = text, name = take(&value, '=');
    int i = 0;

    if (!value.at) {
        snprintf(r->why, r->nwhy, "%s: expected PARAM=VALUE, got '%.*s'", r->codec->name, shown(text), text.at);
        return CODEC_PARAMETER;
    }
    while (param[i].name && !is_called(name, param[i].name))
        i++;
    if (!param[i].name)
        return no_such_param(r, name);
    if (read_number(value, &r->params.value[i]))
        return CODEC_OK;
    snprintf(r->why, r->nwhy, "%s: %s: expected a number, got '%.*s'", r->codec->name, param[i].name, shown(value),
             value.at);
    return CODEC_PARAMETER;
}

static enum codec_error check_ranges(struct reader *r)
{
    const struct codec_param *p;
    char multiple[64];
    int which;

    if (codec_check(r->codec, &r->params, &which) == CODEC_OK)
        return CODEC_OK;
    p = &r->codec->param[which];
    snprintf(multiple, sizeof(multiple), "a multiple of %g", p->multiple);
    snprintf(r->why, r->nwhy, "%s: %s: expected %s from %g to %g, got %g", r->codec->name, p->name,
             p->multiple > 1   ? multiple
             : p->multiple > 0 ? "a whole number"
                               : "a number",
             p->lowest, p->highest, r->params.value[which]);
    return CODEC_PARAMETER;
}

enum codec_error codec_text_read(const char *text, const struct codec **codec, struct codec_params *params, char *why,
                                 size_t nwhy)
{
    return codec_text_read_in(text, codecs, codec, params, why, nwhy);
}

enum codec_error codec_text_read_in(const char *text, const struct codec *const *table, const struct codec **codec,
                                    struct codec_params *params, char *why, size_t nwhy)
{
    struct span rest = { text, strlen(text) }, name = take(&rest, ':');
    struct reader r = { .codec = find(table, name), .why = why, .nwhy = nwhy };
    enum codec_error error = CODEC_OK;

    if (!r.codec) {
        snprintf(why, nwhy, "no codec is called '%.*s'", shown(name), name.at);
        return CODEC_UNKNOWN;
    }
    r.params = codec_presets(r.codec);
    while (!error && rest.at)
        error = read_param(&r, take(&rest, ','));
    if (!error)
        error = check_ranges(&r);
    if (error)
        return error;
    *codec = r.codec;
    *params = r.params;
    return CODEC_OK;
}
