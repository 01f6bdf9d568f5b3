#include "harness/tensor/codec_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "harness/tensor/tensor_file.h"
#include "kernels/codec/stream.h"

static const char magic[8] = { 'N', 'R', 'W', 'S', 'T', 'A', 'T', 'E' };

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "%s: not the state of this tensor: %s\n", path, why);
    return NW_EINPUT;
}

static int understand(const char *path, const uint8_t *bytes, size_t nbytes, const struct codec *codec,
                      const struct codec_params *params, size_t n, void *state)
{
    struct stream s;
    enum codec_error wrong;

    if (nbytes < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0)
        return refuse(path, codec_error_text(CODEC_FOREIGN));
    wrong = stream_open_in(&s, codec_table(), bytes + sizeof(magic), nbytes - sizeof(magic));
    if (wrong)
        return refuse(path, codec_error_text(wrong));
    if (s.codec != codec || memcmp(&s.params, params, sizeof(*params)) != 0)
        return refuse(path, "another codec, or other parameters");
    if (s.n != n || s.nbytes != codec->state_size(n, params))
        return refuse(path, codec_error_text(CODEC_COUNT));
    memcpy(state, s.payload, s.nbytes);
    return NW_OK;
}

int codec_state_read(const char *path, const struct codec *codec, const struct codec_params *params, size_t n,
                     void **state)
{
    uint8_t *bytes = NULL;
    size_t nbytes;
    int rc = NW_OK;

    *state = tensor_alloc(codec->state_size(n, params));
    if (!*state)
        return NW_ENOMEM;
    memset(*state, 0, codec->state_size(n, params));
    if (path && access(path, F_OK) == 0) {
        rc = tensor_read_bytes(path, &bytes, &nbytes);
        if (!rc)
            rc = understand(path, bytes, nbytes, codec, params, n, *state);
        free(bytes);
    }
    return rc;
}

int codec_state_write(const char *path, const struct codec *codec, const struct codec_params *params, size_t n,
                      const void *state)
{
    size_t nstate = codec->state_size(n, params), nbytes;
    uint8_t *bytes = tensor_alloc(sizeof(magic) + STREAM_HEADER + nstate);
    int rc;

    if (!bytes)
        return NW_ENOMEM;
    memcpy(bytes, magic, sizeof(magic));
    memcpy(bytes + sizeof(magic) + STREAM_HEADER, state, nstate);
    nbytes = stream_seal(bytes + sizeof(magic), codec, params, n, nstate);
    rc = tensor_write(path, bytes, sizeof(magic) + nbytes);
    free(bytes);
    return rc;
}
