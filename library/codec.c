/* codec.c - what there is: codecs and their parameters. */
#include "library/internal.h"

#include "kernels/codec/text.h"

_Static_assert((int)NARROWS_CONTENT == CODEC_CONTENT, "errors have the numbers of the kernels");
_Static_assert((int)NARROWS_SCATTERED == CODEC_SCATTERED, "so do classes");
_Static_assert((int)NARROWS_PARAMS == CODEC_PARAMS && NARROWS_MOST_VALUES == CODEC_MAX_VALUES, "and limits");

static const struct codec *of(const narrows_codec *codec)
{
    return (const struct codec *)codec;
}

const narrows_codec *narrows_codec_at(size_t i)
{
    for (const struct codec *const *c = codecs; *c; c++)
        if (!i--)
            return (const narrows_codec *)*c;
    return NULL;
}

const narrows_codec *narrows_codec_find(const char *name)
{
    const char *known = name ? codec_alias_of(name) : NULL;

    return name ? (const narrows_codec *)codec_find(known ? known : name) : NULL;
}

const char *narrows_codec_name(const narrows_codec *codec)
{
    return codec ? of(codec)->name : NULL;
}

const char *narrows_codec_what(const narrows_codec *codec)
{
    return codec ? of(codec)->what : NULL;
}

const char *narrows_codec_source(const narrows_codec *codec)
{
    return codec ? of(codec)->source : NULL;
}

narrows_class narrows_codec_class(const narrows_codec *codec)
{
    return codec ? (narrows_class)of(codec)->class : NARROWS_GATHERED;
}

int narrows_codec_param(const narrows_codec *codec, size_t i, narrows_param *param)
{
    const struct codec_param *p;

    if (!codec || !param)
        return NARROWS_ARGUMENT;
    p = of(codec)->param;
    while (p->name && i--)
        p++;
    if (!p->name)
        return NARROWS_COUNT;
    *param = (narrows_param){ p->name, p->unit, p->what, p->lowest, p->highest, p->preset, p->multiple };
    return NARROWS_OK;
}
