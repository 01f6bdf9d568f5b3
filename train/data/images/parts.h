/* parts.h - the parts that synthetic images are painted from, and their layout. Within train/data/ only. */
#ifndef NARROWS_TRAIN_DATA_IMAGES_PARTS_H
#define NARROWS_TRAIN_DATA_IMAGES_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "train/data/draw.h"

enum {
    IMAGE_FIELDS = 48,
    IMAGE_GLYPHS = 32,
    IMAGE_SCENES = 8,
    SCENE_FIELDS = 2,
    SCENE_GLYPHS = 4,
    NOISE_VALUES = 1 << 14
};

/* Purposes of draws. */
enum { DRAW_FIELD = 1, DRAW_GLYPH, DRAW_NOISE, DRAW_GROUP, DRAW_SCENE, DRAW_CLASS_ORDER, DRAW_SAMPLE };

struct image_parts {
    uint64_t seed;
    int64_t channels, height, width;
    int64_t margin; /* of a field beyond the image, on each side */
    int64_t glyph;  /* side of a glyph */
    float *fields;  /* [IMAGE_FIELDS][channels][height + 2 margin][width + 2 margin], each of mean 0 and deviation 1 */
    float *glyphs;  /* [IMAGE_GLYPHS][channels][glyph][glyph], each of mean square 1 where it is strong */
    float *noise;   /* [NOISE_VALUES + width] of mean 0 and deviation 1: a row of pixels takes some 'width' in a row */
};

/* 0 or E_NOMEM. */
int image_parts_make(struct image_parts *p);
void image_parts_free(struct image_parts *p);

/* A glyph and where its middle lies, in parts of the image. */
struct placed {
    int glyph;
    float y, x;
};

struct scene {
    int field[SCENE_FIELDS];
    float weight[SCENE_FIELDS];
    struct placed glyphs[SCENE_GLYPHS];
};

/* A pure function: nothing is stored for a class. 'flipped': selects one of the two forms of some scenes. */
struct scene scene_of(uint64_t seed, int64_t class, int which, bool flipped);

/* One of a class's scenes, the common ones more often. */
int scene_draw(struct draw *d);

/* How strongly a scene is disturbed, and the normalization of its values. */
struct image_looks {
    int64_t move;      /* largest shift of a scene in pixels, either way */
    int64_t jitter;    /* and a glyph beyond that */
    float contrast;    /* amplitudes are 1 +- this */
    float missing;     /* share of the glyphs that are missing */
    float through;     /* most of another scene that shines through */
    float noise;       /* deviation */
    float mean, scale; /* (value - mean) x scale is the output */
};

/* The sample of draw 'd', of a class among 'classes', not mirrored. */
void image_render(const struct image_parts *p, const struct image_looks *looks, int64_t class, int64_t classes,
                  struct draw *d, float *values);

#endif
