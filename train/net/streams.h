/* streams.h - what is drawn from a training's seed; two streams of one seed and kind differ in 'which' (a layer, an epoch). */
#ifndef NARROWS_TRAIN_NET_STREAMS_H
#define NARROWS_TRAIN_NET_STREAMS_H

#include "train/draw.h"

enum draw_kind { DRAW_WEIGHTS = 1, DRAW_IMAGES, DRAW_LABELS, DRAW_ORDER, DRAW_AUGMENT, DRAW_SPLIT, DRAW_DROPOUT };

#endif
