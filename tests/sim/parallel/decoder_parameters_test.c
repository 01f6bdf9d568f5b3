/* What a rank has of a decoder's parameters: of all ranks together as many as are published, but for those that every
 * rank of a tensor group has. */

#include "model/gpt_counts.h"
#include "tests/sim/parallel/decoders.h"
#include "tests/test.h"

static bool sparse(const struct gpt_spec *g, int64_t layer)
{
    return g->experts && layer >= g->dense_layers;
}

/* Values of one rank, experts apart. */
static int64_t rank_values(struct decoder *d, int64_t *experts)
{
    int64_t values = decoder_words_values(d) + decoder_head_values(d);

    *experts = 0;
    for (int64_t i = 0; i < d->gpt->layers; i++) {
        d->has_experts = sparse(d->gpt, i);
        values += decoder_layer_values(d);
        *experts += decoder_expert_values(d);
    }
    return values;
}

/* Values that each rank of a tensor group has: norms, routers, and what makes latent values. */
static int64_t repeated(const struct gpt_spec *g)
{
    int64_t latent = g->query_latent + g->kv_latent;
    int64_t layer = 2 * g->hidden + g->hidden * (latent + g->rotary_dim) + latent;

    return g->layers * layer + g->hidden + gpt_expert_layers(g) * g->hidden * g->experts;
}

static void one_rank_has_the_published_parameters(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++) {
        struct decoder d = decoder_of(&published[i].g);
        int64_t experts, values = rank_values(&d, &experts);
        if (values + experts != published[i].parameters)
            fail_msg("%s: %lld", published[i].name, (long long)(values + experts));
        assert_int_equal(experts > 0, i >= PUBLISHED_DENSE);
    }
}

static void divided_ones_come_to_the_whole(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++)
        for (int64_t tensor = 1; tensor <= 8; tensor *= 2)
            for (int64_t expert = 1; expert <= 8; expert *= 2) {
                const struct gpt_spec *g = &published[i].g;
                struct decoder d = decoder_of(g);
                int64_t experts, values;
                d.tensor = tensor;
                d.expert = expert;
                values = rank_values(&d, &experts);
                /* The table of words is filled up: by nothing in these vocabularies while 128 x tensor divides them. */
                int64_t filled = 2 * g->hidden * (tensor * decoder_vocabulary(&d) - g->vocabulary);
                int64_t all = tensor * values + tensor * expert * experts - (tensor - 1) * repeated(g) - filled;
                if (all != published[i].parameters)
                    fail_msg("%s, tensor %lld, expert %lld: %lld", published[i].name, (long long)tensor,
                             (long long)expert, (long long)all);
                assert_in_range(filled, 0, 2 * g->hidden * 128 * tensor);
            }
}

/* One of each shape: of the dense layer all matrices; of a layer with experts one expert, and the shared one only where
 * it has a shape of its own. */
static void shapes_are_counted_once(void **state)
{
    (void)state;
    for (int i = 0; i < PUBLISHED; i++) {
        const struct gpt_spec *g = &published[i].g;
        struct decoder d = decoder_of(g);
        bool alike = g->shared_feed_forward == g->expert_feed_forward;
        assert_true(decoder_layer_shapes(&d) == (double)(gpt_attention_values(g) + gpt_dense_values(g)));
        assert_true(decoder_expert_shapes(&d) == 0);
        d.has_experts = true;
        if (!g->experts)
            continue;
        assert_true(decoder_layer_shapes(&d) == (double)gpt_attention_values(g));
        assert_true(decoder_expert_shapes(&d) == (double)(gpt_expert_values(g) + (alike ? 0 : gpt_shared_values(g))));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_has_the_published_parameters),
        cmocka_unit_test(divided_ones_come_to_the_whole),
        cmocka_unit_test(shapes_are_counted_once),
    };
    return cmocka_run_group_tests_name("decoder_parameters", tests, NULL, NULL);
}
