#include "harness/data/data.h"

#include "harness/data/file.h"
#include "harness/data/readers.h"
#include "train/data/clicks/clicks.h"
#include "train/data/images/images.h"
#include "train/data/translation/translation.h"

int data_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    static int (*const opens[DATA_KINDS])(const struct data_options *, struct data_source **, char *, size_t) = {
        [DATA_IMAGES] = images_open,   [DATA_CLICKS] = clicks_open, [DATA_TRANSLATION] = translation_open,
        [DATA_CIFAR10] = cifar10_open, [DATA_IDX] = idx_open,       [DATA_CRITEO] = criteo_open,
        [DATA_JPEG] = jpeg_open,       [DATA_IWSLT] = iwslt_open,
    };

    if ((unsigned)o->kind >= DATA_KINDS)
        return data_fail(why, nwhy, "kind: expected one of the kinds of data, got number %d", (int)o->kind);
    return opens[o->kind](o, out, why, nwhy);
}
