/* values.c - values of any type to fp32. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/reading.h"
#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/fp16_lane.h"
#include "kernels/codec/codec.h"

enum { CHUNK = 1 << 15 };

static const struct {
    const char *name;
    size_t nbytes;
} types[] = {
    [TENSOR_F32] = { "float32", 4 },
    [TENSOR_F64] = { "float64", 8 },
    [TENSOR_F16] = { "float16", 2 },
    [TENSOR_BF16] = { "bfloat16", 2 },
};

const char *tensor_type_name(enum tensor_type type)
{
    return types[type].name;
}

size_t tensor_type_bytes(enum tensor_type type)
{
    return types[type].nbytes;
}

int header_count(const struct input *in, const struct tensor_header *h, size_t *n)
{
    size_t product = 1;

    for (size_t i = 0; i < h->ndims; i++)
        if (!h->dims[i])
            product = 0;
    for (size_t i = 0; i < h->ndims && product; i++) {
        if (h->dims[i] > CODEC_MAX_VALUES / product)
            return input_refuse(in, "expected at most 2^40 values, got a shape of more");
        product *= h->dims[i];
    }
    *n = product;
    return NW_OK;
}

static void swap(uint8_t *bytes, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++, bytes += width)
        for (size_t k = 0; k < width / 2; k++) {
            uint8_t byte = bytes[k];
            bytes[k] = bytes[width - 1 - k];
            bytes[width - 1 - k] = byte;
        }
}

/* One value behind the other, by memcpy: what a file begins with leaves them on any boundary. */
#define EACH(word_type, expression)                           \
    for (size_t i = 0; i < n; i++) {                          \
        word_type word;                                       \
        uint32_t bits;                                        \
        memcpy(&word, from + i * sizeof(word), sizeof(word)); \
        bits = (expression);                                  \
        memcpy(to + i, &bits, sizeof(bits));                  \
    }

static uint32_t rounded(double v)
{
    float f = (float)v;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static size_t widen(float *to, const uint8_t *from, size_t n, enum tensor_type type)
{
    size_t overflows = 0;

    switch (type) {
    case TENSOR_F32: memcpy(to, from, 4 * n); break;
    case TENSOR_F16: EACH(uint16_t, fp16_to_f32_bits(word)) break;
    case TENSOR_BF16: EACH(uint16_t, bf16_to_f32_bits(word)) break;
    case TENSOR_F64: EACH(double, (overflows += isfinite(word) && isinf((float)word), rounded(word))) break;
    }
    return overflows;
}

static void count(struct tensor *t)
{
    for (size_t i = 0; i < t->n; i++) {
        t->nans += isnan(t->values[i]) != 0;
        t->infinities += isinf(t->values[i]) != 0;
    }
}

int values_read(struct tensor *t, struct input *in, const struct tensor_header *h)
{
    size_t width = tensor_type_bytes(h->type), done = 0;
    bool direct = h->type == TENSOR_F32 && !h->swapped;
    uint8_t chunk[CHUNK];
    int rc = NW_OK;

    t->values = aligned_alloc(CODEC_ALIGN, (4 * t->n / CODEC_ALIGN + 1) * CODEC_ALIGN);
    if (!t->values)
        return input_no_memory(in, 4 * (double)t->n);
    if (direct)
        rc = input_read(in, t->values, 4 * t->n, "values");
    while (!rc && !direct && done < t->n) {
        size_t n = t->n - done < CHUNK / width ? t->n - done : CHUNK / width;

        rc = input_read(in, chunk, n * width, "values");
        if (rc)
            break;
        if (h->swapped)
            swap(chunk, n, width);
        t->overflows += widen(t->values + done, chunk, n, h->type);
        done += n;
    }
    if (!rc)
        count(t);
    return rc;
}
