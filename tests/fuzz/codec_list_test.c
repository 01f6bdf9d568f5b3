/* Every codec of the table has a fuzz target, and every target a codec: codec_list_test NAME... */
#include <stdio.h>
#include <string.h>

#include "kernels/codec/codec.h"

int main(int argc, char **argv)
{
    int wrong = 0;

    for (const struct codec *const *c = codecs; *c; c++) {
        int i = 1;

        while (i < argc && strcmp(argv[i], (*c)->name))
            i++;
        if (i == argc)
            printf("no fuzz target: %s\n", (*c)->name), wrong++;
    }
    for (int i = 1; i < argc; i++)
        if (!codec_find(argv[i]))
            printf("not in the table of codecs: %s\n", argv[i]), wrong++;
    printf("%d targets, %d wrong\n", argc - 1, wrong);
    return wrong || argc < 2;
}
