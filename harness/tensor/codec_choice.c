#include "harness/tensor/codec_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_table.h"
#include "harness/text/suggest.h"

static int unknown_codec(const char *name, FILE *err)
{
    struct suggest near = { .given = name };

    for (const struct codec *const *c = codec_table(); *c; c++)
        suggest_offer(&near, (*c)->name);
    for (size_t i = 0; codec_alias_name(i); i++)
        suggest_offer(&near, codec_alias_name(i));
    fprintf(err, "no codec is called '%s'", name);
    if (suggest_result(&near))
        fprintf(err, "; did you mean '%s'?", suggest_result(&near));
    else
        fputc('.', err);
    fputs(" See 'narrows list codecs'.\n", err);
    return NW_EINPUT;
}

static int unknown_param(const struct codec *c, const char *name, FILE *err)
{
    fprintf(err, "%s has no parameter '%s'; it has", c->name, name);
    for (const struct codec_param *p = c->param; p->name; p++)
        fprintf(err, " %s", p->name);
    fputs(c->param[0].name ? "\n" : " none\n", err);
    return NW_EINPUT;
}

static int read_param(const struct codec *c, char *text, struct codec_params *params, FILE *err)
{
    char *value = strchr(text, '='), *end;
    int i = 0;

    if (!value) {
        fprintf(err, "%s: expected PARAM=VALUE, got '%s'\n", c->name, text);
        return NW_EINPUT;
    }
    *value++ = '\0';
    while (c->param[i].name && strcmp(c->param[i].name, text) != 0)
        i++;
    if (!c->param[i].name)
        return unknown_param(c, text, err);
    params->value[i] = strtod(value, &end);
    if (end != value && !*end)
        return NW_OK;
    fprintf(err, "%s: %s: expected a number, got '%s'\n", c->name, text, value);
    return NW_EINPUT;
}

static int check_ranges(const struct codec *c, const struct codec_params *params, FILE *err)
{
    const struct codec_param *p;
    int which;

    if (codec_check(c, params, &which) == CODEC_OK)
        return NW_OK;
    p = &c->param[which];
    fprintf(err, "%s: %s: expected ", c->name, p->name);
    if (p->multiple > 1)
        fprintf(err, "a multiple of %g", p->multiple);
    else
        fputs(p->multiple > 0 ? "a whole number" : "a number", err);
    fprintf(err, " from %g to %g, got %g\n", p->lowest, p->highest, params->value[which]);
    return NW_EINPUT;
}

int codec_choice_read(const char *text, const struct codec **codec, struct codec_params *params, FILE *err)
{
    char *copy = strdup(text), *rest = copy, *name = strsep(&rest, ":");
    const char *known = name ? codec_alias_of(name) : NULL;
    const struct codec *c = name ? codec_table_find(known ? known : name) : NULL;
    struct codec_params p = { { 0 } };
    int rc = NW_OK;

    if (!copy)
        return NW_ENOMEM;
    if (!c)
        rc = unknown_codec(name, err);
    else
        p = codec_presets(c);
    while (!rc && rest)
        rc = read_param(c, strsep(&rest, ","), &p, err);
    if (!rc)
        rc = check_ranges(c, &p, err);
    free(copy);
    if (rc)
        return rc;
    *codec = c;
    *params = p;
    return NW_OK;
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
