/* rows.c - a plug-in as a row of the table of codecs. The functions of a codec that tell sizes know no row, so each
 * plug-in has three of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "harness/status.h"
#include "harness/tensor/plugin/private.h"

static const struct narrows_plugin *loaded[PLUGINS_MOST];

#define SIZES_OF(i)                                                              \
    static size_t payload_##i(size_t n, const struct codec_params *p)            \
    {                                                                            \
        return loaded[i]->payload_bound(n, p->value);                            \
    }                                                                            \
    static size_t state_##i(size_t n, const struct codec_params *p)              \
    {                                                                            \
        return loaded[i]->state_bytes ? loaded[i]->state_bytes(n, p->value) : 0; \
    }                                                                            \
    static size_t work_##i(size_t n, const struct codec_params *p)               \
    {                                                                            \
        return loaded[i]->work_bytes ? loaded[i]->work_bytes(n, p->value) : 0;   \
    }
#define EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)
#define LISTED(i) { payload_##i, state_##i, work_##i },

EACH(SIZES_OF)

static const struct {
    codec_size_fn *payload, *state, *work;
} sizes[] = { EACH(LISTED) };

_Static_assert(sizeof(sizes) / sizeof(*sizes) == PLUGINS_MOST, "functions for each plug-in");
_Static_assert((int)NARROWS_PLUGIN_PARAMS == (int)CODEC_PARAMS, "parameters are those of kernels/");
_Static_assert((int)NARROWS_PLUGIN_OK == (int)CODEC_OK && (int)NARROWS_PLUGIN_SHORT == (int)CODEC_SHORT &&
                   (int)NARROWS_PLUGIN_LONG == (int)CODEC_LONG && (int)NARROWS_PLUGIN_CONTENT == (int)CODEC_CONTENT,
               "errors are those of kernels/");
_Static_assert((int)NARROWS_PLUGIN_REDUCIBLE == (int)CODEC_REDUCIBLE &&
                   (int)NARROWS_PLUGIN_GATHERED == (int)CODEC_GATHERED &&
                   (int)NARROWS_PLUGIN_SCATTERED == (int)CODEC_SCATTERED,
               "classes are those of kernels/");

static bool usable(void)
{
    return true;
}

/* Memory has been overwritten: nothing is to run any more, not what stands at exit() either. */
__attribute__((noreturn)) static void overrun(const struct narrows_plugin *p, size_t n, size_t nbytes, size_t bound)
{
    fprintf(stderr, "plug-in %s: a payload of %zu values has %zu bytes, more than its payload_bound of %zu\n", p->name,
            n, nbytes, bound);
    fflush(stderr);
    _exit(EXIT_FAILED);
}

static uint64_t within(const struct narrows_plugin *plugin, size_t n, const struct codec_params *p, size_t nbytes)
{
    size_t bound = plugin->payload_bound(n, p->value);

    if (nbytes > bound)
        overrun(plugin, n, nbytes, bound);
    return nbytes;
}

static int known(int error)
{
    return error == CODEC_OK || error == CODEC_SHORT || error == CODEC_LONG ? error : CODEC_CONTENT;
}

static void encode(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                   const struct codec_params *p, void *state, void *work)
{
    const struct narrows_plugin *plugin = im->with;
    size_t size = 0;

    plugin->encode(payload, &size, values, n, p->value, state, work);
    *nbytes = within(plugin, n, p, size);
}

static void decode(const struct impl *im, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                   size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    const struct narrows_plugin *plugin = im->with;

    *error = known(plugin->decode(values, n, into == CODEC_ADD, payload, nbytes, p->value, work));
}

static void reduce(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const struct codec_terms *terms, size_t n,
                   const struct codec_params *p, void *work, int *error)
{
    const struct narrows_plugin *plugin = im->with;
    size_t size = 0;

    *error = known(
        plugin->reduce(payload, &size, terms->payloads, terms->stride, terms->nbytes, terms->count, n, p->value, work));
    if (!*error)
        *nbytes = within(plugin, n, p, size);
}

/* From the name, so that a stream finds its codec wherever the plug-in is loaded. */
static uint16_t number_of(const char *name)
{
    return (uint16_t)(CODEC_ID_PLUGINS | XXH3_64bits(name, strlen(name)) % CODEC_ID_PLUGINS);
}

void plugin_adopt(struct plugin *p, size_t i)
{
    const struct narrows_plugin *of = loaded[i] = p->of;

    snprintf(p->row_name, sizeof(p->row_name), "plugin-%.8s", p->digest);
    p->rows[0] = (struct codec_impl){ .impl = { p->row_name, IMPL_HOST, false, usable, of },
                                      .compress = encode,
                                      .decompress = decode,
                                      .reduce = of->reduce ? reduce : NULL };
    p->rows[1] = (struct codec_impl){ .impl = { .name = NULL } };
    p->codec = (struct codec){ .name = of->name,
                               .id = number_of(of->name),
                               .what = of->what,
                               .source = *of->source ? of->source : "plug-in",
                               .class = (enum codec_class)of->adds,
                               .payload_bound = sizes[i].payload,
                               .state_size = sizes[i].state,
                               .work_size = sizes[i].work,
                               .impls = p->rows };
    for (int k = 0; k < NARROWS_PLUGIN_PARAMS && of->params[k].name; k++) {
        const struct narrows_plugin_param *from = &of->params[k];

        p->codec.param[k] = (struct codec_param){ from->name,    from->unit,   from->what,    from->lowest,
                                                  from->highest, from->preset, from->multiple };
    }
}
