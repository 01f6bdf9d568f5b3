/* Every device row of the table of codecs, on a device. Exit 77 without one. */
#include <stdio.h>

#include "harness/bench/device.h"
#include "tests/kernels/codec/device_rows.h"

enum { MOST = 63 };

static struct device_row rows[MOST + 1];
static size_t count;
static struct codec pull, narrow;

static void add_rows(const struct codec *c)
{
    for (const struct codec_impl *i = c->impls; i->impl.name; i++)
        if (i->impl.where == IMPL_DEVICE && i->impl.usable() && count < MOST)
            rows[count++] = (struct device_row){ c, i->compress, i->decompress, (size_t)-1, i->reduce };
}

int main(void)
{
    const char *why;

    if (!device_present(&why)) {
        printf("skipped: no device to test on: %s\n", why);
        return 77;
    }
    for (size_t c = 0; codecs[c]; c++)
        add_rows(codecs[c]);
    pull = device_rows_pull();
    add_rows(&pull);
    narrow = device_rows_narrow();
    add_rows(&narrow);
    if (!count) {
        printf("skipped: this build has no code for the device here\n");
        return 77;
    }
    printf("on %s\n", device_name());
    return device_rows_test(rows, NULL);
}
