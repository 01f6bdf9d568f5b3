#include "harness/data/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/status.h"

int data_fail(char *why, size_t nwhy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, nwhy, format, args);
    va_end(args);
    return E_DATA;
}

int data_no_memory(char *why, size_t nwhy, const char *path, const char *what)
{
    data_fail(why, nwhy, "%s: no memory%s%s", path, *what ? " for " : "", what);
    return E_NOMEM;
}

int file_open(const char *path, int64_t *nbytes, char *why, size_t nwhy)
{
    /* A pipe would wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;

    if (fd < 0) {
        data_fail(why, nwhy, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        data_fail(why, nwhy, "%s: expected a file, got a folder or a device", path);
        close(fd);
        return -1;
    }
    *nbytes = st.st_size;
    return fd;
}

int file_read_at(int fd, const char *path, int64_t offset, void *to, size_t n, char *why, size_t nwhy)
{
    size_t done = 0;

    while (done < n) {
        ssize_t got = pread(fd, (char *)to + done, n - done, offset + (int64_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return data_fail(why, nwhy, "%s: offset %lld: %s", path, (long long)offset, strerror(errno));
        if (!got)
            return data_fail(why, nwhy, "%s: offset %lld: expected %zu more bytes, got its end: it has shrunk", path,
                             (long long)offset + (long long)done, n - done);
        done += (size_t)got;
    }
    return 0;
}

int file_read(const char *path, int64_t most, uint8_t **bytes, size_t *nbytes, char *why, size_t nwhy)
{
    int64_t size = 0;
    int fd = file_open(path, &size, why, nwhy), rc;
    uint8_t *to;

    if (fd < 0)
        return E_DATA;
    if (size > most) {
        close(fd);
        return data_fail(why, nwhy, "%s: expected at most %lld bytes, got %lld", path, (long long)most,
                         (long long)size);
    }
    to = malloc(size ? (size_t)size : 1);
    rc = to ? file_read_at(fd, path, 0, to, (size_t)size, why, nwhy) : data_no_memory(why, nwhy, path, "its bytes");
    close(fd);
    if (rc) {
        free(to);
        return rc;
    }
    *bytes = to;
    *nbytes = (size_t)size;
    return 0;
}

struct data_source *source_new(const struct data_source *like, size_t nown, const char *path, char *why, size_t nwhy)
{
    struct data_source *s = malloc(sizeof(*s));
    void *own = calloc(1, nown);

    if (!s || !own) {
        data_no_memory(why, nwhy, path, "");
        free(s);
        free(own);
        return NULL;
    }
    *s = *like;
    s->own = own;
    return s;
}

int source_opened(int rc, struct data_source *s, struct data_source **out)
{
    if (rc)
        s->close(s);
    else
        *out = s;
    return rc;
}

int counts_choose(struct data_source *s, const struct data_options *o, const int64_t there[DATA_SETS], char *why,
                  size_t nwhy)
{
    const struct data_range ranges[DATA_SETS] = { { "train", o->train, 0, there[DATA_TRAIN] },
                                                  { "test", o->test, 0, there[DATA_TEST] } };

    if (data_refused(ranges, DATA_SETS, why, nwhy))
        return E_DATA;
    for (int set = 0; set < DATA_SETS; set++)
        s->count[set] = ranges[set].value ? ranges[set].value : there[set];
    return 0;
}
