/* check.c - what a plug-in says of itself, held to the header that it should have been built with. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/count.h"
#include "harness/tensor/plugin/private.h"

enum { LONGEST_NAME = 23, LONGEST_LINE = 200 };

static const double LARGEST_NUMBER = 9007199254740992.0; /* 2^53 */

__attribute__((format(printf, 2, 3))) static bool wrong(struct plugin_report *r, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(r->why, sizeof(r->why), format, arguments);
    va_end(arguments);
    return false;
}

/* Letters and digits, and behind the first one those of 'more'. */
static bool is_name(const char *text, bool digit_first, const char *more)
{
    for (const char *c = text; *c; c++)
        if (!islower((unsigned char)*c) && (!isdigit((unsigned char)*c) || (c == text && !digit_first)) &&
            (c == text || !strchr(more, *c)))
            return false;
    return *text && strlen(text) <= LONGEST_NAME;
}

static bool is_line(const char *text)
{
    for (const char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c))
            return false;
    return strlen(text) <= LONGEST_LINE;
}

static bool check_texts(struct plugin_report *r, const struct narrows_plugin *p)
{
    if (!p->name || !is_name(p->name, true, "._-"))
        return wrong(r, "name: expected at most %d of a-z, 0-9 and ._-, a letter or digit first", LONGEST_NAME);
    if (!p->what || !*p->what || !is_line(p->what))
        return wrong(r, "%s: what: expected a line of at most %d characters", p->name, LONGEST_LINE);
    if (!p->source || !is_line(p->source))
        return wrong(r, "%s: source: expected a line of at most %d characters", p->name, LONGEST_LINE);
    return true;
}

static bool check_functions(struct plugin_report *r, const struct narrows_plugin *p)
{
    int adds = (int)p->adds;

    if (adds != NARROWS_PLUGIN_REDUCIBLE && adds != NARROWS_PLUGIN_GATHERED && adds != NARROWS_PLUGIN_SCATTERED)
        return wrong(r, "%s: adds: expected a value of enum narrows_plugin_class, got %d", p->name, adds);
    if (!p->payload_bound || !p->encode || !p->decode)
        return wrong(r, "%s: expected the function %s, got none", p->name,
                     !p->payload_bound ? "payload_bound"
                     : !p->encode      ? "encode"
                                       : "decode");
    if (!p->reduce != (adds != NARROWS_PLUGIN_SCATTERED))
        return wrong(r, "%s: reduce: expected it of NARROWS_PLUGIN_SCATTERED, and of no other class", p->name);
    return true;
}

/* Written so that a NaN fails it. */
static bool check_range(struct plugin_report *r, const char *codec, const struct narrows_plugin_param *p)
{
    double least = fmin(p->lowest, fmin(p->preset, p->highest)), most = fmax(p->lowest, fmax(p->preset, p->highest));

    if (!(isfinite(p->lowest) && isfinite(p->highest) && isfinite(p->preset) && least >= -LARGEST_NUMBER &&
          most <= LARGEST_NUMBER))
        return wrong(r, "%s: %s: expected numbers within 2^53, got %g to %g, usually %g", codec, p->name, p->lowest,
                     p->highest, p->preset);
    if (!(p->lowest <= p->preset && p->preset <= p->highest))
        return wrong(r, "%s: %s: expected the preset within its range, got %g in %g to %g", codec, p->name, p->preset,
                     p->lowest, p->highest);
    if (!(p->multiple >= 0 && isfinite(p->multiple)))
        return wrong(r, "%s: %s: multiple: expected 0 or more, got %g", codec, p->name, p->multiple);
    if (p->multiple > 0 && fmod(p->preset, p->multiple) != 0)
        return wrong(r, "%s: %s: expected the preset a multiple of %g, got %g", codec, p->name, p->multiple, p->preset);
    return true;
}

static bool check_param(struct plugin_report *r, const struct narrows_plugin *p, int i)
{
    const struct narrows_plugin_param *param = &p->params[i];

    if (!is_name(param->name, false, "_0123456789"))
        return wrong(r, "%s: params[%d]: expected a name of a-z, 0-9 and _, a letter first", p->name, i);
    for (int k = 0; k < i; k++)
        if (!strcmp(p->params[k].name, param->name))
            return wrong(r, "%s: %s: expected it once", p->name, param->name);
    if (!param->unit || !param->what || !is_line(param->unit) || !is_line(param->what))
        return wrong(r, "%s: %s: expected a unit, which may be \"\", and a line that says what it is", p->name,
                     param->name);
    return check_range(r, p->name, param);
}

static bool check_params(struct plugin_report *r, const struct narrows_plugin *p)
{
    int n = 0;

    while (n < NARROWS_PLUGIN_PARAMS && p->params[n].name)
        if (!check_param(r, p, n++))
            return false;
    for (; n < NARROWS_PLUGIN_PARAMS; n++)
        if (p->params[n].name)
            return wrong(r, "%s: params: expected those in use first, got '%s' behind one without a name", p->name,
                         p->params[n].name);
    return true;
}

static bool check_sizes_at(struct plugin_report *r, const struct narrows_plugin *p, const double *param, size_t n)
{
    const struct {
        const char *name;
        size_t (*of)(size_t n, const double *param);
    } sizes[] = { { "payload_bound", p->payload_bound },
                  { "expected_bytes", p->expected_bytes },
                  { "state_bytes", p->state_bytes },
                  { "work_bytes", p->work_bytes } };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t bytes;

        snprintf(r->doing, sizeof(r->doing), "%s of %zu values, with the parameters %g, %g, %g, %g", sizes[i].name, n,
                 param[0], param[1], param[2], param[3]);
        bytes = sizes[i].of ? sizes[i].of(n, param) : 0;
        if (bytes > 64 * n + 65536)
            return wrong(r, "%s: %s: expected at most 64 n + 65536, got %zu bytes", p->name, r->doing, bytes);
    }
    return true;
}

/* At all corners of the parameters' ranges, and at their presets. */
bool plugin_sizes_right(const struct narrows_plugin *p, struct plugin_report *r)
{
    static const size_t lengths[] = { 0, 1, 2, 3, 1000, (size_t)1 << 20, CODEC_MAX_VALUES };

    for (unsigned corner = 0; corner <= 1u << NARROWS_PLUGIN_PARAMS; corner++) {
        double param[NARROWS_PLUGIN_PARAMS];

        for (int i = 0; i < NARROWS_PLUGIN_PARAMS; i++)
            param[i] = corner >> NARROWS_PLUGIN_PARAMS ? p->params[i].preset
                       : corner >> i & 1               ? p->params[i].highest
                                                       : p->params[i].lowest;
        for (size_t i = 0; i < COUNT(lengths); i++)
            if (!check_sizes_at(r, p, param, lengths[i]))
                return false;
    }
    return true;
}

bool plugin_right(const struct narrows_plugin *p, struct plugin_report *r)
{
    if (p->abi != NARROWS_PLUGIN_ABI)
        return wrong(r, "expected a plug-in of ABI %d, got one of ABI %lu: build it with this narrows_plugin.h",
                     NARROWS_PLUGIN_ABI, (unsigned long)p->abi);
    if (p->bytes != sizeof(*p))
        return wrong(r, "expected a struct narrows_plugin of %zu bytes, got %lu: build it with this narrows_plugin.h",
                     sizeof(*p), (unsigned long)p->bytes);
    return check_texts(r, p) && check_functions(r, p) && check_params(r, p);
}
