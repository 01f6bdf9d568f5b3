/* checkpoint_write.c - write a checkpoint next to its predecessor, which it then replaces. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/training/checkpoint_format.h"

struct checkpoint_writer {
    char *path, *part;
    int file;
    int rc;         /* of the first failure */
    int64_t offset; /* bytes written */
    XXH3_state_t *hash;
};

static int fail(struct checkpoint_writer *w, const char *what)
{
    fprintf(stderr, "narrows: %s: offset %lld: %s: %s (the checkpoint before is untouched)\n", w->part,
            (long long)w->offset, what, strerror(errno));
    return w->rc = NW_EIO;
}

/* Is the open file still the one of that name? Another process may have finished and renamed it in the meantime. */
static bool still_there(const char *part, int file)
{
    struct stat held, named;

    return fstat(file, &held) == 0 && stat(part, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

/* Two writers of one file would damage what either renames. The lock ends with its process. On filesystems without
 * locks there is none. */
static int open_part(struct checkpoint_writer *w)
{
    for (;;) {
        w->file = open(w->part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (w->file < 0)
            return fail(w, "open");
        if (flock(w->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            fprintf(stderr, "narrows: %s: another process is writing this checkpoint\n", w->part);
            close(w->file);
            w->file = -1;
            return w->rc = NW_EIO;
        }
        if (still_there(w->part, w->file))
            break;
        close(w->file);
    }
    return ftruncate(w->file, 0) == 0 ? NW_OK : fail(w, "empty");
}

static int put(struct checkpoint_writer *w, const void *data, size_t bytes)
{
    const char *p = data;

    while (bytes > 0) {
        ssize_t n = write(w->file, p, bytes);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(w, "write");
        p += n;
        bytes -= (size_t)n;
        w->offset += n;
    }
    return NW_OK;
}

static int put_hashed(struct checkpoint_writer *w, const void *data, size_t bytes)
{
    if (bytes > 0)
        XXH3_128bits_update(w->hash, data, bytes);
    return put(w, data, bytes);
}

static void release(struct checkpoint_writer *w)
{
    if (w->file >= 0)
        close(w->file);
    XXH3_freeState(w->hash);
    free(w->path);
    free(w->part);
    free(w);
}

static struct checkpoint_writer *writer_new(const char *path)
{
    struct checkpoint_writer *w = calloc(1, sizeof(*w));
    size_t n = strlen(path) + sizeof(".part");

    if (!w)
        return NULL;
    w->file = -1;
    w->path = strdup(path);
    w->part = malloc(n);
    w->hash = XXH3_createState();
    if (!w->path || !w->part || !w->hash) {
        release(w);
        return NULL;
    }
    snprintf(w->part, n, "%s.part", path);
    XXH3_128bits_reset(w->hash);
    return w;
}

int checkpoint_create(const char *path, const char *key, int64_t step, struct checkpoint_writer **out)
{
    struct checkpoint_writer *w = writer_new(path);
    struct checkpoint_head head = { .version = CHECKPOINT_VERSION, .step = step };
    int rc;

    assert(strlen(key) == CHECKPOINT_KEY && step >= 0);
    if (!w)
        return NW_ENOMEM;
    memcpy(head.magic, CHECKPOINT_MAGIC, sizeof(head.magic));
    memcpy(head.key, key, sizeof(head.key));
    rc = open_part(w);
    if (!rc)
        rc = put_hashed(w, &head, sizeof(head));
    if (rc)
        checkpoint_discard(w);
    else
        *out = w;
    return rc;
}

int checkpoint_add(struct checkpoint_writer *w, const char *name, const void *data, size_t bytes)
{
    struct checkpoint_section section = { .name_bytes = (uint32_t)strlen(name), .bytes = bytes };

    assert(section.name_bytes > 0 && section.name_bytes <= CHECKPOINT_NAME);
    if (!w->rc && !put_hashed(w, &section, sizeof(section)) && !put_hashed(w, name, section.name_bytes))
        put_hashed(w, data, bytes);
    return w->rc;
}

/* A rename is permanent once its folder is on the disk. */
static int sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    int folder = name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, rc = NW_OK;

    if (!name)
        return NW_ENOMEM;
    /* EINVAL: the filesystem cannot sync folders. */
    if (folder < 0 || (fsync(folder) != 0 && errno != EINVAL)) {
        fprintf(stderr, "narrows: %s: the checkpoint is written, but its folder %s could not be synced: %s\n", path,
                name, strerror(errno));
        rc = NW_EIO;
    }
    if (folder >= 0)
        close(folder);
    free(name);
    return rc;
}

int checkpoint_commit(struct checkpoint_writer *w)
{
    struct checkpoint_tail tail = { 0 };
    int rc = w->rc;

    if (!rc) {
        XXH3_128bits_update(w->hash, &tail.end, sizeof(tail.end));
        XXH128_canonicalFromHash(&tail.checksum, XXH3_128bits_digest(w->hash));
        rc = put(w, &tail, sizeof(tail));
    }
    if (!rc && fsync(w->file) != 0)
        rc = fail(w, "sync");
    if (!rc && rename(w->part, w->path) != 0)
        rc = fail(w, "rename");
    if (rc) {
        checkpoint_discard(w);
        return rc;
    }
    rc = sync_folder(w->path);
    release(w);
    return rc;
}

void checkpoint_discard(struct checkpoint_writer *w)
{
    if (!w)
        return;
    if (w->file >= 0)
        unlink(w->part);
    release(w);
}
