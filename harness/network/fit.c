#include "harness/network/fit.h"

#include <math.h>

#include "harness/measure/statistics.h"

enum { MOST = 64 };

/* The wire is the bottleneck where a message's own bytes take this many times as long as the sender does. */
static const double wire_bound = 2;

/* Median of what a message takes on the wire in addition to its bytes. */
static double framing_bytes(const struct message_time *stream, size_t n, double message_s, double rate_Bps,
                            int64_t whole_bytes)
{
    double extra[MOST];
    size_t found = 0;

    for (size_t i = 0; i < n && found < MOST; i++)
        if (stream[i].bytes <= whole_bytes && (double)stream[i].bytes / rate_Bps >= wire_bound * message_s)
            extra[found++] = stream[i].seconds * rate_Bps - (double)stream[i].bytes;
    return found ? fmax(0, quantile(extra, found, 0.5)) : 0;
}

struct link_fit fit_link(const struct message_time *alone, size_t nalone, const struct message_time *stream,
                         size_t nstream, double rate_Bps, int64_t whole_bytes)
{
    struct link_fit f = { 0 };

    if (nstream)
        f.message_s = fmax(0, fit_alpha_s(stream[0], rate_Bps));
    if (nalone) {
        double empty_s = fit_alpha_s(alone[0], rate_Bps);

        /* a stream in which messages wait for each other says nothing of the sender */
        f.message_s = fmin(f.message_s, fmax(0, empty_s));
        f.latency_s = fmax(0, (empty_s - f.message_s) / 2);
    }
    if (nstream)
        f.message_bytes = framing_bytes(stream, nstream, f.message_s, rate_Bps, whole_bytes);
    return f;
}
