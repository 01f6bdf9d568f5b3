/* define.c - definitions of one's own, for the commands that report: the *.sql of a folder, in the order of their
 * names. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/line/command_line.h"
#include "harness/status.h"
#include "harness/store/store.h"

/* A whole file as a text for the caller to free; NULL after a message. */
static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!f || getdelim(&text, &size, '\0', f) < 0) {
        fprintf(stderr, "narrows: %s: %s\n", path, f && feof(f) ? "is empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

int command_define(struct store *store, const char *folder)
{
    char pattern[4096];
    glob_t files;
    int rc = NW_OK;

    snprintf(pattern, sizeof(pattern), "%s/*.sql", folder);
    if (glob(pattern, 0, NULL, &files) != 0)
        return status_error(
            NW_EINPUT, "narrows: --define %s: expected a folder with *.sql, as in results_schema/papers/\n", folder);
    for (size_t i = 0; i < files.gl_pathc && !rc; i++) {
        char *text = read_text(files.gl_pathv[i]);

        rc = text ? store_define(store, files.gl_pathv[i], text) : NW_EIO;
        free(text);
    }
    globfree(&files);
    return rc;
}
