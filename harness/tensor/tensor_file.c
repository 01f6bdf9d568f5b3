#include "harness/tensor/tensor_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"
#include "kernels/codec/codec.h"

void *tensor_alloc(size_t nbytes)
{
    size_t whole = (nbytes / CODEC_ALIGN + 1) * CODEC_ALIGN;
    void *p = whole > nbytes ? aligned_alloc(CODEC_ALIGN, whole) : NULL;

    if (!p)
        fprintf(stderr, "no memory for %.0f MB\n", 1e-6 * (double)nbytes);
    return p;
}

/* Read to the end of 'f', whose size may not be known, into memory that is aligned for codecs. */
static int read_all(FILE *f, const char *path, uint8_t **bytes, size_t *nbytes)
{
    char *text;
    int rc = whole_file_read(f, path, INT64_MAX, &text, nbytes, stderr);

    if (rc)
        return rc;
    *bytes = tensor_alloc(*nbytes);
    if (*bytes)
        memcpy(*bytes, text, *nbytes);
    free(text);
    return *bytes ? NW_OK : NW_ENOMEM;
}

int tensor_read_bytes(const char *path, uint8_t **bytes, size_t *nbytes)
{
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    int rc = f ? read_all(f, path, bytes, nbytes) : whole_file_failed(path, stderr);

    if (f && f != stdin)
        fclose(f);
    return rc;
}

/* Formats with a header, which would be taken for values. */
static const struct {
    const char *begins;
    size_t n;
    const char *what;
} formats[] = {
    { "\x93NUMPY", 6, "a numpy file (.npy)" },
    { "PK\x03\x04", 4, "an archive (.npz, .pt)" },
    { "\x89HDF\r\n", 6, "an HDF5 file" },
};

/* A numpy file describes its values from byte 10 or 12 on: "{'descr': '<f8', 'shape': (3, 4), }". */
static void refuse_format(const char *path, size_t which, const uint8_t *bytes, size_t nbytes)
{
    const uint8_t *brace = !which && nbytes > 16 ? memchr(bytes + 8, '{', 8) : NULL;
    size_t left = brace ? nbytes - (size_t)(brace - bytes) : 0, n = 0;

    while (n < left && n < 200 && brace[n] >= ' ' && brace[n] < 0x7f && (!n || brace[n - 1] != '}'))
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
    if (strcmp(path, "-") != 0)
        return whole_file_put(path, bytes, nbytes, stderr);
    return fwrite(bytes, 1, nbytes, stdout) == nbytes && !fflush(stdout) ? NW_OK
                                                                         : whole_file_failed("standard output", stderr);
}
