/* payload.c - what each worker sends where payloads are gathered: gradients of some have more values that count. */
#include "sim/method/allreduce/plan.h"

double allreduce_density_ratio(const struct allreduce *a, int64_t worker)
{
    if (a->workers < 2)
        return 1;
    return 1 + a->unevenness * (2 * (double)worker / (double)(a->workers - 1) - 1);
}

int64_t ar_payload_bytes(const struct ar_plan *p, const struct bucket *b, int64_t worker)
{
    int64_t sum = 0;

    if (!(p->method->unevenness > 0))
        return b->gather_bytes;
    for (size_t i = b->first; i < b->end; i++) {
        const struct gradient *t = &p->tensors[i];
        struct codec_spec c = codec_spec_of_layer(&p->method->gradients, p->job->model->layers[t->layer].name);
        c.density *= allreduce_density_ratio(p->method, worker);
        if (codec_spec_codes(&c, t->values))
            sum += codec_spec_wire_bytes(&c, t->values, 0);
    }
    return sum;
}
