/* jpeg_absent.c - a build without libjpeg. */
#include "harness/data/file.h"
#include "harness/data/jpeg_decode.h"

int jpeg_decode(const char *name, const uint8_t *bytes, size_t n, const struct jpeg_cut *cut, float *values, char *why,
                size_t nwhy)
{
    (void)bytes, (void)n, (void)cut, (void)values;
    return data_fail(why, nwhy, "%s: this program was built without libjpeg", name);
}

bool jpeg_usable(void)
{
    return false;
}
