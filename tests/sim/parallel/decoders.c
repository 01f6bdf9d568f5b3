#include "tests/sim/parallel/decoders.h"

#include "model/status.h"
#include "tests/test.h"

#define LLAMA(width, n, attention_heads, kv, units, positions, words)                                                  \
    .style = GPT_LLAMA, .hidden = width, .layers = n, .heads = attention_heads, .kv_heads = kv, .feed_forward = units, \
    .sequence = positions, .vocabulary = words
#define EXPERTS(n, some, units, shared, dense) \
    .experts = n, .active = some, .expert_feed_forward = units, .shared_feed_forward = shared, .dense_layers = dense
#define LATENT .query_latent = 1536, .kv_latent = 512, .head_dim = 128, .rotary_dim = 64, .value_dim = 128

/* As transformers counts them; DeepSeek-V3's published weights have 14,848 more, which balance its experts. */
const struct published published[PUBLISHED] = {
    { "Llama 3 8B", 8030261248, { LLAMA(4096, 32, 32, 8, 14336, 8192, 128256) } },
    { "Llama 3 70B", 70553706496, { LLAMA(8192, 80, 64, 8, 28672, 8192, 128256) } },
    { "Llama 3 405B", 405853388800, { LLAMA(16384, 126, 128, 8, 53248, 8192, 128256) } },
    { "Mixtral 8x7B", 46702792704, { LLAMA(4096, 32, 32, 8, 14336, 4096, 32000), EXPERTS(8, 2, 14336, 0, 0) } },
    { "DeepSeek-V2",
      235741434880,
      { LLAMA(5120, 60, 128, 128, 12288, 5120, 102400), EXPERTS(160, 6, 1536, 3072, 1), LATENT } },
    { "DeepSeek-V3",
      671026404352,
      { LLAMA(7168, 61, 128, 128, 18432, 4096, 129280), EXPERTS(256, 8, 2048, 2048, 3), LATENT } },
};

struct decoder decoder_of(const struct gpt_spec *g)
{
    return (struct decoder){ .gpt = g,
                             .samples = 1,
                             .tensor = 1,
                             .context = 1,
                             .attention = ATTENTION_FLASH,
                             .fused_loss = true,
                             .precision = COMPUTE_BF16,
                             .expert = 1,
                             .imbalance = 1 };
}

void passes_of(struct decoder *d, struct gpu_works *forward, struct gpu_works *backward)
{
    const struct gpt_spec *g = d->gpt;

    for (int64_t i = 0; i < g->layers; i++) {
        d->has_experts = g->experts && i >= g->dense_layers;
        assert_int_equal(decoder_layer(d, forward, backward), E_OK);
    }
    assert_int_equal(decoder_head(d, forward, backward), E_OK);
}
