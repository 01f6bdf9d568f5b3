/* Which gradients go together, what an exchange waits for before it starts, and what the forward pass waits for: by
 * hand. The backward pass takes 2.5, 5, 10 and 2.5 ms of its layers, the last first: their gradients of 2, 4, 8 and
 * 4 MB are ready after 2.5, 7.5, 17.5 and 20 ms. A ring of four takes 1.5 ns for a byte and 0.12 ms for its
 * latencies. */
#include "tests/sim/method/allreduce_rig.h"

#include <math.h>

/* Updates take no time. */
static struct allreduce *fast(struct world *w)
{
    world_new(w);
    w->platform.gpu.memory_Bps = 1e30;
    w->method.allreduce.bucket_bytes = 1000000000;
    return &w->method.allreduce;
}

static double ring_ms(double megabytes)
{
    return 1.5 * megabytes + 0.12;
}

static void steps_take(struct world *w, const char *what, double want_ms)
{
    for (int level = 0; level < 3; level++) {
        w->method.allreduce.level = (enum collective_level)level;
        near(what, get(w, "step_ms"), want_ms, 1e-9);
    }
}

/* 8 ms: the first two are seen at the end of the first cycle, the others, ready in the third, at the end of that. */
static void cycles_collect_what_is_ready(void **state)
{
    struct world w;
    struct allreduce *a = fast(&w);

    (void)state;
    a->cycle_s = 8e-3;
    steps_take(&w, "8 ms", 10 + 24 + ring_ms(12));
    a->bucket_bytes = 8000000; /* and what does not fit begins another bucket: 4 MB after 8 MB */
    steps_take(&w, "8 MB", 10 + 24 + ring_ms(8) + ring_ms(4));
    a->cycle_s = 1;
    a->bucket_bytes = 1000000000;
    steps_take(&w, "1 s", 10 + 1000 + ring_ms(18));
    a->cycle_s = 2.5e-3; /* what is ready at the end of a cycle belongs to it, and does not wait */
    steps_take(&w, "2.5 ms", 10 + 17.5 + ring_ms(8) + ring_ms(4));
    model_free(&w.model);
}

/* Another start would take 'start', an exchange 'start' + bytes / rate. */
static void merging_pays_while_waiting_costs_less(void **state)
{
    static const struct {
        double start_s, rate_Bps;
        bool merged; /* the last two are; else none are */
    } rows[] = {
        { 1e-3, 666e6, 0 },   /* the last one comes 2.5 ms after the one before, whose exchange could have started */
        { 2.4e-3, 666e6, 0 }, /* still later than a start takes */
        { 2.6e-3, 666e6, 1 }, /* earlier */
        { 0, 400e6, 0 },      /* exchanges end at 7.5 and 17.5 ms: nothing waits */
        { 0, 200e6, 1 },      /* at 12.5 and 32.5 ms: the last one is ready before the one before has begun */
    };
    struct world w;
    struct allreduce *a = fast(&w);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        a->merge_start_s = rows[i].start_s;
        a->merge_Bps = rows[i].rate_Bps;
        steps_take(&w, rows[i].merged ? "merged" : "apart",
                   10 + (rows[i].merged ? 20 + ring_ms(12) : 17.5 + ring_ms(8) + ring_ms(4)));
    }
    a->merge_Bps = 1e12;
    a->merge_start_s = 0;
    a->merge_least_bytes = 4000001; /* 2 and 4 MB go together */
    steps_take(&w, "4 MB", 10 + 17.5 + ring_ms(8) + ring_ms(4));
    a->merge_least_bytes = 8000000;
    steps_take(&w, "8 MB", 10 + 17.5 + ring_ms(14) + ring_ms(4));
    a->merge_least_bytes = 14000001;
    steps_take(&w, "14 MB", 10 + 20 + ring_ms(18));
    a->merge_start_s = 1; /* everything goes together */
    steps_take(&w, "all", 10 + 20 + ring_ms(18));
    model_free(&w.model);
}

