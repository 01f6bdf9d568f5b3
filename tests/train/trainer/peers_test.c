/* peers_test.c - a training that is spread over several trainers leaves the bits of a single one: on any number of
 * peers, a server without workers among them, and when what some peers leave is resumed by others. Peers are threads
 * here, which copy each other's messages. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/trainer/help.h"

enum { MOST = 5, BROKEN_STEP = 2 };

/* What the peers have in common. */
struct hall {
    pthread_barrier_t all;
    int peers;
    const struct trainer_message *from[MOST];
    size_t moved; /* bytes */
    int garble;   /* the peer whose message of step BROKEN_STEP arrives cut short; 0: none */
    int gathered;
    bool over; /* the server has failed, and does what ends the others */
};

/* All that the server's trainer leaves: its sections, one after the other, and what its steps reported. */
struct remains {
    char *bytes;
    size_t n;
    struct step_report reports[STEPS];
    double thresholds[STEPS], zeros[STEPS], test_loss;
};

struct peer {
    struct hall *hall;
    struct trainer_peers peers;
    struct trainer_options options;
    const struct model *model;
    const struct remains *resumed; /* NULL: from the beginning */
    int from, to;
    struct remains left; /* of peer 0 */
    int rc, parts[TRAINER_PARTS + 1];
    char why[256];
};

static int carry(struct trainer_message *to, const struct trainer_message *from)
{
    if (from->n > to->capacity)
        return -1;
    memcpy(to->bytes + TRAINER_HEAD, from->bytes + TRAINER_HEAD, from->n);
    to->n = from->n;
    return 0;
}

static int gather(void *context, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                  size_t nwhy)
{
    struct peer *p = context;
    struct hall *r = p->hall;
    int rc = 0;

    r->from[p->peers.peer] = mine;
    pthread_barrier_wait(&r->all);
    for (int i = 1; i < r->peers && p->peers.peer == 0; i++) {
        rc |= carry(&theirs[i], r->from[i]);
        r->moved += theirs[i].n;
        if (i == r->garble && r->gathered == BROKEN_STEP)
            theirs[i].n -= 5;
    }
    r->gathered += p->peers.peer == 0;
    pthread_barrier_wait(&r->all);
    snprintf(why, nwhy, "a message is longer than the space for it");
    return rc;
}

static int share(void *context, struct trainer_message *message, char *why, size_t nwhy)
{
    struct peer *p = context;
    int rc = 0;

    p->hall->from[p->peers.peer] = message;
    pthread_barrier_wait(&p->hall->all);
    if (p->peers.peer)
        rc = p->hall->over ? -1 : carry(message, p->hall->from[0]);
    pthread_barrier_wait(&p->hall->all);
    snprintf(why, nwhy, "a message is longer than the space for it");
    return rc;
}

static void begins(void *context, enum trainer_part part)
{
    struct peer *p = context;

    p->parts[part]++;
}

static int keep(struct trainer *t, struct remains *r)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    struct evaluation e;
    size_t n;
    int rc = trainer_sections(t, sections, &n);

    for (size_t i = 0; i < n && !rc; i++) {
        r->bytes = realloc(r->bytes, r->n + sections[i].nbytes);
        memcpy(r->bytes + r->n, sections[i].bytes, sections[i].nbytes);
        r->n += sections[i].nbytes;
    }
    rc = rc ? rc : trainer_evaluate(t, 0, &e);
    r->test_loss = e.loss;
    return rc;
}

static int restore(struct trainer *t, const struct remains *r)
{
    struct trainer_section sections[TRAINER_SECTIONS];
    size_t n, at = 0;
    int rc = trainer_sections(t, sections, &n);

    for (size_t i = 0; i < n && !rc; i++) {
        memcpy(sections[i].bytes, r->bytes + at, sections[i].nbytes);
        at += sections[i].nbytes;
    }
    return rc || at != r->n ? -1 : trainer_restored(t);
}

static void note(struct peer *p, const struct trainer *t, int i, const struct step_report *r)
{
    const struct exchange *x = trainer_exchange(t);

    p->left.reports[i] = *r;
    for (size_t k = 0; k < trainer_map(t)->ntensors; k++) {
        double threshold = x->traffic[k].threshold;

        if (exchange_compresses(x, EXCHANGE_PUSH, k))
            p->left.thresholds[i] += isfinite(threshold) ? threshold : -1000;
        p->left.zeros[i] += (double)(x->traffic[k].zeros[0] + x->traffic[k].zeros[1]);
    }
    for (size_t k = 0; r->thresholds && k < p->options.mask.nlayers * p->options.mask.nwatched; k++)
        p->left.thresholds[i] += r->thresholds[k];
}

