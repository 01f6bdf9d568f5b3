/* scene.c - the scenes of each class: which glyphs they show, and where. */
#include "train/data/images/parts.h"

/* A glyph that is none of those chosen before. */
static int glyph_draw(struct draw *d, const struct placed *chosen, int n)
{
    for (;;) {
        int glyph = (int)draw_below(d, IMAGE_GLYPHS), same = 0;

        for (int i = 0; i < n; i++)
            same += chosen[i].glyph == glyph;
        if (!same)
            return glyph;
    }
}

/* Of the first two glyphs, what is above and what below the middle. In most scenes the classes of a pair have them the
 * other way round; in every fourth the even class has one of them twice, the odd class both, and either way up: what
 * one half shows tells nothing without the other. */
static void relate(struct scene *s, int which, bool odd, bool flipped)
{
    static const float above = 0.28f, below = 0.72f;
    bool turned = which % 4 == 3 ? flipped : odd;

    s->glyphs[0].y = turned ? below : above;
    s->glyphs[1].y = turned ? above : below;
    if (which % 4 == 3 && !odd)
        s->glyphs[turned].glyph = s->glyphs[!turned].glyph;
}

struct scene scene_of(uint64_t seed, int64_t class, int which, bool flipped)
{
    static const float quarters[3] = { 0.25f, 0.5f, 0.75f };
    struct draw group = draw_of(seed, DRAW_GROUP, 0, (uint64_t) class / 4);
    struct draw d = draw_of(seed, DRAW_SCENE, (uint32_t)which, (uint64_t) class / 2);
    struct scene s = { .weight = { 0.8f, 0.6f } };

    /* A group has two backgrounds; the other field is the scene's own. */
    s.field[0] = (int)draw_below(&group, IMAGE_FIELDS);
    if (which % 2)
        s.field[0] = (int)draw_below(&group, IMAGE_FIELDS);
    s.field[1] = (int)draw_below(&d, IMAGE_FIELDS);
    for (int i = 0; i < SCENE_GLYPHS; i++)
        s.glyphs[i].glyph = glyph_draw(&d, s.glyphs, i);
    s.glyphs[0].x = s.glyphs[1].x = quarters[draw_below(&d, 3)];
    s.glyphs[2].y = quarters[draw_below(&d, 3)];
    s.glyphs[2].x = 0.5f;
    s.glyphs[3].y = 0.5f;
    s.glyphs[3].x = quarters[draw_below(&d, 3)];
    relate(&s, which, class % 2, flipped);
    return s;
}

int scene_draw(struct draw *d)
{
    /* 1, 1/2, 1/3 ... 1/8, in parts of 1/840 */
    static const uint32_t share[IMAGE_SCENES] = { 840, 420, 280, 210, 168, 140, 120, 105 };
    uint32_t at = draw_below(d, 2283);
    int which = 0;

    while (at >= share[which])
        at -= share[which++];
    return which;
}
