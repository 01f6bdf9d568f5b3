#include "harness/tensor/codec_alias.h"

#include <strings.h>

/* An alias takes the parameters of what it stands for. */
static const struct {
    const char *alias, *codec;
} aliases[] = {
    { "none", "fp32" },      { "float32", "fp32" }, { "float16", "fp16" },    { "half", "fp16" },
    { "bfloat16", "bf16" },  { "int8", "8bit" },    { "8-bit", "8bit" },      { "onebit", "1bit" },
    { "1-bit", "1bit" },     { "signsgd", "1bit" }, { "threelc", "3lc" },     { "bitpack", "adt" },
    { "topk", "dct" },       { "top-k", "dct" },    { "local-sgd", "local" }, { "random-k", "randomk" },
    { "rand-k", "randomk" },
};

enum { COUNT = sizeof(aliases) / sizeof(*aliases) };

const char *codec_alias_of(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (!strcasecmp(aliases[i].alias, name))
            return aliases[i].codec;
    return NULL;
}

const char *codec_alias_name(size_t i)
{
    return i < COUNT ? aliases[i].alias : NULL;
}

void codec_alias_list(const char *codec, FILE *out)
{
    const char *between = "";

    for (size_t i = 0; i < COUNT; i++) {
        if (codec && strcasecmp(codec, aliases[i].codec) != 0)
            continue;
        fprintf(out, "%s%s", between, aliases[i].alias);
        if (!codec)
            fprintf(out, " for %s", aliases[i].codec);
        between = ", ";
    }
}
