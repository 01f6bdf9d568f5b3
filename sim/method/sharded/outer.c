#include "sim/method/sharded/outer.h"

#include <math.h>

#include "sim/cost.h"
#include "sim/method/method.h"

static double unit_ps(const struct sharded_plan *p, const struct unit *u)
{
    const struct codec_spec *codec = &p->m->codec_gradients;
    int64_t values = (u->values + p->shard - 1) / p->shard, bytes = 4 * values, coding = 0, copies = p->copies;
    bool adds = codec->format == WIRE_NONE || codec_spec_aggregation(codec) == AGGREGATE_REDUCE;

    if (codec->format != WIRE_NONE) {
        bytes = codec_spec_wire_bytes(codec, values, 0);
        coding = codec_spec_encode_ps(codec, values) + copies * codec_spec_decode_ps(codec, values);
    }
    int64_t sent = adds ? 2 * ((bytes + copies - 1) / copies) * (copies - 1) : bytes * (copies - 1);
    return (double)coding + (double)plan_collective_ps(p, WIRE_SHARD_COPY, (double)bytes, sent, adds ? 2 : 1) +
           (double)cost_gpu_stream_ps(p->job->platform, 24.0 * (double)values);
}

double outer_step_ps(const struct sharded_plan *p, double step_ps)
{
    const struct sharded *m = p->m;
    double most = 0, hidden = m->outer_overlap ? step_ps * (double)m->local_steps : 0;

    if (m->local_steps < 2 || p->copies < 2)
        return 0;
    for (size_t s = 0; s < p->step.nstages; s++) {
        const struct stage *stage = &p->step.stages[s];
        double ps = 0;
        for (size_t c = 0; c < stage->nchunks; c++)
            for (size_t i = 0; i < stage->chunks[c].nunits; i++) {
                const struct unit *u = &stage->chunks[c].units[i];
                ps += (double)((1 + stage->chunks[c].more) * (1 + u->more)) * unit_ps(p, u);
            }
        most = fmax(most, ps);
    }
    return fmax(0, most - hidden) / (double)m->local_steps;
}
