#include "tests/train/net/small_model.h"

#include <stddef.h>

#include "tests/test.h"

struct model small_model(void)
{
    static struct layer_spec layers[] = {
        { .kind = LAYER_CONV, .channels = 64, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_FC, .units = 40, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };
    struct model_spec spec = {
        .name = "m", .channels = 32, .height = 4, .width = 4, .layers = layers, .nlayers = COUNT(layers)
    };
    struct model m;
    char why[256];

    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}
