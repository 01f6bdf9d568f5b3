#include "harness/data/jpeg_decode.h"

#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

#include "harness/data/file.h"
#include "harness/data/jpeg_window.h"
#include "model/status.h"

/* A small file may claim a huge image, or contain many scans, each of which costs a pass over it. */
enum { MOST_MEMORY_BYTES = 1 << 30, MOST_SCANS = 500 };

struct decoder {
    struct jpeg_decompress_struct cinfo; /* first: libjpeg hands it back */
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    const char *name;
    size_t n;
    char *why;
    size_t nwhy;
};

/* How far the decoder has read: within a scan, up to where it began the row of blocks. At most the file's size. */
static size_t offset_of(const struct decoder *d)
{
    if (!d->cinfo.src)
        return 0;
    if (d->errors.msg_code == JWRN_JPEG_EOF || d->cinfo.src->bytes_in_buffer > d->n)
        return d->n;
    return d->n - d->cinfo.src->bytes_in_buffer;
}

static void fail(j_common_ptr c)
{
    struct decoder *d = (struct decoder *)c;
    char reason[JMSG_LENGTH_MAX];

    c->err->format_message(c, reason);
    if (c->err->msg_code == JERR_NO_BACKING_STORE)
        data_fail(d->why, d->nwhy, "%s: offset %zu: expected an image that decodes in 1 GiB, got %u x %u", d->name,
                  offset_of(d), d->cinfo.image_height, d->cinfo.image_width);
    else
        data_fail(d->why, d->nwhy, "%s: offset %zu: expected a whole JPEG, got: %s", d->name, offset_of(d), reason);
    longjmp(d->failed, 1);
}

/* libjpeg would fill missing or wrong data with grey. Only warnings that leave the picture whole are ignored. */
static void note(j_common_ptr c, int level)
{
    int code = c->err->msg_code;

    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR &&
        code != JWRN_TOO_MUCH_DATA)
        fail(c);
}

static void count_scans(j_common_ptr c)
{
    struct decoder *d = (struct decoder *)c;

    if (d->cinfo.input_scan_number <= MOST_SCANS)
        return;
    data_fail(d->why, d->nwhy, "%s: offset %zu: expected at most %d scans, got more", d->name, offset_of(d),
              MOST_SCANS);
    longjmp(d->failed, 1);
}

/* Convert CMYK to RGB or grey in place. In files by Adobe's programs, 0 is full ink. */
static void inks_to_light(const struct jpeg_decompress_struct *c, int64_t channels, JSAMPLE *row)
{
    for (int64_t x = 0; x < c->output_width; x++) {
        float light[4];

        for (int i = 0; i < 4; i++)
            light[i] = c->saw_Adobe_marker ? row[4 * x + i] : (float)(255 - row[4 * x + i]);
        for (int i = 0; i < 3; i++)
            light[i] = light[i] * light[3] / 255;
        if (channels == 1)
            light[0] = 0.299f * light[0] + 0.587f * light[1] + 0.114f * light[2];
        for (int i = 0; i < channels; i++)
            row[channels * x + i] = (JSAMPLE)(light[i] + 0.5f);
    }
}

static void read_row(struct jpeg_decompress_struct *c, int64_t channels, JSAMPLE *row)
{
    jpeg_read_scanlines(c, &row, 1);
    if (c->output_components == 4)
        inks_to_light(c, channels, row);
}

/* The decoder gives each row once. An output row needs two of them; the later one is always the last that was read. */
static void put_rows(struct jpeg_decompress_struct *c, const struct jpeg_cut *cut, float *values)
{
    double part = (double)c->scale_num / c->scale_denom;
    struct jpeg_window w = jpeg_window_of(cut, c->image_height * part, c->image_width * part);
    JSAMPARRAY rows =
        c->mem->alloc_sarray((j_common_ptr)c, JPOOL_IMAGE, c->output_width * (JDIMENSION)c->output_components, 2);
    struct jpeg_between *columns =
        c->mem->alloc_large((j_common_ptr)c, JPOOL_IMAGE, (size_t)cut->width * sizeof(*columns));

    for (int64_t x = 0; x < cut->width; x++)
        columns[x] = jpeg_between_of(w.left, w.step, x, c->output_width);
    for (int64_t y = 0; y < cut->height; y++) {
        struct jpeg_between b = jpeg_between_of(w.top, w.step, y, c->output_height);

        while (c->output_scanline <= b.second)
            read_row(c, cut->channels, rows[c->output_scanline % 2]);
        jpeg_put_row(columns, cut, rows[b.first % 2], rows[b.second % 2], b.part, values + y * cut->width);
    }
    while (c->output_scanline < c->output_height)
        jpeg_read_scanlines(c, rows, 1);
}

/* Decode at 1/8 .. 8/8 of the size: the smallest that is not below the output size. */
static void choose_scale(struct jpeg_decompress_struct *c, const struct jpeg_cut *cut)
{
    struct jpeg_window whole = jpeg_window_of(cut, c->image_height, c->image_width);

    c->scale_denom = 8;
    for (c->scale_num = 1; c->scale_num < 8 && (float)c->scale_num * whole.step < 8; c->scale_num++)
        ;
    if (c->jpeg_color_space == JCS_CMYK || c->jpeg_color_space == JCS_YCCK)
        c->out_color_space = JCS_CMYK;
    else
        c->out_color_space = cut->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
}

static int check_kind(const char *name, const uint8_t *bytes, size_t n, char *why, size_t nwhy)
{
    static const uint8_t png[] = { 0x89, 'P', 'N', 'G' };
    bool is_png = n >= sizeof(png);

    for (size_t i = 0; is_png && i < sizeof(png); i++)
        is_png = bytes[i] == png[i];
    if (is_png)
        return data_fail(why, nwhy, "%s: offset 0: expected a JPEG, got a PNG", name);
    if (n < 2)
        return data_fail(why, nwhy, "%s: offset 0: expected a JPEG, got %zu bytes", name, n);
    if (bytes[0] != 0xff || bytes[1] != 0xd8)
        return data_fail(why, nwhy, "%s: offset 0: expected a JPEG (ff d8), got %02x %02x", name, bytes[0], bytes[1]);
    return 0;
}

int jpeg_decode(const char *name, const uint8_t *bytes, size_t n, const struct jpeg_cut *cut, float *values, char *why,
                size_t nwhy)
{
    struct decoder d = { .name = name, .n = n, .why = why, .nwhy = nwhy };
    struct jpeg_decompress_struct *c = &d.cinfo;

    if (check_kind(name, bytes, n, why, nwhy))
        return E_DATA;
    c->err = jpeg_std_error(&d.errors);
    d.errors.error_exit = fail;
    d.errors.emit_message = note;
    if (setjmp(d.failed)) {
        jpeg_destroy_decompress(c);
        return E_DATA;
    }
    jpeg_create_decompress(c);
    c->mem->max_memory_to_use = MOST_MEMORY_BYTES;
    d.progress.progress_monitor = count_scans;
    c->progress = &d.progress;
    jpeg_mem_src(c, bytes, n);
    jpeg_read_header(c, TRUE);
    choose_scale(c, cut);
    jpeg_start_decompress(c);
    put_rows(c, cut, values);
    jpeg_finish_decompress(c);
    jpeg_destroy_decompress(c);
    return 0;
}

bool jpeg_usable(void)
{
    return true;
}
