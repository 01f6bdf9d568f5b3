#include "harness/tensor/tensor_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "kernels/codec/codec.h"

static int fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return NW_EIO;
}

void *tensor_room(size_t nbytes)
{
    size_t whole = (nbytes / CODEC_ALIGN + 1) * CODEC_ALIGN;
    void *p = whole > nbytes ? aligned_alloc(CODEC_ALIGN, whole) : NULL;

    if (!p)
        fprintf(stderr, "no memory for %.0f MB\n", 1e-6 * (double)nbytes);
    return p;
}

/* Read to the end of 'f', whose size may not be known. */
static int read_all(FILE *f, const char *path, uint8_t **bytes, size_t *nbytes)
{
    size_t room = 1 << 16, n = 0;
    uint8_t *p = tensor_room(room);

    while (p) {
        size_t got = fread(p + n, 1, room - n, f);
        uint8_t *grown;

        n += got;
        if (!got)
            break;
        if (n < room)
            continue;
        room *= 2;
        grown = tensor_room(room);
        if (grown)
            memcpy(grown, p, n);
        free(p);
        p = grown;
    }
    if (p && ferror(f)) {
        free(p);
        return fail(path);
    }
    *bytes = p;
    *nbytes = n;
    return p ? NW_OK : NW_ENOMEM;
}

int tensor_read_bytes(const char *path, uint8_t **bytes, size_t *nbytes)
{
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    int rc = f ? read_all(f, path, bytes, nbytes) : fail(path);

    if (f && f != stdin)
        fclose(f);
    return rc;
}

/* Files with a header, which would be read as values. */
static const struct {
    const char *begins;
    size_t n;
    const char *what;
} formats[] = {
    { "\x93NUMPY", 6, "a numpy file (.npy)" },
    { "PK\x03\x04", 4, "an archive (.npz, .pt)" },
    { "\x89HDF\r\n", 6, "an HDF5 file" },
};

/* What numpy says of its values: "{'descr': '<f8', 'shape': (3, 4), }", from byte 10 or 12 on. */
static void refuse_format(const char *path, size_t which, const uint8_t *bytes, size_t nbytes)
{
    const uint8_t *brace = !which && nbytes > 16 ? memchr(bytes + 8, '{', 8) : NULL;
    size_t room = brace ? nbytes - (size_t)(brace - bytes) : 0, n = 0;

    while (n < room && n < 200 && brace[n] >= ' ' && brace[n] < 0x7f && (!n || brace[n - 1] != '}'))
        n++;
    fprintf(stderr, "%s: expected raw fp32 values, got %s", path, formats[which].what);
    if (n)
        fprintf(stderr, " with the header %.*s", (int)n, (const char *)brace);
    fputs(which ? "\n" : ": numpy.load(IN).astype('<f4').tofile(RAW) writes them\n", stderr);
}

int tensor_read_values(const char *path, float **values, size_t *n)
{
    uint8_t *bytes = NULL;
    size_t nbytes = 0;
    int rc = tensor_read_bytes(path, &bytes, &nbytes);

    if (rc)
        return rc;
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (nbytes > formats[i].n && !memcmp(bytes, formats[i].begins, formats[i].n)) {
            refuse_format(path, i, bytes, nbytes);
            free(bytes);
            return NW_EINPUT;
        }
    if (nbytes % 4) {
        fprintf(stderr, "%s: expected fp32 values, 4 bytes each, got %zu bytes\n", path, nbytes);
        free(bytes);
        return NW_EINPUT;
    }
    *values = (float *)(void *)bytes;
    *n = nbytes / 4;
    return NW_OK;
}

int tensor_write(const char *path, const void *bytes, size_t nbytes)
{
    char *temporary = NULL;
    FILE *f;
    int rc = NW_OK;

    if (!strcmp(path, "-"))
        return fwrite(bytes, 1, nbytes, stdout) == nbytes && !fflush(stdout) ? NW_OK : fail("standard output");
    if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return NW_ENOMEM;
    f = fopen(temporary, "wb");
    if (!f)
        rc = fail(path);
    if (f && fwrite(bytes, 1, nbytes, f) != nbytes)
        rc = fail(path);
    if (f && fclose(f) && !rc)
        rc = fail(path);
    if (!rc && rename(temporary, path))
        rc = fail(path);
    if (rc && f)
        unlink(temporary);
    free(temporary);
    return rc;
}
