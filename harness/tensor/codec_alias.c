#include "harness/tensor/codec_alias.h"

#include <strings.h>

void codec_alias_list(const char *codec, FILE *out)
{
    const char *between = "";

    for (size_t i = 0; codec_alias_name(i); i++) {
        if (codec && strcasecmp(codec, codec_alias_codec(i)) != 0)
            continue;
        fprintf(out, "%s%s", between, codec_alias_name(i));
        if (!codec)
            fprintf(out, " for %s", codec_alias_codec(i));
        between = ", ";
    }
}
