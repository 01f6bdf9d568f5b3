/* images.h - synthetic images: generated classes that a convolutional network learns gradually. Each sample is drawn
 * from (seed, set, index), so the training set is finite and the test set is fresh from the same source.
 * What a class is   Eight scenes, the first as frequent as a third of all samples, the last a twentieth: a network
 *                   meets the common ones in some hundred steps and the rare ones over thousands. A scene is a smooth
 *                   coloured background and four glyphs of an alphabet that all classes share, at places that lie
 *                   across the middle and a quarter's line.
 * What tells them   Groups of four classes share backgrounds. Pairs within a group have glyphs in common that other
 *                   pairs have not. The two of a pair differ in a relation only: which of two glyphs is above and which
 *                   below the middle; in every fourth scene, whether the two are alike, which neither half of an image
 *                   shows by itself.
 * What hides them   The scene is moved, each glyph a little more, and may be missing; contrast varies; another class's
 *                   scene shines through; noise. 'difficulty' scales all of it. A label is never wrong.
 * How hard          three convolutions of 24, 48 and 64 channels with batch norm and pooling, ten classes of 3 x 32 x
 *                   32, 50,000 images not varied, batches of 64: of fresh images 93 % are right at difficulty 0.2 (3000
 *                   steps), 63, 75, 84, 86 and 89 % at 0.5 (800, 1500, 2500, 4000, 6000), 72 % at 0.8 (6000). Of 2000
 *                   images at 0.5, all learned by heart, 58 %; varied 73 %.
 * Mirrored          Half of all samples are mirrored, left to right; no class is another's mirror image.
 * Values            mean about 0 and deviation about 1 over the set, [channels, height, width]. A label: exactly one
 *                   sample of each class in samples n x classes .. (n + 1) x classes - 1, in an order that changes with
 *                   n. */
#ifndef NARROWS_TRAIN_DATA_IMAGES_H
#define NARROWS_TRAIN_DATA_IMAGES_H

#include "train/data/options.h"
#include "train/data/source.h"

/* E_DATA with the reason in why[], E_NOMEM. */
int images_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy);

#endif
