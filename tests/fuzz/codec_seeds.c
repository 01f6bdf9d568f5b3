/* codec_seeds.c - writes first inputs for the fuzz targets, real compressions among them: codec_seeds FOLDER makes
 * FOLDER/codec-NAME/seed-... for every codec of the table, FOLDER/stream/seed-... and FOLDER/zre/seed-... . */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/codec/stream.h"
#include "tests/fuzz/codec_input.h"

enum { SPACE = 1 << 14, LARGEST = 2048 /* bytes of a file */ };

static int failed;

static void put_file(const char *folder, const char *name, const uint8_t *bytes, size_t nbytes)
{
    char path[4096];
    FILE *f;

    if (nbytes > LARGEST)
        return;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, nbytes, f) != nbytes || fclose(f)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failed = 1;
    }
}

/* Bell-shaped enough: a sum of uniform ones from a counter. */
static float normal(size_t i)
{
    uint32_t h = (uint32_t)i * 2654435761u + 12345;
    float sum = 0;

    for (int k = 0; k < 4; k++) {
        h = (h ^ h >> 15) * 0x2c1b3c6du;
        h = (h ^ h >> 12) * 0x297a2d39u;
        sum += (float)(h >> 8) / 16777216.0f - 0.5f;
    }
    return sum * 0.1f;
}

static float zero(size_t i)
{
    (void)i;
    return 0;
}

static float rare(size_t i)
{
    return i % 61 == 7 ? normal(i) * 100 : normal(i) * 0.01f;
}

static float special(size_t i)
{
    static const float of[] = { 0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-40f, -1e-40f, 3e38f, -3e38f, 1, -1 };

    return of[i % (sizeof(of) / sizeof(*of))];
}

static float constant(size_t i)
{
    (void)i;
    return -0.375f;
}

static const struct {
    const char *why;
    size_t n;
    float (*value)(size_t i);
} shapes[] = {
    { "empty", 0, zero },    { "one", 1, normal },     { "five", 5, normal },      { "row", 67, normal },
    { "zeros", 255, zero },  { "rare", 250, rare },    { "special", 33, special }, { "constant", 40, constant },
    { "long", 450, normal }, { "sparse", 4000, rare },
};
enum { NSHAPES = sizeof(shapes) / sizeof(*shapes) };

static size_t put_header(uint8_t *to, enum input_kind kind, size_t n, uint8_t step)
{
    memset(to, 0, INPUT_HEADER);
    to[0] = (uint8_t)kind;
    to[1] = (uint8_t)(n % 16 | (n % 2) << 7);
    n |= n > 0xff ? 0xf000 : 0;
    to[2] = (uint8_t)n;
    to[3] = (uint8_t)(n >> 8);
    memset(to + INPUT_AT_PARAMS, step, CODEC_PARAMS);
    return INPUT_HEADER;
}

