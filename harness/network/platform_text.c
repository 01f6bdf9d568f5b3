/* platform_text.c - what of a platform file stays when its network is replaced. It is cut by lines, so that comments
 * and sources of what stays are kept. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/network/platform_file.h"
#include "harness/status.h"

struct cut {
    const char *path, *link;
    FILE *rest, *links;
    bool keep, in_links; /* of the lines that now follow */
    bool keep_link;
    size_t indent; /* of a link's name; 0: not yet seen */
};

static size_t indent_of(const char *line, size_t n)
{
    size_t i = 0;

    while (i < n && line[i] == ' ')
        i++;
    return i;
}

static bool names(const char *line, size_t n, const char *key)
{
    size_t length = strlen(key);

    return n > length && !strncmp(line, key, length) && line[length] == ':';
}

/* Has the key of this line a value on it? */
static bool has_value(const char *line, size_t n)
{
    const char *colon = memchr(line, ':', n);

    for (const char *p = colon ? colon + 1 : line + n; p < line + n && *p != '#'; p++)
        if (!isspace((unsigned char)*p))
            return true;
    return false;
}

/* calibration: PATH, from the file's own folder. */
static void put_calibration(const struct cut *c, const char *line, size_t n)
{
    char folder[PATH_MAX], *slash;
    const char *value = memchr(line, ':', n);

    value++;
    while (value < line + n && *value == ' ')
        value++;
    bool absolute = *value == '/' || *value == '~' || !realpath(c->path, folder);
    slash = absolute ? NULL : strrchr(folder, '/');
    fprintf(c->rest, "calibration: %.*s%.*s\n", slash ? (int)(slash + 1 - folder) : 0, slash ? folder : "",
            (int)(line + n - value), value);
}

static int top_key(struct cut *c, const char *line, size_t n)
{
    static const char *const dropped[] = { "name", "title", "source", "machines", "network" };

    c->keep = true;
    c->in_links = names(line, n, "link");
    for (size_t i = 0; i < COUNT(dropped); i++)
        if (names(line, n, dropped[i]))
            c->keep = false;
    if (c->in_links && has_value(line, n))
        return status_error(NW_EINPUT, "%s: link: expected one link a line below it, so that one can be replaced\n",
                            c->path);
    if (c->in_links)
        c->keep_link = true;
    else if (names(line, n, "calibration"))
        put_calibration(c, line, n);
    else if (c->keep)
        fprintf(c->rest, "%.*s\n", (int)n, line);
    return NW_OK;
}

static void link_line(struct cut *c, const char *line, size_t n)
{
    size_t indent = indent_of(line, n);

    if (!c->indent)
        c->indent = indent;
    if (indent == c->indent && line[indent] != '#')
        c->keep_link = !c->link || !names(line + indent, n - indent, c->link);
    if (c->keep_link)
        fprintf(c->links, "%.*s\n", (int)n, line);
}

int platform_text_cut(const char *text, const char *path, const char *link, FILE *rest, FILE *links)
{
    struct cut c = { .path = path, .link = link, .rest = rest, .links = links, .keep = true };
    int rc = NW_OK;

    for (const char *line = text; *line && !rc;) {
        size_t n = strcspn(line, "\n");

        if (!indent_of(line, n) && n && *line != '#')
            rc = top_key(&c, line, n);
        else if (n && c.in_links && *line == ' ')
            link_line(&c, line, n);
        else if (*line == '#' || (c.keep && !c.in_links))
            fprintf(rest, "%.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    return rc;
}
