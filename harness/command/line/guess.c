#include "harness/command/line/guess.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/line/command_line.h"
#include "harness/count.h"
#include "harness/status.h"
#include "harness/text/suggest.h"

static const char ending[] = ".yaml";

enum { MOST_NAMES = 512, SHORT_LIST = 120, PATH = 4096 };

struct candidate {
    char *as, *name; /* what the given name is compared with, and what is printed; of malloc */
};

struct guessing {
    const char *given;
    struct candidate candidates[MOST_NAMES];
    size_t n;
};

static size_t without_ending(const char *name)
{
    size_t n = strlen(name), end = strlen(ending);

    return n > end && !strcmp(name + n - end, ending) ? n - end : n;
}

static void tell(const struct suggest *near, const char *name)
{
    if (suggest_result(near))
        fprintf(stderr, "; did you mean '%s'?", name);
    fputc('\n', stderr);
}

void guess_word(const char *expected, const char *given, const char *const *names)
{
    struct suggest near = { .given = given };

    for (; *names; names++)
        suggest_offer(&near, *names);
    fprintf(stderr, "%s, got '%s'", expected, given);
    tell(&near, near.best);
}

static void add(struct guessing *g, const char *as, size_t nas, const char *name, size_t nname)
{
    struct candidate c;

    if (g->n == MOST_NAMES)
        return;
    c = (struct candidate){ strndup(as, nas), strndup(name, nname) };
    if (c.as && c.name) {
        g->candidates[g->n++] = c;
        return;
    }
    free(c.as);
    free(c.name);
}

/* "resnet-50" of ".../models/resnet-50.yaml". A paper's scenario has its folder in front, a paper's training two;
 * what those runs share, in the first of them, has no name. */
static int add_shipped(const char *path, void *argument)
{
    static const char *const roots[] = { "/scenarios/papers/", "/scenarios/training/" };
    const char *name = strrchr(path, '/') + 1, *slash;

    for (size_t i = 0; i < COUNT(roots); i++)
        if (strstr(path, roots[i]))
            name = strstr(path, roots[i]) + strlen(roots[i]);
    slash = strstr(path, roots[1]) ? strchr(name, '/') : NULL;
    if (!slash || slash != strrchr(name, '/'))
        add(argument, name, without_ending(name), name, without_ending(name));
    return NW_OK;
}

/* The files in the folder where it was looked for: by the whole name, or without the ending where none was given. */
static void add_own(struct guessing *g)
{
    const char *slash = strrchr(g->given, '/');
    char folder[PATH], name[PATH];
    bool ended = g->given[without_ending(g->given)] != '\0';
    const struct dirent *e;
    DIR *d;

    snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - g->given + 1) : 0, g->given);
    d = opendir(*folder ? folder : ".");
    while (d && (e = readdir(d))) {
        int n = snprintf(name, sizeof(name), "%s%s", folder, e->d_name);

        if (n > 0 && (size_t)n < sizeof(name) && e->d_name[without_ending(e->d_name)])
            add(g, name, ended ? (size_t)n : without_ending(name), name, (size_t)n);
    }
    if (d)
        closedir(d);
}

static void tell_expected(const struct guessing *g, size_t nshipped, const char *kind)
{
    char list[SHORT_LIST + 1] = "";
    size_t used = 0;

    for (size_t i = 0; i < nshipped && used < sizeof(list); i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", g->candidates[i].name);
    fprintf(stderr, "narrows: expected a file or the name of a shipped %.*s (", (int)strlen(kind) - 1, kind);
    if (used < sizeof(list))
        fprintf(stderr, "%s), got '%s'", list, g->given);
    else
        fprintf(stderr, "narrows list %s), got '%s'", kind, g->given);
}

void guess_file(const char *kind, const char *given)
{
    static const char *const folders[] = { "examples", "training", "papers" };
    struct guessing *g = calloc(1, sizeof(*g));
    struct suggest near = { .given = given };
    const char *name = NULL;
    size_t nshipped;

    if (!g)
        return;
    g->given = given;
    for (size_t i = 0; i < COUNT(folders) && !strcmp(kind, "scenarios"); i++)
        command_each(folders[i], add_shipped, g);
    if (strcmp(kind, "scenarios") != 0)
        command_each(kind, add_shipped, g);
    nshipped = g->n;
    add_own(g);
    for (size_t i = 0; i < g->n; i++) /* one's own first: of equally close ones the first stays */
        suggest_offer(&near, g->candidates[(nshipped + i) % g->n].as);
    tell_expected(g, nshipped, kind);
    for (size_t i = 0; i < g->n; i++)
        if (near.best == g->candidates[i].as)
            name = g->candidates[i].name;
    tell(&near, name);
    for (size_t i = 0; i < g->n; i++) {
        free(g->candidates[i].as);
        free(g->candidates[i].name);
    }
    free(g);
}
