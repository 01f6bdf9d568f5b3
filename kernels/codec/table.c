/* table.c - the codecs of this build. */
#include "kernels/codec/codec.h"

const struct codec *const codecs[] = {
    NULL,
};
