/* layer_policy.c - which layers a codec codes. */
#include <string.h>

#include "sim/codec/codec_spec.h"

/* Does the pattern, n characters long, fit the whole name? A star takes as little as it can, and more when that
 * fails. */
static bool fits(const char *pattern, size_t n, const char *name)
{
    const char *end = pattern + n, *star = NULL, *resume = NULL;

    while (*name) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool codec_spec_takes(const struct codec_spec *c, const char *layer)
{
    const char *p = c->layers ? c->layers : "";

    p += strspn(p, " ");
    if (!*p)
        return true;
    for (size_t n; (n = strcspn(p, " ")) > 0; p += n, p += strspn(p, " "))
        if (fits(p, n, layer))
            return true;
    return false;
}

struct codec_spec codec_spec_of_layer(const struct codec_spec *c, const char *layer)
{
    struct codec_spec own = *c;

    if (!codec_spec_takes(c, layer))
        own.format = WIRE_NONE;
    return own;
}