static void *train(void *argument)
{
    struct peer *p = argument;
    struct data_source data = fixture_source(p->model);
    struct trainer *t = NULL;
    struct step_report r;
    bool serves = p->peers.peer == 0;

    p->rc = trainer_open(&p->options, p->model, &data, &t, p->why, sizeof(p->why));
    if (!p->rc && p->resumed && serves)
        p->rc = restore(t, p->resumed);
    p->rc = p->rc ? p->rc : trainer_share(t);
    for (int i = p->from; i < p->to && !p->rc; i++) {
        trainer_count_zeros(t, i % 2);
        trainer_watch(t, i % 2);
        p->rc = trainer_step(t, &r);
        if (!p->rc && serves)
            note(p, t, i, &r);
        if (p->rc && !p->hall->garble) {
            fprintf(stderr, "peer %d of %d, step %d: %s\n", p->peers.peer, p->peers.peers, i, trainer_why(t));
            exit(1); /* the others would wait for it */
        }
    }
    if (p->rc && serves && p->hall->garble) {
        p->hall->over = true;
        share(p, NULL, (char[8]){ 0 }, 8);
    }
    p->rc = p->rc ? p->rc : trainer_collect(t);
    if (!p->rc && serves)
        p->rc = keep(t, &p->left);
    if (p->rc && t && !*p->why)
        snprintf(p->why, sizeof(p->why), "%s", trainer_why(t));
    trainer_close(t);
    return NULL;
}

/* peers 0: a trainer alone. Returns what the server leaves; the peers' own ends stay in all[]. */
static struct remains spread(const struct trainer_options *o, const struct model *m, int peers, int threads,
                             const struct remains *resumed, int from, int to, struct peer all[MOST], struct hall *hall)
{
    pthread_t ids[MOST];
    int n = peers ? peers : 1;

    pthread_barrier_init(&hall->all, NULL, (unsigned)n);
    hall->peers = n;
    for (int i = 0; i < n; i++) {
        all[i] = (struct peer){ .hall = hall, .options = *o, .model = m, .resumed = resumed, .from = from, .to = to };
        all[i].peers = (struct trainer_peers){ i, n, &all[i], gather, share, begins };
        all[i].options.peers = peers ? &all[i].peers : NULL;
        all[i].options.threads = threads;
        assert_int_equal(pthread_create(&ids[i], NULL, train, &all[i]), 0);
    }
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    pthread_barrier_destroy(&hall->all);
    return all[0].left;
}

static struct remains spread_well(const struct trainer_options *o, const struct model *m, int peers, int threads,
                                  const struct remains *resumed, int from, int to)
{
    struct peer all[MOST] = { 0 };
    struct hall hall = { .peers = peers };
    struct remains left = spread(o, m, peers, threads, resumed, from, to, all, &hall);

    for (int i = 0; i < (peers ? peers : 1); i++)
        if (all[i].rc)
            fail_msg("peer %d of %d: %d, %s", i, peers, all[i].rc, all[i].why);
    if (peers > 1) {
        assert_true(hall.moved > 0);
        assert_int_equal(all[1].parts[TRAINER_PARTS], to - from);
        assert_int_equal(all[1].parts[TRAINER_DECODE], to - from);
        assert_int_equal(all[0].parts[TRAINER_PULL], to - from);
    }
    return left;
}

static void same(const char *what, int peers, const struct remains *a, struct remains *b, int from)
{
    for (int i = from; i < STEPS; i++) {
        const struct step_report *x = &a->reports[i], *y = &b->reports[i];

        if (x->loss != y->loss || x->push_bytes != y->push_bytes || x->pull_bytes != y->pull_bytes ||
            x->mask_bytes[0] != y->mask_bytes[0] || a->thresholds[i] != b->thresholds[i] ||
            a->zeros[i] != b->zeros[i] || multiply_adds_all(&x->multiply_adds) != multiply_adds_all(&y->multiply_adds))
            fail_msg("%s on %d: step %d reports another loss (%.17g, %.17g), other bytes, thresholds or zeros", what,
                     peers, i, x->loss, y->loss);
    }
    if (a->n != b->n || memcmp(a->bytes, b->bytes, a->n) != 0)
        fail_msg("%s on %d: not the same bits", what, peers);
    if (a->test_loss != b->test_loss)
        fail_msg("%s on %d: the test loss is %.17g, was %.17g", what, peers, b->test_loss, a->test_loss);
    free(b->bytes);
    b->bytes = NULL;
}

