/* alias.c - other names of codecs: one table for scenarios, training, commands and the library. */
#include "kernels/codec/text.h"

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

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

const char *codec_alias_of(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (is_same(aliases[i].alias, name))
            return aliases[i].codec;
    return NULL;
}

const char *codec_alias_name(size_t i)
{
    return i < COUNT ? aliases[i].alias : NULL;
}

const char *codec_alias_codec(size_t i)
{
    return i < COUNT ? aliases[i].codec : NULL;
}
