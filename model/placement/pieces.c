#include "model/placement/pieces.h"

#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"

static const int64_t most = (int64_t)1 << 62;

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int64_t pieces_alignment(const struct buffer *buffer, int64_t alignment)
{
    int64_t own = buffer->alignment > 1 ? buffer->alignment / gcd(buffer->alignment, alignment) : 1;

    return own <= most / alignment ? own * alignment : 0;
}

static int64_t round_up(int64_t bytes, int64_t unit)
{
    return bytes / unit + (bytes % unit > 0);
}

/* Gaps follow each other within the lifetime, and windows lie within the buffer. */
static bool is_sound(const struct buffer *b)
{
    int64_t at = b->lower;

    for (size_t g = 0; g < b->ngaps; g++) {
        const struct buffer_gap *gap = &b->gaps[g];
        if (gap->lower < at || gap->upper <= gap->lower || gap->from < 0 || gap->to < gap->from || gap->to > b->bytes)
            return false;
        at = gap->upper;
    }
    return at <= b->upper && b->bytes >= 0 && b->alignment >= 0;
}

/* One buffer's share in the common unit, and in the sum that no height exceeds. */
static int measure(struct pieces *p, const struct buffer *b, int64_t *common, int64_t *sum)
{
    int64_t units = round_up(b->bytes, p->alignment), alignment = pieces_alignment(b, p->alignment);

    if (!alignment || units > (most - *sum) / p->alignment)
        return E_RANGE;
    *sum += units * p->alignment;
    p->biggest = max64(p->biggest, units);
    *common = gcd(units, *common);
    if (alignment > p->alignment && units) {
        if (alignment - p->alignment > most - *sum)
            return E_RANGE;
        *sum += alignment - p->alignment;
        *common = gcd(alignment / p->alignment, *common);
        p->largest = max64(p->largest, alignment);
    }
    for (size_t g = 0; units && g < b->ngaps; g++) {
        const struct buffer_gap *gap = &b->gaps[g];
        p->plain = false;
        if (gap->to > gap->from) {
            p->windows = true;
            *common = gcd(gap->from / p->alignment, *common);
            *common = gcd(round_up(gap->to, p->alignment), *common);
        }
    }
    return E_OK;
}

static void push(struct pieces *p, size_t buffer, int64_t lower, int64_t upper, int64_t from, int64_t to)
{
    if (lower < upper && from < to) {
        bool first = !p->n || p->list[p->n - 1].buffer != buffer;
        struct part part = { 0, 0, from / p->unit, round_up(to, p->unit) };
        p->list[p->n++] = (struct piece){ lower, upper, part, buffer, first };
        p->nbuffers += first;
    }
}

static void cut(struct pieces *p, const struct buffer *b, size_t index)
{
    int64_t at = b->lower;

    for (size_t g = 0; g < b->ngaps; g++) {
        const struct buffer_gap *gap = &b->gaps[g];
        push(p, index, at, gap->lower, 0, b->bytes);
        push(p, index, gap->lower, gap->upper, gap->from, gap->to);
        at = gap->upper;
    }
    push(p, index, at, b->upper, 0, b->bytes);
}

int pieces_cut(struct pieces *out, const struct buffer *buffers, size_t n, int64_t alignment)
{
    int64_t common = 0, sum = 0;
    size_t count = 1;

    *out = (struct pieces){ .alignment = alignment > 1 ? alignment : 1, .plain = true };
    if (alignment < 0)
        return E_INVAL;
    for (size_t i = 0; i < n; i++) {
        int rc = is_sound(&buffers[i]) ? measure(out, &buffers[i], &common, &sum) : E_INVAL;
        if (rc)
            return rc;
        count += 1 + 2 * buffers[i].ngaps;
    }
    out->unit = out->alignment * (common ? common : 1);
    out->biggest /= common ? common : 1;
    out->plain &= out->largest <= out->unit; /* sizes that are multiples of every alignment keep it by themselves */
    if (count > INT32_MAX / 4)
        return E_RANGE;
    out->list = malloc(count * sizeof(*out->list));
    if (!out->list)
        return E_NOMEM;
    for (size_t i = 0; i < n; i++)
        cut(out, &buffers[i], i);
    return E_OK;
}
