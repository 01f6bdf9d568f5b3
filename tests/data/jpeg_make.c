/* jpeg_make.c - write JPEGs of known pixels. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/data/files.h"
#include "tests/test.h"

double jpeg_value(int width, int height, int channel, int which, double y, double x)
{
    switch ((channel + which) % 3) {
    case 0: return 40 + 160 * x / width;
    case 1: return 220 - 180 * y / height;
    default: return 60 + 20 * which % 100 + 50 * x / width + 30 * y / height;
    }
}

#ifdef NW_HAVE_JPEG
#include <jpeglib.h>

static const jpeg_scan_info apart[] = { { 1, { 0 }, 0, 63, 0, 0 },
                                        { 1, { 1 }, 0, 63, 0, 0 },
                                        { 1, { 2 }, 0, 63, 0, 0 } };

static void settle(struct jpeg_compress_struct *c, int width, int height, int channels, enum jpeg_scans scans)
{
    c->image_width = (JDIMENSION)width;
    c->image_height = (JDIMENSION)height;
    c->input_components = channels;
    c->in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(c);
    jpeg_set_quality(c, 98, TRUE);
    if (scans == SCANS_PROGRESSIVE)
        jpeg_simple_progression(c);
    if (scans == SCANS_APART) {
        c->scan_info = apart;
        c->num_scans = 3;
    }
}

uint8_t *jpeg_make(int width, int height, int channels, int which, enum jpeg_scans scans, size_t *n)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    JSAMPLE *row = malloc((size_t)(width * channels));
    unsigned char *bytes = NULL;
    unsigned long size = 0;

    assert_non_null(row);
    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &bytes, &size);
    settle(&c, width, height, channels, scans);
    jpeg_start_compress(&c, TRUE);
    for (int y = 0; y < height; y++) {
        for (int i = 0; i < width * channels; i++)
            row[i] = (JSAMPLE)(jpeg_value(width, height, i % channels, which, y, i / channels) + 0.5);
        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    free(row);
    *n = size;
    return bytes;
}
#endif
