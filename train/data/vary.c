#include "train/data/vary.h"

#include <string.h>

#include "train/data/draw.h"

enum { DRAW_VARIATION = 1 };

struct variation variation_of(uint64_t augment, int64_t index, int64_t height, int64_t width, bool crop, bool mirror)
{
    struct draw d = draw_of(augment, DRAW_VARIATION, 0, (uint64_t)index);
    struct variation v = { 0 };

    if (!augment)
        return v;
    if (crop) {
        v.down = (int64_t)draw_below(&d, (uint32_t)(height / 8 * 2 + 1)) - height / 8;
        v.right = (int64_t)draw_below(&d, (uint32_t)(width / 8 * 2 + 1)) - width / 8;
    }
    if (mirror)
        v.mirror = draw_word(&d) & 1;
    return v;
}

static void mirror_rows(int64_t rows, int64_t width, float *values)
{
    for (float *row = values; row < values + rows * width; row += width)
        for (int64_t a = 0, b = width - 1; a < b; a++, b--) {
            float kept = row[a];

            row[a] = row[b];
            row[b] = kept;
        }
}

static void move_row(const float *from, int64_t right, int64_t width, float *to)
{
    int64_t kept = width - (right < 0 ? -right : right);

    if (right >= 0) {
        memmove(to + right, from, (size_t)kept * sizeof(*to));
        memset(to, 0, (size_t)right * sizeof(*to));
    } else {
        memmove(to, from - right, (size_t)kept * sizeof(*to));
        memset(to + kept, 0, (size_t)-right * sizeof(*to));
    }
}

/* In the order in which no row is written before it was read. */
static void move_plane(const struct variation *v, int64_t height, int64_t width, float *plane)
{
    for (int64_t i = 0; i < height; i++) {
        int64_t y = v->down > 0 ? height - 1 - i : i, from = y - v->down;

        if (from < 0 || from >= height)
            memset(plane + y * width, 0, (size_t)width * sizeof(*plane));
        else
            move_row(plane + from * width, v->right, width, plane + y * width);
    }
}

void variation_apply(const struct variation *v, int64_t channels, int64_t height, int64_t width, float *values)
{
    if (v->mirror)
        mirror_rows(channels * height, width, values);
    if (v->down || v->right)
        for (int64_t c = 0; c < channels; c++)
            move_plane(v, height, width, values + c * height * width);
}
