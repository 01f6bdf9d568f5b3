#include "train/data/images/parts.h"

#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/data/source.h"

enum { LATTICE = 6 };

/* A square of random values. */
struct lattice {
    float value[LATTICE + 1][LATTICE + 1];
};

static struct lattice lattice_draw(struct draw *d)
{
    struct lattice l;

    for (int y = 0; y <= LATTICE; y++)
        for (int x = 0; x <= LATTICE; x++)
            l.value[y][x] = draw_normal(d);
    return l;
}

/* At (y, x) in 0 .. LATTICE, continuous with its slope. */
static float lattice_at(const struct lattice *l, float y, float x)
{
    int i = y < LATTICE ? (int)y : LATTICE - 1, j = x < LATTICE ? (int)x : LATTICE - 1;
    float v = y - (float)i, u = x - (float)j, sv = v * v * (3 - 2 * v), su = u * u * (3 - 2 * u);
    float above = l->value[i][j] + su * (l->value[i][j + 1] - l->value[i][j]);
    float below = l->value[i + 1][j] + su * (l->value[i + 1][j + 1] - l->value[i + 1][j]);

    return above + sv * (below - above);
}

static void standardize(float *values, int64_t n)
{
    double sum = 0, squares = 0;

    for (int64_t i = 0; i < n; i++)
        sum += values[i];
    for (int64_t i = 0; i < n; i++)
        squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)((values[i] - sum / (double)n) / sqrt(squares / (double)n + 1e-12));
}

/* Two patterns in two colours. */
static void field_make(const struct image_parts *p, int which)
{
    int64_t rows = p->height + 2 * p->margin, columns = p->width + 2 * p->margin, plane = rows * columns;
    float *field = p->fields + which * p->channels * plane;
    struct draw d = draw_of(p->seed, DRAW_FIELD, (uint32_t)which, 0);
    struct lattice one = lattice_draw(&d), two = lattice_draw(&d);
    float part = (float)LATTICE / (float)(rows > columns ? rows : columns);

    for (int64_t c = 0; c < p->channels; c++) {
        float first = draw_normal(&d), second = draw_normal(&d);

        for (int64_t i = 0; i < plane; i++) {
            float y = (float)(i / columns) * part, x = (float)(i % columns) * part;

            field[c * plane + i] = first * lattice_at(&one, y, x) + second * lattice_at(&two, y, x);
        }
    }
    standardize(field, p->channels * plane);
}

/* Strokes: a pattern made steep that fades out towards a circle. */
static float stroke_at(const struct lattice *l, int64_t side, int64_t at)
{
    float y = (float)(at / side), x = (float)(at % side), middle = (float)(side - 1) / 2, fine = 4.5f / (float)side;
    float dy = (y - middle) / (middle + 1), dx = (x - middle) / (middle + 1), far = dy * dy + dx * dx;
    float stroke = 3 * lattice_at(l, y * fine, x * fine);

    stroke = stroke > 1 ? 1 : stroke < -1 ? -1 : stroke;
    return far < 1 ? stroke * (1 - far * far) : 0;
}

static void glyph_make(const struct image_parts *p, int which)
{
    struct draw d = draw_of(p->seed, DRAW_GLYPH, (uint32_t)which, 0);
    struct lattice l = lattice_draw(&d);
    struct draw colours = d; /* read twice: for their sum, then each */
    int64_t plane = p->glyph * p->glyph;
    float *glyph = p->glyphs + which * p->channels * plane, squares = 1e-6f;

    for (int64_t c = 0; c < p->channels; c++) {
        float colour = draw_normal(&d);

        squares += colour * colour;
    }
    for (int64_t c = 0; c < p->channels; c++) {
        float colour = draw_normal(&colours) * sqrtf((float)p->channels / squares);

        for (int64_t i = 0; i < plane; i++)
            glyph[c * plane + i] = colour * stroke_at(&l, p->glyph, i);
    }
}

static void noise_make(const struct image_parts *p)
{
    struct draw d = draw_of(p->seed, DRAW_NOISE, 0, 0);

    for (int64_t i = 0; i < NOISE_VALUES + p->width; i++)
        p->noise[i] = draw_normal(&d);
}

int image_parts_make(struct image_parts *p)
{
    int64_t field = p->channels * (p->height + 2 * p->margin) * (p->width + 2 * p->margin);
    int64_t glyph = p->channels * p->glyph * p->glyph;

    p->fields = calloc((size_t)(IMAGE_FIELDS * field), sizeof(*p->fields));
    p->glyphs = calloc((size_t)(IMAGE_GLYPHS * glyph), sizeof(*p->glyphs));
    p->noise = calloc((size_t)(NOISE_VALUES + p->width), sizeof(*p->noise));
    if (!p->fields || !p->glyphs || !p->noise) {
        image_parts_free(p);
        return E_NOMEM;
    }
    for (int i = 0; i < IMAGE_FIELDS; i++)
        field_make(p, i);
    for (int i = 0; i < IMAGE_GLYPHS; i++)
        glyph_make(p, i);
    noise_make(p);
    return 0;
}

void image_parts_free(struct image_parts *p)
{
    free(p->fields);
    free(p->glyphs);
    free(p->noise);
    p->fields = p->glyphs = p->noise = NULL;
}
