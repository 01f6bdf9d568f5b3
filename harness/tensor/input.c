#include "harness/tensor/input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"

enum { AT_ONCE = 1 << 30 };

static int64_t pull_memory(struct input *in, void *to, size_t n)
{
    if (n > input_left(in))
        n = (size_t)input_left(in);
    if (n)
        memcpy(to, in->bytes + in->at, n);
    return (int64_t)n;
}

static int64_t pull_file(struct input *in, void *to, size_t n)
{
    ssize_t got;

    do
        got = pread(in->fd, to, n < AT_ONCE ? n : AT_ONCE, (off_t)in->at);
    while (got < 0 && errno == EINTR);
    return got < 0 ? whole_file_failed(in->file, in->err) : got;
}

void input_memory(struct input *in, const char *name, const uint8_t *bytes, size_t nbytes, FILE *err)
{
    *in = (struct input){ name, NULL, err, nbytes, 0, pull_memory, NULL, bytes, -1 };
}

/* A pipe, a terminal, a device: its size is known at its end. */
static int open_unsized(struct input *in, const char *path, FILE *f, FILE *err)
{
    char *text;
    size_t n;
    int rc = whole_file_read(f, path, INT64_MAX, &text, &n, err);

    if (rc)
        return rc;
    input_memory(in, path, (const uint8_t *)text, n, err);
    in->source = text;
    return NW_OK;
}

int input_open(struct input *in, const char *path, FILE *err)
{
    bool standard = !strcmp(path, "-");
    FILE *f = standard ? stdin : fopen(path, "rb");
    struct stat s;
    int rc = NW_OK;

    *in = (struct input){ .fd = -1 };
    if (!f || fstat(fileno(f), &s))
        rc = whole_file_failed(path, err);
    else if (S_ISREG(s.st_mode) && !standard)
        *in = (struct input){ path, NULL, err, (uint64_t)s.st_size, 0, pull_file, NULL, NULL, dup(fileno(f)) };
    else
        rc = open_unsized(in, path, f, err);
    if (!rc && !in->bytes && in->fd < 0)
        rc = whole_file_failed(path, err);
    if (f && !standard)
        fclose(f);
    return rc;
}

void input_close(struct input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    free(in->source);
    *in = (struct input){ .fd = -1 };
}

int input_read(struct input *in, void *to, size_t n, const char *what)
{
    uint64_t begin = in->at;
    size_t have = 0;
    int64_t got;

    while (have < n && (got = in->pull(in, (char *)to + have, n - have)) != 0) {
        if (got < 0)
            return (int)got;
        have += (size_t)got;
        in->at += (uint64_t)got;
    }
    if (have == n)
        return NW_OK;
    return input_refuse(in, "byte %llu: expected %s, %zu bytes, got %zu: it ends there", (unsigned long long)begin,
                        what, n, have);
}

int input_peek(struct input *in, void *to, size_t n, size_t *got)
{
    int rc;

    *got = in->size < n ? (size_t)in->size : n;
    rc = input_read(in, to, *got, "its first bytes");
    in->at = 0;
    return rc;
}

void input_skip(struct input *in, uint64_t n)
{
    in->at += n;
}

/* A header's words could otherwise write anything on a terminal. */
static void print_masked(FILE *f, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool control = *c < ' ' || *c == 0x7f;

        if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { /* U+0080 to U+009F */
            control = true;
            c++;
        }
        fputc(control ? '?' : *c, f);
    }
}

static void say(const struct input *in, const char *format, va_list arguments)
{
    char *text = NULL;

    if (vasprintf(&text, format, arguments) < 0)
        return;
    print_masked(in->err, in->file);
    fputs(": ", in->err);
    if (in->part) {
        print_masked(in->err, in->part);
        fputs(": ", in->err);
    }
    print_masked(in->err, text);
    fputc('\n', in->err);
    free(text);
}

int input_refuse(const struct input *in, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(in, format, arguments);
    va_end(arguments);
    return NW_EINPUT;
}

void input_say(const struct input *in, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(in, format, arguments);
    va_end(arguments);
}

int input_no_memory(const struct input *in, double nbytes)
{
    input_say(in, "no memory for %.0f MB", 1e-6 * nbytes);
    return NW_ENOMEM;
}
