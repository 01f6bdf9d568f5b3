#include "tests/report/golden.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/store/support.h"
#include "tests/test.h"

static const char *home(void)
{
    const char *path = getenv("NARROWS_HOME");

    return path && *path ? path : ".";
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Tables of words alone: CSV and JSON are as wide as they are. */
static void expect_narrow(const char *text)
{
    for (const char *line = text, *end; *line; line = end + 1) {
        int width = 0;

        end = line + strcspn(line, "\n");
        for (const char *c = line; c < end; c++)
            width += ((unsigned char)*c & 0xc0) != 0x80;
        if (width > 80 || (end > line && end[-1] == ' '))
            fail_msg("%d wide or blank at the end: '%.*s'", width, (int)(end - line), line);
        if (!*end)
            break;
    }
}

void golden_expect(const char *name, const char *text)
{
    const char *mode = getenv("NARROWS_GOLDEN");
    char path[512];

    if (strstr(name, ".txt"))
        expect_narrow(text);
    snprintf(path, sizeof(path), "%s/tests/report/golden/%s", home(), name);
    if (mode && !strcmp(mode, "write")) {
        write_text(path, text);
        return;
    }
    char *want = support_read(path, NULL);
    if (strcmp(want, text) != 0)
        fail_msg("%s differs; the text is:\n%s", path, text);
    free(want);
}

void golden_expect_file(const char *dir, const char *name)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    char *text = support_read(path, NULL);
    golden_expect(name, text);
    free(text);
}

const char *golden_plots(void)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/plots", home());
    return path;
}

bool golden_gnuplot(void)
{
    int status = system("gnuplot --version >/dev/null 2>&1");

    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void expect_same(const char *name, const char *suffix, const char *const dirs[2])
{
    char *bytes[2];
    size_t sizes[2];

    for (int d = 0; d < 2; d++) {
        char path[600];

        snprintf(path, sizeof(path), "%s/%s.%s", dirs[d], name, suffix);
        bytes[d] = support_read(path, &sizes[d]);
    }
    if (sizes[0] < 4000 || !strstr(bytes[0], *suffix == 'p' ? "PNG" : "</svg>"))
        fail_msg("%s.%s: %zu bytes that are no picture", name, suffix, sizes[0]);
    if (sizes[0] != sizes[1] || memcmp(bytes[0], bytes[1], sizes[0]) != 0)
        fail_msg("%s.%s: differs when drawn again", name, suffix);
    free(bytes[0]);
    free(bytes[1]);
}

void golden_same_pictures(const char *const *names, const char *const dirs[2])
{
    for (; *names; names++) {
        expect_same(*names, "svg", dirs);
        expect_same(*names, "png", dirs);
    }
}

void golden_says(const char *dir, const char *name, const char *const *texts)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    char *bytes = support_read(path, NULL), *at = bytes;
    for (; *texts; texts++) {
        char *found = strstr(at, *texts);
        if (!found)
            fail_msg("%s does not say '%s' after what precedes it, but:\n%.600s", path, *texts, at);
        at = found + strlen(*texts);
        at -= at[-1] == '\n'; /* the next one may begin with the end of this line */
    }
    free(bytes);
}

int golden_count(const char *dir, const char *end)
{
    DIR *d = opendir(dir);
    int n = 0;

    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        size_t have = strlen(e->d_name), want = strlen(end);
        n += have >= want && !strcmp(e->d_name + have - want, end);
    }
    closedir(d);
    return n;
}
