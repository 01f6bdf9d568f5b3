/* coder.c - a codec with its parameters and a row. A coder holds pointers into the tables and nothing else; each call
 * finds them there again, so that a coder that was never chosen is an error and not a jump to anywhere. */
#include <stdio.h>
#include <string.h>

#include "kernels/codec/text.h"
#include "library/internal.h"

/* What programs that were compiled earlier have on their stacks. */
_Static_assert(sizeof(void *) != 8 || (sizeof(narrows_coder) == 80 && offsetof(narrows_coder, param) == 8 &&
                                       offsetof(narrows_coder, row) == 40 && offsetof(narrows_coder, reserved) == 48),
               "a coder keeps its layout");
_Static_assert(sizeof(void *) != 8 || (sizeof(narrows_param) == 56 && offsetof(narrows_param, lowest) == 24),
               "so does a parameter");

static const struct codec_impl *row_for(const struct codec *codec, unsigned flags)
{
    const struct codec_impl *row;

    if (flags & NARROWS_DEVICE) {
        for (row = codec->impls; row->impl.name; row++)
            if (row->impl.where == IMPL_DEVICE && row->impl.usable())
                return row;
        return NULL;
    }
    row = flags & NARROWS_SERIAL ? NULL : codec_choose(codec, NULL, true);
    return row ? row : codec_choose(codec, NULL, false);
}

int coder_set(narrows_coder *coder, const struct codec *codec, const struct codec_params *params, unsigned flags)
{
    narrows_coder chosen = { .codec = (const narrows_codec *)codec, .row = row_for(codec, flags) };

    if (!chosen.row)
        return NARROWS_ABSENT;
    memcpy(chosen.param, params->value, sizeof(chosen.param));
    *coder = chosen;
    return NARROWS_OK;
}

/* One thread, or the device. */
bool coder_flags_are_known(unsigned flags)
{
    return flags <= NARROWS_DEVICE;
}

static bool is_in_table(const struct codec *codec)
{
    const struct codec *const *c = codecs;

    while (*c && *c != codec)
        c++;
    return *c != NULL;
}

const struct codec_impl *coder_row(const narrows_coder *coder, struct codec_params *params)
{
    const struct codec_impl *row;
    int which;

    if (!coder || !is_in_table(coder_codec(coder)))
        return NULL;
    memcpy(params->value, coder->param, sizeof(params->value));
    if (codec_check(coder_codec(coder), params, &which))
        return NULL;
    for (row = coder_codec(coder)->impls; row->impl.name; row++)
        if (row == coder->row)
            return row;
    return NULL;
}

/* ": there are 3lc, ..." behind what is in 'why'. */
static void add_names(char *why, size_t nwhy)
{
    for (const struct codec *const *c = codecs; nwhy && *c; c++) {
        size_t used = strlen(why);

        snprintf(why + used, nwhy - used, "%s%s", c == codecs ? "; there are " : ", ", (*c)->name);
    }
}

int narrows_coder_choose(narrows_coder *coder, const char *text, unsigned flags, char *why, size_t nwhy)
{
    const struct codec *codec;
    struct codec_params params;
    enum codec_error error;
    int rc;

    if (!coder || !text || (nwhy && !why) || !coder_flags_are_known(flags)) {
        if (why)
            snprintf(why, nwhy, "%s", narrows_error_text(NARROWS_ARGUMENT));
        return NARROWS_ARGUMENT;
    }
    if (nwhy)
        *why = '\0';
    error = codec_text_read(text, &codec, &params, why, nwhy);
    if (error == CODEC_UNKNOWN)
        add_names(why, nwhy);
    if (error)
        return (int)error;
    rc = coder_set(coder, codec, &params, flags);
    if (rc)
        snprintf(why, nwhy, "%s: no CUDA device that this library can use, or none for this codec", codec->name);
    return rc;
}

const char *narrows_coder_impl(const narrows_coder *coder)
{
    struct codec_params params;
    const struct codec_impl *row = coder_row(coder, &params);

    return row ? row->impl.name : NULL;
}