/* The same values as values, and what they become as a payload, a sealed and a whole stream. */
static void put_shape(const char *folder, const char *streams, const struct codec *c, size_t shape, uint8_t step)
{
    const struct codec_impl *im = codec_choose(c, "scalar", 0);
    size_t n = shapes[shape].n, at;
    float values[INPUT_VALUES_MAX];
    uint8_t bytes[INPUT_HEADER + INPUT_SEAL + STREAM_HEADER + SPACE], file[sizeof(bytes)];
    struct input in;
    uint8_t *payload, *state, *work;
    uint64_t nbytes = 0, count = n;
    char name[64];

    for (size_t i = 0; i < n; i++)
        values[i] = shapes[shape].value(i);
    put_header(bytes, INPUT_VALUES, n, step);
    in = input_read(c, bytes, INPUT_HEADER);
    payload = aligned_alloc(CODEC_ALIGN, (c->payload_bound(n, &in.params) / CODEC_ALIGN + 1) * CODEC_ALIGN);
    state = aligned_alloc(CODEC_ALIGN, (c->state_size(n, &in.params) / CODEC_ALIGN + 1) * CODEC_ALIGN);
    work = aligned_alloc(CODEC_ALIGN, (c->work_size(n, &in.params) / CODEC_ALIGN + 1) * CODEC_ALIGN);
    if (!im || !payload || !state || !work)
        abort();
    memset(state, 0, c->state_size(n, &in.params));
    im->compress(&im->impl, payload, &nbytes, values, n, &in.params, state, work);

    snprintf(name, sizeof(name), "seed-values-%s-%u", shapes[shape].why, step);
    memcpy(bytes + INPUT_HEADER, values, 4 * n);
    put_file(folder, name, bytes, INPUT_HEADER + 4 * n);
    if (nbytes <= LARGEST) {
        snprintf(name, sizeof(name), "seed-payload-%s-%u", shapes[shape].why, step);
        put_header(file, INPUT_PAYLOAD, n, step);
        memcpy(file + INPUT_HEADER, payload, nbytes);
        put_file(folder, name, file, INPUT_HEADER + nbytes);

        snprintf(name, sizeof(name), "seed-sealed-%s-%u", shapes[shape].why, step);
        at = put_header(file, INPUT_SEALED, n, step);
        memcpy(file + at, &count, 8);
        memcpy(file + at + 8, in.params.value, 8 * CODEC_PARAMS);
        memcpy(file + at + INPUT_SEAL, payload, nbytes);
        put_file(folder, name, file, at + INPUT_SEAL + nbytes);

        snprintf(name, sizeof(name), "seed-stream-%s-%u", shapes[shape].why, step);
        at = put_header(file, INPUT_STREAM, n, step);
        memcpy(file + at + STREAM_HEADER, payload, nbytes);
        nbytes = stream_seal(file + at, c, &in.params, n, nbytes);
        put_file(folder, name, file, at + nbytes);
        if (nbytes <= 256) { /* one byte in front there: 1 puts the checksum right */
            snprintf(name, sizeof(name), "seed-%s-%s-%u", c->name, shapes[shape].why, step);
            file[at - 1] = 1;
            put_file(streams, name, file + at - 1, nbytes + 1);
        }
    }
    free(payload);
    free(state);
    free(work);
}

/* For the zero-run coder: every byte, a run, runs with others between them, and runs as the encoder writes them. The
 * first byte is where the rest starts. */
static void put_runs(const char *folder)
{
    uint8_t bytes[1 + 700] = { 9 };

    for (size_t i = 0; i < 256; i++)
        bytes[1 + i] = (uint8_t)i;
    put_file(folder, "seed-all", bytes, 1 + 256);
    for (size_t i = 0; i < 700; i++)
        bytes[1 + i] = (uint8_t)(i % 17 == 3 && i > 300 ? i % 243 : 121);
    put_file(folder, "seed-run", bytes, 1 + 300);
    put_file(folder, "seed-runs", bytes, 1 + 700);
    for (size_t i = 0; i < 100; i++)
        bytes[1 + i] = (uint8_t)(243 + i % 13);
    put_file(folder, "seed-encoded", bytes, 1 + 100);
}

static void make_folder(char *path, size_t size, const char *root, const char *before, const char *name)
{
    snprintf(path, size, "%s/%s%s", root, before, name);
    if (mkdir(path, 0777) && errno != EEXIST) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failed = 1;
    }
}

int main(int argc, char **argv)
{
    char folder[4096], streams[4096];

    if (argc != 2) {
        fprintf(stderr, "use: %s FOLDER\n", argv[0]);
        return 2;
    }
    make_folder(folder, sizeof(folder), argv[1], "", "zre");
    put_runs(folder);
    make_folder(streams, sizeof(streams), argv[1], "", "stream");
    for (const struct codec *const *c = codecs; *c; c++) {
        make_folder(folder, sizeof(folder), argv[1], "codec-", (*c)->name);
        for (size_t s = 0; s < NSHAPES; s++) {
            put_shape(folder, streams, *c, s, 0);
            if (s == 3 && (*c)->param[0].name) {
                put_shape(folder, streams, *c, s, 1);
                put_shape(folder, streams, *c, s, 255);
            }
        }
    }
    return failed;
}
