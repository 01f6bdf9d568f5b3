#include "harness/compare/contender.h"

#include <stdlib.h>
#include <string.h>

#include "harness/compare/shape.h"
#include "harness/count.h"
#include "harness/status.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/tensors.h"

/* Codecs that are a family. A threshold of dct that serves many steps would pass what piles up in between, so that a
 * few steps show neither its bits nor what it keeps. */
static const char *const families[] = {
    "3lc:s=1",
    "3lc:s=1.75",
    "adt:keep=2",
    "adt:keep=3",
    "dct:dropped=0.9,lifespan=1",
    "dct:dropped=0.99,lifespan=1",
    "dct:dropped=0.999,lifespan=1",
    "sparsify:share=0.25",
    "sparsify:share=0.05",
    "sparsify:share=0.01",
    "qsgd:levels=127",
    "qsgd:levels=7,largest=1",
    "randomk:density=0.1",
    "randomk:density=0.01",
    "powersgd:rank=1",
    "powersgd:rank=4",
    "blockwise:bits=8",
    "blockwise:bits=4",
};

/* Where in the parameters "columns" is, or -1. */
static int columns_of(const struct codec *c)
{
    for (int i = 0; c->param[i].name; i++)
        if (!strcmp(c->param[i].name, "columns"))
            return i;
    return -1;
}

static int add(struct contenders *c, const char *text, const char *impl, FILE *err)
{
    struct contender *more = realloc(c->list, (c->n + 1) * sizeof(*more)), *one;
    int rc;

    if (!more)
        return NW_ENOMEM;
    c->list = more;
    one = &c->list[c->n];
    *one = (struct contender){ .name = strdup(text) };
    if (!one->name)
        return NW_ENOMEM;
    c->n++;
    rc = codec_choice_read(text, &one->codec, &one->params, err);
    if (!rc)
        rc = codec_choice_row(one->codec, impl, &one->row);
    if (!rc)
        one->shaped =
            one->codec->class == CODEC_REDUCIBLE_TWICE && columns_of(one->codec) >= 0 && !strstr(text, "columns=");
    return rc;
}

/* Is it a setting of the codec of this name? */
static bool setting_of(const char *setting, const char *name)
{
    size_t n = strlen(name);

    return !strncmp(setting, name, n) && setting[n] == ':';
}

static int add_family(struct contenders *c, const struct codec *codec, const char *impl, FILE *err)
{
    size_t before = c->n;
    int rc = NW_OK;

    for (size_t i = 0; i < COUNT(families) && !rc; i++)
        if (setting_of(families[i], codec->name))
            rc = add(c, families[i], impl, err);
    return rc || c->n > before ? rc : add(c, codec->name, impl, err);
}

int contenders_choose(struct contenders *c, const char *const *names, size_t n, const char *impl, FILE *err)
{
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++)
        rc = add(c, names[i], impl, err);
    for (const struct codec *const *codec = codec_table(); !n && *codec && !rc; codec++)
        rc = add_family(c, *codec, impl, err);
    return rc;
}

void contenders_free(struct contenders *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->list[i].name);
    free(c->list);
    *c = (struct contenders){ 0 };
}

struct codec_params contender_params(const struct contender *c, const struct tensor *t)
{
    struct codec_params p = c->params;
    size_t rows = t->ndims ? t->dims[0] : 1;

    if (!c->shaped || !t->n || shape_class(t) == SHAPE_FLAT)
        return p;
    p.value[columns_of(c->codec)] = (double)(shape_class(t) == SHAPE_VECTOR ? t->n : t->n / rows);
    return p;
}
