/* measure.h - how fast this host packs weights and runs codecs, for scenarios that ask for measured rates.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_MEASURE_MEASURE_H
#define NARROWS_HARNESS_MEASURE_MEASURE_H

#include <stddef.h>

struct codec;
struct codec_params;

/* Time packing n weights to 'bytes_per_weight' bytes each on 'threads' threads with the best implementation here:
 * about a second. *Bps counts the bytes that must move, read and written; *impl is the implementation's name (static
 * text). */
int measure_pack(int bytes_per_weight, size_t n, int threads, double *Bps, const char **impl);

/* Time copies larger than any cache, by as many threads as this process may use. *Bps counts the bytes read and
 * written. */
int measure_copy(double *Bps, int *threads);

/* A tensor of n values, compressed into a sealed stream, and opened and decompressed: medians, of an average step
 * where a codec does not send in every one. */
struct codec_time {
    size_t n; /* given */
    double compress_s, decompress_s;
    double bits; /* per value on the wire, header included, of the last repetition */
};

/* Time a codec on one thread, by its best implementation here or the one called 'impl' (NULL: any), whose name is set
 * (static text): about 0.2 s for each size. An exact threshold is found before the clock runs. */
int measure_codec(const struct codec *c, const struct codec_params *p, const char *impl, struct codec_time *times,
                  size_t ntimes, const char **row);

#endif
