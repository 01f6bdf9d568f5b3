#include "harness/scenario/schema/codec_text.h"

#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_choice.h"
#include "harness/tensor/codec_table.h"
#include "harness/text/suggest.h"
#include "narrows_build.h"
#include "sim/codec/codec_spec.h"

enum { LONGEST_CODEC = 64 };

static bool is_codec(const char *text, char *why, size_t nwhy)
{
    const struct codec *codec;
    struct codec_params params;
    FILE *message = fmemopen(why, nwhy, "w");
    int rc = message ? codec_choice_read(text, &codec, &params, message) : NW_ENOMEM;

    if (rc == NW_ENOMEM)
        snprintf(why, nwhy, "out of memory");
    if (message)
        fclose(message);
    why[nwhy - 1] = '\0';
    reason_plain(why);
    return !rc;
}

/* The codec that the text begins with; NULL: none. */
static const struct codec *named(const char *text)
{
    char name[LONGEST_CODEC];
    const char *known;

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
    known = codec_alias_of(name);
    return codec_table_find(known ? known : name);
}

static const char *digest(const char *text)
{
    const struct codec *c = named(text);

    return c ? codec_table_digest(c) : NULL;
}

/* The train digest has the code of kernels/ in it. */
static const char *asked_digest(const char *text)
{
    const char *of_plugin = digest(text);

    return of_plugin ? of_plugin : NW_TRAIN_DIGEST;
}

static bool has_formula(const struct codec *c)
{
    for (int f = 0; f < WIRE_ASKED; f++)
        if (!strcmp(wire_format_name((enum wire_format)f), c->name))
            return true;
    return false;
}

static bool is_asked(const char *text, char *why, size_t nwhy)
{
    const struct codec *c = named(text);

    *why = '\0';
    if (!c)
        return false;
    if (has_formula(c))
        snprintf(why, nwhy, "%s has keys of its own here instead of parameters (narrows schema method)", c->name);
    else if (c->class == CODEC_REDUCIBLE_TWICE)
        snprintf(why, nwhy, "%s adds up in two rounds, for which there must be a formula", c->name);
    else
        return is_codec(text, why, nwhy);
    return false;
}

static void offer(struct suggest *s)
{
    for (const struct codec *const *c = codec_table(); *c; c++)
        suggest_offer(s, (*c)->name);
}

const struct text_form codec_text_trained = { "a codec as in 3lc:s=1.75", is_codec, digest, NULL };
const struct text_form codec_text_asked = { "a codec as in mycodec:s=2", is_asked, asked_digest, offer };
