/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/randomk/host.h"
#include "kernels/shared/least.h"
#include "kernels/shared/rows.h"
#include "kernels/shared/sum_lane.h"

enum { DENSITY, FEEDBACK, SHARED_SEED };

struct job {
    const struct randomk_spans *isa;
    struct threefry_key key;
    struct randomk_runs runs;
    const float *values; /* which places are sent */
    float *kept;         /* and cleared; NULL without feedback */
    float *payload;
    const float *sent;
    float *dst;
    bool add;
};

static size_t sent_of(size_t n, const struct codec_params *p)
{
    return n ? randomk_kept(p->value[DENSITY], n) : 0;
}

/* The runs from .. to-1, from on a group's boundary. */
static void send(void *job, size_t from, size_t to)
{
    const struct job *j = job;
    uint32_t word[DRAWN_GROUP];

    for (size_t at = from; at < to; at += DRAWN_GROUP) {
        j->isa->draw(word, &j->key, at / DRAWN_GROUP);
        for (size_t i = 0; i < least(to - at, DRAWN_GROUP); i++) {
            size_t place = randomk_place(j->runs, at + i, word[i]);

            j->payload[at + i] = j->kept ? j->values[place] : j->values[place] * (float)randomk_length(j->runs, at + i);
            if (j->kept)
                j->kept[place] = 0;
        }
    }
}

static void randomk_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                             const struct codec_params *p, void *state, void *work)
{
    const struct randomk_spans *isa = im->with;
    bool feedback = p->value[FEEDBACK] > 0;
    uint64_t *steps = (uint64_t *)(void *)((uint8_t *)state + randomk_counter(n, feedback));
    size_t k = sent_of(n, p);
    float *kept = feedback ? state : NULL;
    struct job j = { .isa = isa,
                     .key = drawn_key((uint64_t)p->value[SHARED_SEED], *steps),
                     .runs = randomk_runs_of(n, k),
                     .values = feedback ? kept : values,
                     .kept = kept,
                     .payload = (float *)(void *)payload };

    (void)work;
    if (feedback)
        plain_sum(isa->plain, share_of(im), kept, kept, values, n, false);
    share_of(im)(send, &j, k, 1024);
    memcpy(payload + 4 * k, steps, sizeof(*steps));
    *nbytes = 4 * k + sizeof(*steps);
    ++*steps;
}

static void clear(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    memset(j->dst + from, 0, 4 * (to - from));
}

static void take(void *job, size_t from, size_t to)
{
    const struct job *j = job;
    uint32_t word[DRAWN_GROUP];

    for (size_t at = from; at < to; at += DRAWN_GROUP) {
        j->isa->draw(word, &j->key, at / DRAWN_GROUP);
        for (size_t i = 0; i < least(to - at, DRAWN_GROUP); i++) {
            float *dst = j->dst + randomk_place(j->runs, at + i, word[i]);

            *dst = j->add ? sum_lane(*dst, j->sent[at + i]) : j->sent[at + i];
        }
    }
}

static void randomk_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                               const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                               int *error)
{
    size_t k = sent_of(n, p);
    struct job j = { .isa = im->with,
                     .runs = randomk_runs_of(n, k),
                     .sent = (const float *)(const void *)payload,
                     .dst = values,
                     .add = into == CODEC_ADD };
    uint64_t step;

    (void)work;
    *error = codec_size_error(nbytes, 4 * k + sizeof(step));
    if (*error)
        return;
    memcpy(&step, payload + 4 * k, sizeof(step));
    j.key = drawn_key((uint64_t)p->value[SHARED_SEED], step);
    if (!j.add)
        share_of(im)(clear, &j, n, 1024);
    share_of(im)(take, &j, k, 1024);
}

static const struct codec_impl impls[] = CODEC_ROWS(randomk, randomk, usable_avx512, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    return 4 * sent_of(n, p) + sizeof(uint64_t);
}

static size_t state_size(size_t n, const struct codec_params *p)
{
    return randomk_counter(n, p->value[FEEDBACK] > 0) + sizeof(uint64_t);
}

const struct codec codec_randomk = {
    .name = "randomk",
    .id = CODEC_ID_RANDOMK,
    .what = "a share of the values at places drawn alike by all workers, with error feedback",
    .source = "arXiv 1809.07599, definition 2.1",
    .class = CODEC_REDUCIBLE,
    .param = { { "density", "", "share of the values that are sent", 1e-6, 1, 0.01, 0 },
               { "feedback", "", "1: what is not sent is kept; 0: it is lost, and what is sent is scaled up", 0, 1, 1,
                 1 },
               { "shared_seed", "", "of the places, the same for all workers", 0, 9007199254740991.0, 0, 1 } },
    .payload_bound = bound,
    .state_size = state_size,
    .work_size = codec_no_bytes,
    .impls = impls,
};