static void check(const char *what, const char *network, const struct trainer_options *o)
{
    enum { HALF = STEPS / 2 };
    static const int before[] = { 3, 0, 2 }, after[] = { 2, 3, 0 };
    struct model m = model_of(network);
    struct remains alone = spread_well(o, &m, 0, 1, NULL, 0, STEPS);

    for (int peers = 1; peers <= (int)o->workers + 1; peers++) {
        struct remains left = spread_well(o, &m, peers, 1 + peers % 2, NULL, 0, STEPS);

        same(what, peers, &alone, &left, 0);
    }
    for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
        int most = (int)o->workers + 1, other = after[i] < most ? after[i] : most;
        struct remains half = spread_well(o, &m, before[i] < most ? before[i] : most, 1, NULL, 0, HALF);
        struct remains left = spread_well(o, &m, other, 2, &half, HALF, STEPS);

        same(what, other, &alone, &left, HALF);
        free(half.bytes);
    }
    free(alone.bytes);
    model_free(&m);
}

static void exchanges(void **state)
{
    static const struct {
        const char *name;
        double first, second; /* parameters */
    } cases[] = { { "3lc", 1.75, 0 }, { "stoch3", 0, 0 }, { "1bit", 0, 0 },      { "sparsify", 0.25, 0 },
                  { "local", 2, 0 },  { "adt", 3, 0 },    { "blockwise", 4, 64 } };
    struct trainer_options o = options(3);

    (void)state;
    check("fp32", "cnn", &o);
    o.exchange.smallest = 100;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        o.exchange.push = o.exchange.pull = edge(cases[i].name, cases[i].first, cases[i].second);
        check(cases[i].name, "cnn", &o);
    }
    o.exchange.pull = (struct exchange_edge){ 0 };
    check("pushes alone", "cnn", &o);
}

/* Tables that several workers look up, thresholds, masks. */
static void recommenders(void **state)
{
    struct trainer_options o = options(2);
    const double watched[] = { 0.25, 0.75 };
    int32_t masked[] = { 1 };

    (void)state;
    check("dlrm", "dlrm", &o);
    o.exchange.push = edge("dct", 0.9, 3);
    check("dct", "dlrm", &o);
    o.mask = (struct mask_options){ masked, 1, 0.75, 1, watched, 2 };
    check("dct and mask", "dlrm", &o);
}

static void policies(void **state)
{
    struct trainer_options o = options(2);

    (void)state;
    o.precision = TRAINER_DYNAMIC;
    o.dynamic = (struct dynamic_precision_config){ .batches_mp = 1, .batches_bf16 = 2, .threshold = -1 };
    check("dynamic precision", "cnn", &o);
    o.precision = TRAINER_FP32;
    o.exchange.pull = edge("adt", 2, 0);
    o.exchange.pull_weights = 1;
    o.awp = (struct awp_config){ .threshold = 1, .interval = 2, .step_bits = 8, .start_bits = 8, .max_bits = 32 };
    check("awp", "cnn", &o);
    o.awp_of_sent = 1;
    check("awp of what is sent", "cnn", &o);
    o.awp = (struct awp_config){ 0 };
    o.bytes_per_weight = 3;
    check("three bytes", "cnn", &o);
}

static void networks(void **state)
{
    struct trainer_options o = options(2);

    (void)state;
    o.split = (struct split_spec){ .depth = 0.5, .rows = 2, .columns = 2, .wiggle = 0.2 };
    check("stochastic split", "cnn", &o);
    o.split = (struct split_spec){ 0 };
    o.batch = 2;
    check("dropout", "transformer-small", &o);
    o = options(1);
    check("one worker", "cnn", &o);
}

/* A peer too many has nothing to do, and is refused by everyone. */
static void too_many(void **state)
{
    struct model m = model_of("cnn");
    struct trainer_options o = options(2);
    struct peer all[MOST] = { 0 };
    struct hall hall = { .peers = 4 };

    (void)state;
    spread(&o, &m, 4, 1, NULL, 0, 1, all, &hall);
    for (int i = 0; i < 4; i++) {
        assert_true(all[i].rc != 0);
        if (!strstr(all[i].why, "workers: 2 of them are spread over at most 3 processes"))
            fail_msg("peer %d: %s", i, all[i].why);
    }
    model_free(&m);
}

/* A message that is cut short is found out, not read past its end. */
static void cut_short(void **state)
{
    struct model m = model_of("cnn");
    struct trainer_options o = options(2);
    struct peer all[MOST] = { 0 };
    struct hall hall = { .garble = 1 };

    (void)state;
    spread(&o, &m, 2, 1, NULL, 0, STEPS, all, &hall);
    assert_true(all[0].rc != 0 && all[1].rc != 0);
    assert_int_equal(hall.gathered, BROKEN_STEP + 1);
    assert_non_null(strstr(all[0].why, "is not what this step expects"));
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(exchanges), cmocka_unit_test(recommenders),
                                        cmocka_unit_test(policies),  cmocka_unit_test(networks),
                                        cmocka_unit_test(too_many),  cmocka_unit_test(cut_short) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
