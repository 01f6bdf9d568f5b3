/* codec_table.c - the codecs of the build and of plug-ins, one behind the other. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_alias.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/plugin/private.h"

enum { MOST_CODECS = 64 };

static struct {
    const struct codec *all[MOST_CODECS + PLUGINS_MOST + 1];
    const struct plugin *of[PLUGINS_MOST];
    size_t n; /* plug-ins */
} table;

const struct codec *const *codec_table(void)
{
    return table.n ? table.all : codecs;
}

const struct codec *codec_table_find(const char *name)
{
    const struct codec *const *c = codec_table();

    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}

size_t plugin_count(void)
{
    return table.n;
}

const struct plugin *plugin_of(const struct codec *c)
{
    for (size_t i = 0; i < table.n; i++)
        if (&table.of[i]->codec == c)
            return table.of[i];
    return NULL;
}

const char *codec_table_digest(const struct codec *c)
{
    const struct plugin *p = plugin_of(c);

    return p ? p->digest : NULL;
}

size_t codec_table_bytes(const struct codec *c, size_t n, const struct codec_params *p)
{
    const struct plugin *plugin = plugin_of(c);
    size_t bound = c->payload_bound(n, p), expected;

    if (!plugin || !plugin->of->expected_bytes)
        return bound;
    expected = plugin->of->expected_bytes(n, p->value);
    return expected < bound ? expected : bound;
}

/* What scenarios mean by themselves. */
static bool is_reserved(const char *name)
{
    return !strcmp(name, "ratio") || !strcmp(name, "asked") || !strcmp(name, "none");
}

static const struct codec *of_number(uint16_t id)
{
    const struct codec *const *c = codec_table();

    while (*c && (*c)->id != id)
        c++;
    return *c;
}

static int refuse(char *why, size_t nwhy, const char *what, const char *name)
{
    snprintf(why, nwhy, what, name);
    return NW_EINPUT;
}

int plugin_add(struct plugin *p, char *why, size_t nwhy)
{
    const char *name = p->codec.name;
    const struct codec *same = codec_table_find(name), *number = of_number(p->codec.id);
    size_t n = 0;

    if (same)
        return refuse(why, nwhy,
                      plugin_of(same) ? "another plug-in has a codec '%s' too: expected another name"
                                      : "narrows has a codec '%s' of its own: expected another name",
                      name);
    if (is_reserved(name) || codec_alias_of(name))
        return refuse(why, nwhy, "'%s' has a meaning of its own: expected another name", name);
    if (number)
        return refuse(why, nwhy, "its number in streams is that of '%s', since names give them: expected another name",
                      number->name);
    while (codecs[n])
        n++;
    assert(n <= MOST_CODECS && table.n < PLUGINS_MOST);
    memcpy(table.all, codecs, n * sizeof(*codecs));
    table.all[n + table.n] = &p->codec;
    table.of[table.n++] = p;
    return NW_OK;
}
