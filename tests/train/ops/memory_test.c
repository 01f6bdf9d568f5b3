/* A backend's memory, and the step that moves weights along: by hand, and to the bit what plain loops say at any number
 * of threads. */
#include <string.h>

#include "tests/train/ops/help.h"

static void there_and_back(struct bench *t)
{
    static const size_t sizes[] = { 0, 1, 64, 1000, 100003 };
    static char from[100003], to[100003 + 1];

    for (size_t i = 0; i < sizeof(from); i++)
        from[i] = (char)(i * 7 % 251);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char *p = t->b->alloc(t->o, sizes[i]);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        memset(to, 'x', sizeof(to));
        worked(t, t->b->upload(t->o, p, from, sizes[i], NULL), "upload");
        worked(t, t->b->download(t->o, to, p, sizes[i], NULL), "download");
        assert_memory_equal(to, from, sizes[i]);
        assert_true(to[sizes[i]] == 'x');
        worked(t, t->b->zero(t->o, p, sizes[i] / 2, NULL), "zero");
        worked(t, t->b->finish(t->o, NULL), "finish");
        worked(t, t->b->download(t->o, to, p, sizes[i], NULL), "download");
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(to[j], j < sizes[i] / 2 ? 0 : from[j]);
        t->b->release(t->o, p);
    }
    t->b->release(t->o, NULL);
}

static void no_memory(struct bench *t)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 63, PTRDIFF_MAX };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        assert_null(t->b->alloc(t->o, sizes[i]));
        assert_non_null(strstr(t->b->error(t->o), "no memory"));
    }
    t->b->release(t->o, t->b->alloc(t->o, 1)); /* a failure is no reason to fail again */
    worked(t, t->b->finish(t->o, NULL), "finish");
}

/* velocity 10 / 2 + 3 + 4 / 4, weight 4 - 9 / 8; and the same with neither velocity nor decay. */
static void step_by_hand(struct bench *t)
{
    struct tensor gradient = GIVEN(t, 3, -1), velocity = GIVEN(t, 10, 0), weights = GIVEN(t, 4, 8);

    worked(t, t->b->sgd_update(t->o, 2, 0.125f, 0.5f, 0.25f, gradient.v, velocity.v, weights.v, NULL), "step");
    EXPECT(t, "velocity", velocity, 0, 9, 1);
    EXPECT(t, "weights", weights, 0, 4 - 1.125f, 7.875f);
    worked(t, t->b->sgd_update(t->o, 2, 1, 0, 0, gradient.v, velocity.v, weights.v, NULL), "step");
    EXPECT(t, "velocity", velocity, 0, 3, -1);
    EXPECT(t, "weights", weights, 0, 4 - 1.125f - 3, 8.875f);
    worked(t, t->b->sgd_update(t->o, 0, 1, 0, 0, NULL, NULL, NULL, NULL), "step of nothing");
    tensor_done(&gradient);
    tensor_done(&velocity);
    tensor_done(&weights);
}

static void same_bits(struct bench *t)
{
    enum { N = 100003 };
    struct tensor gradient = tensor(t, N, 1), velocity[2], weights[2];

    for (int i = 0; i < 2; i++) {
        threads(1 + i);
        velocity[i] = tensor(t, N, 2);
        weights[i] = tensor(t, N, 3);
        worked(t, t->b->sgd_update(t->o, N, 0.1f, 0.9f, 5e-4f, gradient.v, velocity[i].v, weights[i].v, NULL), "step");
    }
    assert_int_equal(first_difference(&velocity[0], &velocity[1]), -1);
    assert_int_equal(first_difference(&weights[0], &weights[1]), -1);
    tensor_fill(&velocity[1], 2);
    tensor_fill(&weights[1], 3);
    for (size_t i = 0; i < N; i++) {
        float v = 0.9f * velocity[1].v[i] + gradient.v[i];

        velocity[1].v[i] = v + 5e-4f * weights[1].v[i];
        weights[1].v[i] -= 0.1f * velocity[1].v[i];
    }
    assert_int_equal(first_difference(&velocity[0], &velocity[1]), -1);
    assert_int_equal(first_difference(&weights[0], &weights[1]), -1);
    for (int i = 0; i < 2; i++) {
        tensor_done(&velocity[i]);
        tensor_done(&weights[i]);
    }
    tensor_done(&gradient);
}

EACH(there_and_back)
EACH(no_memory)
EACH(step_by_hand)
EACH(same_bits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_there_and_back),
        cmocka_unit_test(each_no_memory),
        cmocka_unit_test(each_step_by_hand),
        cmocka_unit_test(each_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
