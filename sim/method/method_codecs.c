#include "sim/method/method_codecs.h"

size_t method_codecs(struct method *m, struct codec_spec *out[], const char *keys[], size_t max)
{
    struct codec_spec *all[METHOD_CODECS_MAX];
    const char *names[METHOD_CODECS_MAX];
    size_t n = 0;

    switch (m->kind) {
    case METHOD_PARAMETER_SERVER:
        all[n] = &m->parameter_server.push, names[n++] = "push";
        all[n] = &m->parameter_server.pull, names[n++] = "pull";
        break;
    case METHOD_ALLREDUCE: all[n] = &m->allreduce.gradients, names[n++] = "gradients"; break;
    case METHOD_MODEL_PARALLEL:
        all[n] = &m->model_parallel.activations, names[n++] = "activations";
        all[n] = &m->model_parallel.push, names[n++] = "push";
        all[n] = &m->model_parallel.pull, names[n++] = "pull";
        break;
    case METHOD_SHARDED:
        all[n] = &m->sharded.codec_weights, names[n++] = "codecs.weights";
        all[n] = &m->sharded.codec_gradients, names[n++] = "codecs.gradients";
        all[n] = &m->sharded.codec_activations, names[n++] = "codecs.activations";
        all[n] = &m->sharded.codec_dispatch, names[n++] = "codecs.dispatch";
        break;
    case METHOD_HOST_SGD: /* its Bitpack is part of the platform's CPU */
    case METHOD_FLOWS:
    case METHOD_MEMORY_PLAN:
    case METHOD_COLLECTIVE:
    case METHOD_KINDS: break;
    }
    for (size_t i = 0; i < n && i < max; i++) {
        out[i] = all[i];
        if (keys)
            keys[i] = names[i];
    }
    return n;
}
