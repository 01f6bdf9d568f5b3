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

int tensor_write(const char *path, const void *bytes, size_t nbytes)
{
    if (strcmp(path, "-") != 0)
        return whole_file_put(path, bytes, nbytes, stderr);
    return fwrite(bytes, 1, nbytes, stdout) == nbytes && !fflush(stdout) ? NW_OK
                                                                         : whole_file_failed("standard output", stderr);
}
