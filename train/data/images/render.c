/* render.c - one image, painted from the parts and the scene of its class. */
#include <assert.h>

#include "train/data/images/parts.h"
#include "train/number.h"

/* A scene as one sample shows it. */
struct view {
    struct scene scene;
    int64_t down, right; /* by how much it is moved */
    float strength;
    float ground[SCENE_FIELDS]; /* weights of its backgrounds: the scene's, either sign */
    int32_t glyph_down[SCENE_GLYPHS], glyph_right[SCENE_GLYPHS];
    bool missing[SCENE_GLYPHS];
};

static int32_t off_by(struct draw *d, int64_t most)
{
    return (int32_t)draw_below(d, (uint32_t)(2 * most + 1)) - (int32_t)most;
}

static struct view view_draw(const struct image_parts *p, const struct image_looks *looks, int64_t class,
                             struct draw *d)
{
    int which = scene_draw(d);
    struct view v = { .scene = scene_of(p->seed, class, which, draw_word(d) & 1) };

    v.down = off_by(d, looks->move);
    v.right = off_by(d, looks->move);
    v.strength = draw_between(d, 1 - looks->contrast, 1 + looks->contrast);
    for (int i = 0; i < SCENE_FIELDS; i++)
        v.ground[i] = draw_word(d) & 1 ? v.scene.weight[i] : -v.scene.weight[i];
    for (int i = 0; i < SCENE_GLYPHS; i++) {
        v.glyph_down[i] = off_by(d, looks->jitter);
        v.glyph_right[i] = off_by(d, looks->jitter);
        v.missing[i] = draw_unit(d) < looks->missing;
    }
    return v;
}

static const float *field_row(const struct image_parts *p, const struct view *v, int which, int64_t channel, int64_t y)
{
    int64_t rows = p->height + 2 * p->margin, columns = p->width + 2 * p->margin;
    int64_t row = (v->scene.field[which] * p->channels + channel) * rows + y + p->margin - v->down;

    return p->fields + row * columns + p->margin - v->right;
}

/* Backgrounds and noise: every value is written. */
static void paint_ground(const struct image_parts *p, const struct image_looks *looks, const struct view *own,
                         const struct view *other, struct draw *d, float *values)
{
    float own0 = own->strength * own->ground[0] * looks->scale, own1 = own->strength * own->ground[1] * looks->scale;
    float other0 = other->strength * other->ground[0] * looks->scale, noise = looks->noise * looks->scale,
          base = -looks->mean * looks->scale;

    for (int64_t row = 0; row < p->channels * p->height; row++) {
        int64_t c = row / p->height, y = row % p->height;
        const float *a = field_row(p, own, 0, c, y), *b = field_row(p, own, 1, c, y), *o = field_row(p, other, 0, c, y);
        const float *n = p->noise + draw_below(d, NOISE_VALUES + 1);
        float *to = values + row * p->width;

        for (int64_t x = 0; x < p->width; x++)
            to[x] = (own0 * a[x] + own1 * b[x]) + (other0 * o[x] + (noise * n[x] + base));
    }
}

/* As much of a glyph as lies within the image, its corner at (top, left). */
static void paint_glyph(const struct image_parts *p, int which, int64_t top, int64_t left, float strength,
                        float *values)
{
    const float *glyph = p->glyphs + which * p->channels * p->glyph * p->glyph;
    int64_t y0 = top < 0 ? -top : 0, x0 = left < 0 ? -left : 0;
    int64_t y1 = least(p->glyph, p->height - top), x1 = least(p->glyph, p->width - left);

    for (int64_t c = 0; c < p->channels; c++)
        for (int64_t y = y0; y < y1; y++) {
            const float *from = glyph + (c * p->glyph + y) * p->glyph;
            float *to = values + (c * p->height + top + y) * p->width + left;

            for (int64_t x = x0; x < x1; x++)
                to[x] += strength * from[x];
        }
}

static void paint_glyphs(const struct image_parts *p, const struct view *v, float strength, float *values)
{
    for (int i = 0; i < SCENE_GLYPHS; i++) {
        const struct placed *g = &v->scene.glyphs[i];
        int64_t top = (int64_t)(g->y * (float)p->height) - p->glyph / 2 + v->down + v->glyph_down[i];
        int64_t left = (int64_t)(g->x * (float)p->width) - p->glyph / 2 + v->right + v->glyph_right[i];

        if (!v->missing[i])
            paint_glyph(p, g->glyph, top, left, v->strength * strength, values);
    }
}

void image_render(const struct image_parts *p, const struct image_looks *looks, int64_t class, int64_t classes,
                  struct draw *d, float *values)
{
    const float glyphs = 1.7f * looks->scale; /* against backgrounds of deviation 1 */
    int64_t another = (class + 1 + draw_below(d, (uint32_t)classes - 1)) % classes;
    struct view own = view_draw(p, looks, class, d), other = view_draw(p, looks, another, d);

    assert(looks->move <= p->margin);
    other.strength = looks->through * draw_unit(d);
    paint_ground(p, looks, &own, &other, d, values);
    paint_glyphs(p, &own, glyphs, values);
    paint_glyphs(p, &other, glyphs, values);
}
