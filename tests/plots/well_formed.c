#include "tests/plots/well_formed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, MOST_IDS = 512, NAME = 64 };

struct reader {
    const char *xml, *at;
    const char *error;
    char open[DEEPEST][NAME];
    int depth, nids;
    char ids[MOST_IDS][NAME];
};

static bool fail(struct reader *r, const char *error)
{
    r->error = r->error ? r->error : error;
    return false;
}

/* One character of UTF-8. */
static bool character(struct reader *r)
{
    const unsigned char *c = (const unsigned char *)r->at;
    int more = *c < 0x80 ? 0 : *c >> 5 == 6 ? 1 : *c >> 4 == 14 ? 2 : *c >> 3 == 30 ? 3 : -1;

    if (more < 0 || (*c < 0x20 && !strchr("\t\n\r", *c)))
        return fail(r, "a character that may not be there");
    for (int i = 1; i <= more; i++)
        if (c[i] >> 6 != 2)
            return fail(r, "broken UTF-8");
    r->at += 1 + more;
    return true;
}

/* Text up to a quote or a tag. */
static bool text(struct reader *r, char end)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#" };
    bool known = true;

    while (*r->at && *r->at != end && known) {
        if (*r->at == '<')
            return fail(r, "a '<' in an attribute");
        known = *r->at != '&';
        for (size_t i = 0; i < sizeof(entities) / sizeof(*entities); i++)
            known |= !strncmp(r->at, entities[i], strlen(entities[i]));
        if (known && !character(r))
            return false;
    }
    return known || fail(r, "an unknown entity");
}

static bool name(struct reader *r, char out[NAME])
{
    size_t n = strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_-.");

    if (!n || n >= NAME || isdigit((unsigned char)*r->at))
        return fail(r, "no name where one is expected");
    snprintf(out, NAME, "%.*s", (int)n, r->at);
    r->at += n;
    return true;
}

static void blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

/* gnuplot numbers the plots of every panel from 1. */
static bool unique(struct reader *r, const char *id, size_t n)
{
    if (strstr(id, "_plot_") && strstr(id, "_plot_") < id + n)
        return true;
    if (r->nids == MOST_IDS || n >= NAME)
        return fail(r, "more ids, or longer ones, than this test expects");
    snprintf(r->ids[r->nids], NAME, "%.*s", (int)n, id);
    for (int i = 0; i < r->nids; i++)
        if (!strcmp(r->ids[i], r->ids[r->nids]))
            return fail(r, "an id twice");
    r->nids++;
    return true;
}

static bool attributes(struct reader *r)
{
    char seen[NAME * 24] = " ", one[NAME], key[NAME + 3];

    for (blanks(r); *r->at && !strchr("/>?", *r->at); blanks(r)) {
        const char *value;
        char quote;

        if (!name(r, one))
            return false;
        snprintf(key, sizeof(key), " %s ", one);
        if (strstr(seen, key) || strlen(seen) + NAME + 2 > sizeof(seen))
            return fail(r, "an attribute twice");
        strcat(strcat(seen, one), " ");
        blanks(r);
        if (*r->at++ != '=')
            return fail(r, "an attribute without '='");
        blanks(r);
        quote = *r->at++;
        if (quote != '"' && quote != '\'')
            return fail(r, "an attribute without quotes");
        value = r->at;
        if (!text(r, quote) || (!strcmp(one, "id") && !unique(r, value, (size_t)(r->at - value))))
            return false;
        if (*r->at++ != quote)
            return fail(r, "a quote that is not closed");
    }
    return true;
}

static bool tag(struct reader *r)
{
    char called[NAME];
    bool closing = r->at[1] == '/', special = r->at[1] == '?';

    r->at += 1 + (closing || special);
    if (!name(r, called) || !attributes(r))
        return false;
    if (closing && (!r->depth || strcmp(r->open[--r->depth], called) != 0))
        return fail(r, "a closing tag that does not fit");
    if (special || *r->at == '/')
        r->at++;
    else if (!closing && r->depth == DEEPEST)
        return fail(r, "tags nested deeper than this test expects");
    else if (!closing)
        snprintf(r->open[r->depth++], NAME, "%s", called);
    return *r->at++ == '>' || fail(r, "a tag that is not closed");
}

bool well_formed(const char *xml, char *why, size_t size)
{
    static struct reader r;
    bool good = true;

    r = (struct reader){ .xml = xml, .at = xml };
    while (*r.at && good)
        good = *r.at == '<' ? tag(&r) : text(&r, '<');
    if (good && (r.depth || !strstr(xml, "<svg") || strlen(xml) < 100))
        good = fail(&r, "no whole <svg> element");
    if (!good)
        snprintf(why, size, "%s at byte %td: %.60s", r.error, r.at - xml, *r.at ? r.at : "(end)");
    return good;
}
