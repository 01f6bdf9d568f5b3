#include "harness/network/fit.h"

#include <math.h>

#include "harness/measure/statistics.h"

enum { MOST = 64 };

/* The wire is the bottleneck where a message's own bytes take this many times as long as the sender does. */
static const double wire_bound = 2;

/* More than what the wire explains, by so much, is the sender's. */
static const double margin = 1.25;

/* Median of what a message takes on the wire in addition to its bytes. Where the smallest message that the wire should
 * bound takes half again as long as its bytes, something else bounds it. */
static double framing_bytes(const struct message_time *stream, size_t n, double message_s, double rate_Bps,
                            int64_t whole_bytes)
{
    double extra[MOST];
    size_t found = 0;

    for (size_t i = 0; i < n && found < MOST; i++) {
        double own = (double)stream[i].bytes, more = stream[i].seconds * rate_Bps - own;

        if (stream[i].bytes > whole_bytes || own / rate_Bps < wire_bound * message_s)
            continue;
        if (!found && more > own / 2)
            return 0;
        extra[found++] = more;
    }
    return found ? fmax(0, quantile(extra, found, 0.5)) : 0;
}

/* A stream of small messages goes as fast as the sender or the wire, whichever is slower: what the wire explains is not
 * the sender's. */
static double sender_s(const struct message_time *small, double framing, double rate_Bps)
{
    double wire_s = ((double)small->bytes + framing) / rate_Bps;

    return small->seconds > margin * wire_s ? small->seconds : 0;
}

struct link_fit fit_link(const struct message_time *alone, size_t nalone, const struct message_time *stream,
                         size_t nstream, double rate_Bps, int64_t whole_bytes)
{
    struct link_fit f = { 0 };

    if (nstream) {
        f.message_bytes = framing_bytes(stream, nstream, stream[0].seconds, rate_Bps, whole_bytes);
        f.message_s = sender_s(&stream[0], f.message_bytes, rate_Bps);
    }
    if (nalone) {
        double empty_s = fmax(0, fit_alpha_s(alone[0], rate_Bps));

        /* a stream in which messages wait for each other says nothing of the sender */
        f.message_s = fmin(f.message_s, empty_s);
        f.latency_s = (empty_s - f.message_s) / 2;
    }
    return f;
}
