#include "harness/tensor/codec_choice.h"

#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "harness/text/suggest.h"
#include "kernels/codec/text.h"

enum { LINE = 1024 };

/* The end of a line that says that no codec is called so. */
static void suggest(const char *name, FILE *err)
{
    struct suggest near = { .given = name };

    for (const struct codec *const *c = codec_table(); *c; c++)
        suggest_offer(&near, (*c)->name);
    for (size_t i = 0; codec_alias_name(i); i++)
        suggest_offer(&near, codec_alias_name(i));
    if (suggest_result(&near))
        fprintf(err, "; did you mean '%s'?", suggest_result(&near));
    else
        fputc('.', err);
    fputs(" See 'narrows list codecs'.", err);
}

int codec_choice_read(const char *text, const struct codec **codec, struct codec_params *params, FILE *err)
{
    char why[LINE], name[LINE];
    enum codec_error error = codec_text_read_in(text, codec_table(), codec, params, why, sizeof(why));

    if (!error)
        return NW_OK;
    fputs(why, err);
    if (error == CODEC_UNKNOWN) {
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
        suggest(name, err);
    }
    fputc('\n', err);
    return NW_EINPUT;
}

int codec_choice_row(const struct codec *codec, const char *impl, const struct codec_impl **row)
{
    *row = codec_choose(codec, impl, 1);
    if (!*row)
        *row = codec_choose(codec, impl, 0);
    if (*row)
        return NW_OK;
    fprintf(stderr, "%s: no implementation '%s' that can run here; there are:", codec->name, impl ? impl : "");
    for (const struct codec_impl *im = codec->impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && im->impl.usable())
            fprintf(stderr, " %s", im->impl.name);
    fputc('\n', stderr);
    return NW_EINPUT;
}