/* A start does not hold the links; but each waits for the one before. */
static void starts_take_turns(void **state)
{
    struct world w;
    struct allreduce *a = fast(&w);

    (void)state;
    a->bucket_bytes = 0;
    a->start_s = 1e-3;
    a->start_per_worker_s = 0.25e-3;
    steps_take(&w, "2 ms", 10 + 17.5 + 2 + ring_ms(8) + ring_ms(4));
    a->start_s = 10e-3;
    a->start_per_worker_s = 0;
    steps_take(&w, "10 ms", 10 + 2.5 + 3 * 10 + ring_ms(8) + ring_ms(4));
    a->start_alone = 1;
    steps_take(&w, "alone", 10 + 2.5 + 4 * 10 + ring_ms(2) + ring_ms(4) + ring_ms(8) + ring_ms(4));
    a->start_alone = 0;
    a->start_s = 30e-3;
    steps_take(&w, "30 ms", 10 + 2.5 + 4 * 30 + ring_ms(4));
    a->workers = 1; /* who has nobody to agree with */
    w.batch = 32;
    steps_take(&w, "alone", 30);
    model_free(&w.model);
}

/* At half the rate the first layer's gradient overtakes the second's, whose exchange ends last, so that the first layer
 * can compute before. A barrier lets it wait. */
static void a_barrier_waits_for_all(void **state)
{
    struct world w;
    struct allreduce *a = fast(&w);
    double end_ms = 2.5 + 4 * 0.12 + 2 * 1.5 * 18;

    (void)state;
    w.links[0].efficiency_wire = 0.4;
    a->bucket_bytes = 0;
    a->order = BUCKET_FORWARD;
    steps_take(&w, "layer", 10 - 10 / 4.5 + end_ms);
    a->barrier = ALLREDUCE_BARRIER_STEP;
    steps_take(&w, "step", 10 + end_ms);
    a->barrier_s = 5e-3;
    steps_take(&w, "5 ms", 10 + 5 + end_ms);
    near("update", get(&w, "update_ms"), 5, 1e-9);
    a->overlap = 0;
    steps_take(&w, "5 ms, serial", 10 + 5 + 20 + 4 * 0.12 + 2 * 1.5 * 18);
    a->local_steps = 2; /* of two steps one exchanges */
    steps_take(&w, "5 ms in every other step", (10 + 5 + 20 + 4 * 0.12 + 2 * 1.5 * 18 + 30) / 2);
    a->workers = 1;
    w.batch = 32;
    steps_take(&w, "alone", 30);
    model_free(&w.model);
}

/* GPUs of one machine, links of 12 GB/s: rings of 0.25, 0.5, 1 and 0.5 ms, the third of which meets 2.5 ms of
 * the backward pass: at a tenth of the rate a quarter of it is done by then. The last one comes after it. */
static void computing_slows_links(void **state)
{
    struct world w;
    struct allreduce *a = fast(&w);

    (void)state;
    a->workers_per_machine = 4;
    a->bucket_bytes = 0;
    w.platform.gpu.peer_link = "";
    w.platform.nlinks = 2;
    w.links[1].latency_s = 0;
    near("as fast as ever", get(&w, "step_ms"), 10 + 20 + 0.5, 1e-9);
    a->computing_share = 0.1;
    a->barrier = ALLREDUCE_BARRIER_STEP;
    near("slower", get(&w, "step_ms"), 10 + 20 + 0.75 + 0.5, 1e-9);
    a->bucket_bytes = 1000000000;
    near("after the backward pass", get(&w, "step_ms"), 10 + 20 + 2.25, 1e-9);
    model_free(&w.model);
}

static void updates_take_what_they_move(void **state)
{
    struct world w;

    (void)state;
    world_new(&w);
    double once_ms = get(&w, "update_ms");
    w.method.allreduce.update_bytes *= 4;
    near("four times the bytes", get(&w, "update_ms"), 4 * once_ms, 1e-6);
    model_free(&w.model);
}

