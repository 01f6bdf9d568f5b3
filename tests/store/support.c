#include "tests/store/support.h"

#include <ftw.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

static char directory[256];
static int saved_stderr = -1;

int support_setup(void **state)
{
    const char *tmp = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof(directory), "%s/narrows-store-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

int support_teardown(void **state)
{
    (void)state;
    /* A test that failed while listening: what it said is wanted now. */
    if (saved_stderr >= 0)
        fputs(support_heard(), stderr);
    return nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *support_path(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
    return path;
}

void support_listen(void)
{
    fflush(stderr);
    saved_stderr = dup(2);
    assert_non_null(freopen(support_path("stderr"), "w", stderr));
    setvbuf(stderr, NULL, _IONBF, 0); /* a child that ends by _exit() must lose nothing */
}

const char *support_heard(void)
{
    static char *text;

    fflush(stderr);
    dup2(saved_stderr, 2);
    close(saved_stderr);
    saved_stderr = -1;
    free(text);
    text = support_read(support_path("stderr"), NULL);
    return text;
}

static sqlite3_stmt *first_row(struct store *s, const char *sql)
{
    sqlite3_stmt *st;

    if (sqlite3_prepare_v2(store_handle(s), sql, -1, &st, NULL) != SQLITE_OK || sqlite3_step(st) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(store_handle(s)));
    return st;
}

int64_t support_int(struct store *s, const char *sql)
{
    sqlite3_stmt *st = first_row(s, sql);
    int64_t value = sqlite3_column_int64(st, 0);

    sqlite3_finalize(st);
    return value;
}

double support_real(struct store *s, const char *sql)
{
    sqlite3_stmt *st = first_row(s, sql);
    double value = sqlite3_column_double(st, 0);

    sqlite3_finalize(st);
    return value;
}

const char *support_refusal(struct store *s, const char *sql)
{
    static char message[256];
    char *text = NULL;

    sqlite3_exec(store_handle(s), sql, NULL, NULL, &text);
    snprintf(message, sizeof(message), "%s", text ? text : "");
    sqlite3_free(text);
    return message;
}

void support_exec(struct store *s, const char *sql)
{
    assert_string_equal(support_refusal(s, sql), "");
}

void support_near(double got, double want, double tolerance, const char *what, const char *file, int line)
{
    if (!(fabs(got - want) <= tolerance)) {
        print_error("%s is %.17g, not %.17g\n", what, got, want);
        _fail(file, line);
    }
}

char *support_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *bytes;
    long n;

    if (!f)
        fail_msg("%s is missing", path);
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    bytes = calloc(1, (size_t)n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)n, f), n);
    fclose(f);
    if (size)
        *size = (size_t)n;
    return bytes;
}
