/* narrows help TOPIC: a page of docs/, as it is written. */
#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/command/commands.h"
#include "harness/host/home.h"
#include "harness/status.h"
#include "harness/text/suggest.h"
#include "harness/text/whole_file.h"

enum { TOPIC = 64, MOST_TOPICS = 32, MOST_BYTES = 1 << 20 };

/* "metrics" of ".../docs/METRICS.md". */
static const char *topic_of(const char *path, char topic[TOPIC])
{
    const char *name = strrchr(path, '/') + 1;
    size_t n = strlen(name) - strlen(".md");

    snprintf(topic, TOPIC, "%.*s", (int)n, name);
    for (char *c = topic; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return topic;
}

static int print(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    int rc = whole_file_load(path, MOST_BYTES, &text, &size, stderr);

    if (!rc)
        fwrite(text, 1, size, stdout);
    free(text);
    return rc;
}

static int unknown(const char *topic, const glob_t *pages)
{
    char names[MOST_TOPICS][TOPIC];
    struct suggest near = { .given = topic };
    size_t n = pages->gl_pathc < MOST_TOPICS ? pages->gl_pathc : MOST_TOPICS;

    for (size_t i = 0; i < n; i++)
        suggest_offer(&near, topic_of(pages->gl_pathv[i], names[i]));
    fprintf(stderr, "narrows help: expected a command or a topic, got '%s'", topic);
    if (suggest_result(&near))
        fprintf(stderr, "; did you mean '%s'?", suggest_result(&near));
    fputs("\ntopics:", stderr);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %s", names[i]);
    fputs("\n", stderr);
    return NW_EINPUT;
}

int cmd_help(int argc, char **argv)
{
    char pattern[4096], name[TOPIC];
    glob_t pages = { 0 };
    bool found = false;
    int rc = NW_OK;

    if (argc != 2) {
        fputs("usage: narrows help [COMMAND|TOPIC]\n", stderr);
        return NW_EINPUT;
    }
    snprintf(pattern, sizeof(pattern), "%s/docs/*.md", home_dir());
    glob(pattern, 0, NULL, &pages);
    for (size_t i = 0; !found && i < pages.gl_pathc; i++) {
        found = !strcasecmp(topic_of(pages.gl_pathv[i], name), argv[1]);
        if (found)
            rc = print(pages.gl_pathv[i]);
    }
    if (!found)
        rc = unknown(argv[1], &pages);
    globfree(&pages);
    return rc;
}
