/* measure.h - what is tried on a network, in what order and how long: the time allowed is divided among the parts, and
 * what a part leaves over goes to those after it. A part that has no time for its large sizes leaves them out and
 * counts them.
 * Units      bytes, seconds, nanoseconds.
 * Errors     a nw_status: NW_ENOMEM, or the transport's. */
#ifndef NARROWS_HARNESS_NETWORK_MEASURE_H
#define NARROWS_HARNESS_NETWORK_MEASURE_H

#include "harness/mpi/clock.h"
#include "harness/network/fit.h"
#include "harness/network/rate.h"
#include "harness/network/series.h"

enum { NETWORK_SIZES = 64, NETWORK_STREAMS = 32 };

struct network_options {
    double seconds;       /* for everything, about */
    int repetitions;      /* at most so many of a message, a collective, a barrier; at least 3 */
    const int64_t *sizes; /* of messages alone and of collectives, none left out; NULL: the usual ones */
    size_t nsizes;
    int64_t message_bytes;                         /* of streams; the usual is NETWORK_MESSAGE */
    void (*note)(void *context, const char *text); /* what is being measured; may be NULL */
    void *context;
};

/* Large, so that each message costs nothing; and one that MPIs send without asking the receiver first. */
enum { NETWORK_MESSAGE = 1 << 20, NETWORK_EAGER = 32 << 10 };

/* A pattern's rate: of its slowest flow, all of them together. */
struct stream_rate {
    enum pattern pattern;
    int64_t message_bytes;
    struct rate rate;
    size_t entry;      /* in the series: its longest trial */
    double slow, fast; /* rate of the slowest and the fastest flow in that trial, bytes per second */
};

struct network_result {
    struct series series;
    struct stream_rate streams[NETWORK_STREAMS]; /* one-way first */
    size_t nstreams;
    struct message_time alone[NETWORK_SIZES], stream[NETWORK_SIZES]; /* with the first peer; ascending sizes */
    size_t nalone, nstream;
    struct link_fit fit;
    size_t left_out; /* sizes for which there was no time */
};

int network_measure(const struct transport *by, const struct network_options *o, struct network_result *out);
void network_result_free(struct network_result *r); /* accepts zeros */

/* The rate of a pattern with messages of that size (0: any; the fastest if there are several), or NULL. */
const struct stream_rate *network_rate(const struct network_result *r, enum pattern p, int64_t message_bytes);

/* How far apart ranks leave a barrier, by clocks that were compared before and after: the median and the most of the
 * repetitions, and how wrong that may be. Zeros without a barrier. */
struct network_skew {
    double median_ns, most_ns, error_ns;
};
struct network_skew network_skew(const struct network_result *r, const struct clock_offset *before, int64_t before_ns,
                                 const struct clock_offset *after, int64_t after_ns);

#endif