/* Of 2, 4, 8 and 4 MB parts of 3 MB: a part that is ready later overtakes those of layers behind it. */
static void parts_are_overtaken(void **state)
{
    struct world w;
    struct allreduce *a = fast(&w);
    const double seven_ms = 2 * ring_ms(2) + 4 * ring_ms(3) + 2 * ring_ms(1);

    (void)state;
    a->bucket_bytes = 0;
    a->partition_bytes = 3000000;
    a->barrier = ALLREDUCE_BARRIER_STEP;
    steps_take(&w, "parts", 10 + 17.5 + seven_ms - ring_ms(2) - ring_ms(3) - ring_ms(1));
    near("nothing is lost", get(&w, "update_ms"), 0, 0);
    a->partition_bytes = 8000000;
    steps_take(&w, "large enough", 10 + 17.5 + ring_ms(8) + ring_ms(4));
    a->partition_bytes = 4000000; /* 4 MB of the second layer's 8 MB wait for those of the first one */
    a->order = BUCKET_FORWARD;
    a->barrier = ALLREDUCE_BARRIER_LAYER;
    steps_take(&w, "overtaken", 10 + 17.5 + 2 * ring_ms(4) + ring_ms(4) - 10 / 4.5);
    model_free(&w.model);
}

/* An attention on 8 values, 4 matrices of 64: each start takes 1 s, everything else some ms. */
static void matrices_of_an_attention_start_each(void **state)
{
    static const struct layer_spec layers[] = { { .kind = LAYER_ATTENTION, .heads = 4 } };
    struct world w;
    struct allreduce *a = fast(&w);
    char why[256];

    (void)state;
    struct model_spec spec = { .name = "m",
                               .channels = 64,
                               .height = 1,
                               .width = 8,
                               .layers = (struct layer_spec *)layers,
                               .nlayers = COUNT(layers) };
    model_free(&w.model);
    assert_int_equal(model_infer(&spec, &w.model, why, sizeof(why)), E_OK);
    a->bucket_bytes = 0;
    a->start_s = 1;
    near("together", get(&w, "step_ms"), 1000, 0.05);
    double sent_bytes = get(&w, "sent_bytes");
    a->attention_apart = 1;
    near("apart", get(&w, "step_ms"), 4000, 0.05);
    near("nothing is lost", get(&w, "sent_bytes"), sent_bytes, 1e-9);
    a->bucket_bytes = 4 * 64 * 2;
    near("two and two", get(&w, "step_ms"), 2000, 0.05);
    model_free(&w.model);
}

/* A norm has two tensors, and nothing else here has any but one: as many as there is space for. */
static void every_tensor_has_a_bucket(void **state)
{
    static const struct layer_spec layers[] = { { .kind = LAYER_FC, .units = 100 },
                                                { .kind = LAYER_BATCHNORM },
                                                { .kind = LAYER_RELU },
                                                { .kind = LAYER_BATCHNORM },
                                                { .kind = LAYER_BATCHNORM } };
    struct world w;
    struct allreduce *a = fast(&w);

    (void)state;
    world_model(&w, layers, COUNT(layers));
    a->bucket_bytes = 0;
    near("sent", get(&w, "sent_bytes"), 6 * (100000.0 + 6 * 100), 1e-12);
    a->partition_bytes = 4 * 99; /* 1011 parts of the matrix, two of each of the others */
    near("in parts", get(&w, "sent_bytes"), 6 * (100000.0 + 6 * 100), 1e-2);
    model_free(&w.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tensor_has_a_bucket),
        cmocka_unit_test(cycles_collect_what_is_ready),
        cmocka_unit_test(merging_pays_while_waiting_costs_less),
        cmocka_unit_test(starts_take_turns),
        cmocka_unit_test(computing_slows_links),
        cmocka_unit_test(updates_take_what_they_move),
        cmocka_unit_test(parts_are_overtaken),
        cmocka_unit_test(matrices_of_an_attention_start_each),
        cmocka_unit_test(a_barrier_waits_for_all),
    };
    return cmocka_run_group_tests_name("allreduce_fusion", tests, NULL, NULL);
}
