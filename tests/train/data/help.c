#include "tests/train/data/help.h"

#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

static const int32_t guard = 0x5ca1ab1e;

struct sample sample_room(const struct data_source *s)
{
    struct sample r = { .nvalues = s->shape.channels * s->shape.height * s->shape.width,
                        .nids = s->shape.ids,
                        .nlabels = s->shape.labels };

    r.values = calloc((size_t)r.nvalues + 1, sizeof(*r.values));
    r.ids = calloc((size_t)r.nids + 1, sizeof(*r.ids));
    r.labels = calloc((size_t)r.nlabels + 1, sizeof(*r.labels));
    assert_true(r.values && r.ids && r.labels);
    memcpy(r.values + r.nvalues, &guard, sizeof(guard));
    r.ids[r.nids] = r.labels[r.nlabels] = guard;
    return r;
}

void sample_free(struct sample *sample)
{
    free(sample->values);
    free(sample->ids);
    free(sample->labels);
}

void sample_read(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, struct sample *to)
{
    char why[400] = "";

    if (s->sample(s, set, index, augment, to->values, to->ids, to->labels, why, sizeof(why)))
        fail_msg("%s, sample %lld: %s", s->name, (long long)index, why);
    if (memcmp(to->values + to->nvalues, &guard, sizeof(guard)) || to->ids[to->nids] != guard ||
        to->labels[to->nlabels] != guard)
        fail_msg("%s, sample %lld: written past its end", s->name, (long long)index);
}

static uint64_t mix(uint64_t digest, const void *bytes, size_t n)
{
    for (const uint8_t *b = bytes, *end = b + n; b < end; b++)
        digest = (digest ^ *b) * UINT64_C(0x100000001b3);
    return digest;
}

uint64_t sample_digest(const struct sample *s)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);

    digest = mix(digest, s->values, (size_t)s->nvalues * sizeof(*s->values));
    digest = mix(digest, s->ids, (size_t)s->nids * sizeof(*s->ids));
    return mix(digest, s->labels, (size_t)s->nlabels * sizeof(*s->labels));
}
