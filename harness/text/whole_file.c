#include "harness/text/whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/status.h"

int whole_file_failed(const char *path, FILE *err)
{
    fprintf(err, "%s: %s\n", path, strerror(errno));
    return NW_EIO;
}

int whole_file_read(FILE *f, const char *name, int64_t most, char **text, size_t *size, FILE *err)
{
    size_t capacity = 1 << 16, n = 0;
    char *p = malloc(capacity);
    int rc = NW_OK;

    for (size_t got = 1; p && got && (int64_t)n <= most;) {
        got = fread(p + n, 1, capacity - n, f);
        n += got;
        if (n == capacity) {
            char *grown = realloc(p, capacity *= 2);
            if (!grown)
                free(p);
            p = grown;
        }
    }
    if (!p) {
        fprintf(err, "%s: no memory for its text\n", name);
        return NW_ENOMEM;
    }
    if (ferror(f)) {
        rc = whole_file_failed(name, err);
    } else if ((int64_t)n > most) {
        fprintf(err, "%s: expected at most %lld bytes, got more\n", name, (long long)most);
        rc = NW_EINPUT;
    }
    if (rc) {
        free(p);
        return rc;
    }
    *text = p;
    *size = n;
    return NW_OK;
}

int whole_file_load(const char *path, int64_t most, char **text, size_t *size, FILE *err)
{
    FILE *f = fopen(path, "rb");
    int rc;

    if (!f)
        return whole_file_failed(path, err);
    rc = whole_file_read(f, path, most, text, size, err);
    fclose(f);
    return rc;
}

static bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

const char *whole_file_name(const char *path)
{
    return is_standard(path) ? "standard input" : path;
}

int whole_file_take(const char *path, int64_t most, char **text, size_t *size, FILE *err)
{
    return is_standard(path) ? whole_file_read(stdin, whole_file_name(path), most, text, size, err)
                             : whole_file_load(path, most, text, size, err);
}

static bool is_replaceable(const char *path)
{
    struct stat s;

    return lstat(path, &s) || S_ISREG(s.st_mode);
}

int whole_file_write(const char *path, void (*write)(FILE *out, const void *what), const void *what, FILE *err)
{
    bool replaced = is_replaceable(path);
    char *temporary = NULL;
    FILE *f;
    int rc = NW_OK;

    if ((replaced ? asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) : asprintf(&temporary, "%s", path)) < 0)
        return NW_ENOMEM;
    f = fopen(temporary, "wb");
    if (f)
        write(f, what);
    if (!f || ferror(f))
        rc = whole_file_failed(path, err);
    if (f && fclose(f) && !rc)
        rc = whole_file_failed(path, err);
    if (!rc && replaced && rename(temporary, path))
        rc = whole_file_failed(path, err);
    if (rc && f && replaced)
        unlink(temporary);
    free(temporary);
    return rc;
}

struct bytes {
    const void *bytes;
    size_t n;
};

static void put(FILE *out, const void *what)
{
    const struct bytes *b = what;

    fwrite(b->bytes, 1, b->n, out);
}

int whole_file_put(const char *path, const void *bytes, size_t n, FILE *err)
{
    return whole_file_write(path, put, &(struct bytes){ bytes, n }, err);
}
