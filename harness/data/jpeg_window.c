#include "harness/data/jpeg_window.h"

struct jpeg_window jpeg_window_of(const struct jpeg_cut *cut, double rows, double columns)
{
    double down = rows / (double)cut->height, right = columns / (double)cut->width;
    double step = (down < right ? down : right) * 7 / 8;

    return (struct jpeg_window){ .top = (float)((rows - step * (double)cut->height) * cut->down),
                                 .left = (float)((columns - step * (double)cut->width) * cut->right),
                                 .step = (float)step };
}

struct jpeg_between jpeg_between_of(float start, float step, int64_t at, int64_t n)
{
    float place = start + ((float)at + 0.5f) * step - 0.5f, last = (float)(n - 1);
    struct jpeg_between b;

    place = place < 0 ? 0 : place > last ? last : place;
    b.first = (int64_t)place;
    b.second = b.first + 1 < n ? b.first + 1 : b.first;
    b.part = place - (float)b.first;
    return b;
}

void jpeg_put_row(const struct jpeg_between *columns, const struct jpeg_cut *cut, const uint8_t *above,
                  const uint8_t *below, float part, float *to)
{
    int64_t n = cut->channels;

    for (int64_t channel = 0; channel < n; channel++, above++, below++)
        for (int64_t i = 0; i < cut->width; i++) {
            const struct jpeg_between *x = &columns[i];
            float a0 = above[n * x->first], a = a0 + x->part * (above[n * x->second] - a0);
            float b0 = below[n * x->first], b = b0 + x->part * (below[n * x->second] - b0);

            to[channel * cut->height * cut->width + i] = a + part * (b - a);
        }
}
