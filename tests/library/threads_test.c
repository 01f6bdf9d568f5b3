/* Several threads encode and decode at once, each in buffers of its own, with one coder that they share: the bits are
 * those of one thread. Under ThreadSanitizer, too. */
#include <pthread.h>

#include "tests/library/buffers.h"

enum { THREADS = 4, STEPS = 3, N = 2000 };

struct share {
    const narrows_coder *coder;
    const char *text;
    struct buffers b;
    int rc;
};

static void *work(void *share)
{
    struct share *s = share;

    for (int step = 0; step < STEPS && !s->rc; step++) {
        buffers_draw(&s->b, (uint64_t)step);
        s->rc = narrows_encode(s->coder, s->b.payload, &s->b.nbytes, s->b.values, N, s->b.state, s->b.work);
        if (!s->rc)
            s->rc = narrows_decode_add(s->coder, s->b.decoded, N, s->b.payload, s->b.nbytes, s->b.work);
    }
    return NULL;
}

static void check(const char *text, unsigned flags)
{
    struct share shares[THREADS + 1] = { { .rc = 0 } };
    pthread_t threads[THREADS];
    struct buffers *want = &shares[THREADS].b;

    for (int i = 0; i <= THREADS; i++) {
        buffers_make(&shares[i].b, text, i < THREADS ? flags : NARROWS_SERIAL, N);
        shares[i].coder = i < THREADS ? &shares[0].b.coder : &want->coder;
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shares[i]), 0);
    work(&shares[THREADS]);
    for (int i = 0; i < THREADS; i++) {
        struct buffers *b = &shares[i].b;

        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(shares[i].rc, NARROWS_OK);
        assert_int_equal(b->nbytes, want->nbytes);
        assert_memory_equal(b->payload, want->payload, want->nbytes);
        assert_memory_equal(b->decoded, want->decoded, 4 * N);
        buffers_free(b);
    }
    buffers_free(want);
}

static void threads_share_a_coder(void **state)
{
    (void)state;
    for (size_t i = 0; narrows_codec_at(i); i++) {
        check(narrows_codec_name(narrows_codec_at(i)), 0);
        check(narrows_codec_name(narrows_codec_at(i)), NARROWS_SERIAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(threads_share_a_coder) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
