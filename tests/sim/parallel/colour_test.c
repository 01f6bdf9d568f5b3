/* colour_test.c - what sets ranks and channels apart, one thing at a time, on a few flows made by hand. */
#include <string.h>

#include "sim/parallel/colour.h"
#include "tests/test.h"

enum { RANKS = 6, CHANNELS = 4, FLOWS = 4 };

/* Flow i leads from rank i to rank i + 2 over its own channel, for i below 'flows'; of all of them the same. */
struct small {
    struct wire_flow flow[FLOWS];
    struct way way[FLOWS];
    uint32_t hops[2 * FLOWS];
    struct wire_group group[2];
    int64_t members[RANKS];
    struct wiring w;
    struct colours c;
    uint64_t rank[RANKS], next_rank[RANKS], channel[RANKS], next_channel[RANKS], sorted[RANKS], of_flow[FLOWS];
};

static void make(struct small *s, size_t flows, size_t groups)
{
    memset(s, 0, sizeof(*s));
    for (size_t i = 0; i < FLOWS; i++) {
        s->flow[i] = (struct wire_flow){ (int64_t)i, (int64_t)i + 2, WIRE_TENSOR, 1, 2 };
        s->way[i] = (struct way){ 2 * i, 1, 1000 };
        s->hops[2 * i] = (uint32_t)i;
        s->hops[2 * i + 1] = (uint32_t)i;
    }
    for (int64_t i = 0; i < RANKS; i++)
        s->members[i] = i;
    s->w = (struct wiring){
        .groups = s->group, .ngroups = groups, .members = s->members, .flows = s->flow, .nflows = flows
    };
    s->c = (struct colours){ .wiring = &s->w,
                             .ways = s->way,
                             .hops = s->hops,
                             .nranks = RANKS,
                             .nchannels = CHANNELS,
                             .rank = s->rank,
                             .channel = s->channel,
                             .flow = s->of_flow,
                             .next_rank = s->next_rank,
                             .next_channel = s->next_channel,
                             .sorted = s->sorted };
}

static void check(const uint64_t colours[], const char *classes)
{
    for (size_t i = 0; classes[i]; i++)
        for (size_t k = 0; k < i; k++)
            if ((colours[i] == colours[k]) != (classes[i] == classes[k]))
                fail_msg("numbers %zu and %zu: expected %s", k, i, classes);
}

/* 'ranks' and 'channels': a letter for each, the same for those that stay alike. */
static void refine(struct small *s, const char *ranks, const char *channels)
{
    colours_refine(&s->c);
    check(s->rank, ranks);
    check(s->channel, channels);
}

static void what_begins_alike_and_does_nothing_stays_alike(void **state)
{
    struct small s;

    (void)state;
    make(&s, 0, 0);
    refine(&s, "aaaaaa", "aaaa");
    make(&s, 0, 0);
    s.rank[3] = s.rank[4] = 7;
    s.channel[1] = 5;
    refine(&s, "aaabba", "abaa");
}

static void senders_receivers_and_what_they_cross_are_set_apart(void **state)
{
    struct small s;

    (void)state;
    make(&s, 2, 0);
    refine(&s, "aabbcc", "aabb");
    make(&s, 4, 0); /* the receivers of the first two send to the last two */
    refine(&s, "aabbcc", "aabb");
    make(&s, 2, 0);
    s.flow[1].from = RANK_HOST; /* 2 and 3 differ in whom they hear from */
    refine(&s, "abcdbb", "abcc");
    make(&s, 2, 0);
    s.flow[1].to = RANK_HOST;
    refine(&s, "abcddd", "abcc");
}

static void flows_that_differ_in_one_thing_set_their_ends_apart(void **state)
{
    struct small s;

    (void)state;
    for (int thing = 0; thing < 6; thing++) {
        make(&s, 2, 0);
        switch (thing) {
        case 0: s.flow[1].wire = WIRE_SHARD; break;
        case 1: s.flow[1].parts = 2; break;
        case 2: s.flow[1].of = 3; break;
        case 3: s.way[1].latency_ps = 1001; break;
        case 4: s.channel[1] = 5; break;
        default: s.rank[3] = 7; break;
        }
        refine(&s, "abcdee", "abcc");
    }
}

/* Two flows cross channels 0 and 2, 1 and 3: in the same order, and in the opposite one. */
static void channels_have_places_on_ways(void **state)
{
    struct small s;

    (void)state;
    for (int opposite = 0; opposite < 2; opposite++) {
        make(&s, 2, 0);
        s.way[0].n = s.way[1].n = 2;
        s.hops[0] = opposite ? 2 : 0;
        s.hops[1] = opposite ? 0 : 2;
        s.hops[2] = 1;
        s.hops[3] = 3;
        refine(&s, "aabbcc", opposite ? "abba" : "aabb");
    }
}

/* Ranks that all do the same, in a group of four and one of two. */
static void groups_of_other_members_are_set_apart(void **state)
{
    struct small s;

    (void)state;
    make(&s, 0, 2);
    s.group[0] = (struct wire_group){ WIRE_WITHIN, 0, 4, 1 };
    s.group[1] = (struct wire_group){ WIRE_WITHIN, 4, 2, 1 };
    refine(&s, "aaaabb", "aaaa");
    make(&s, 0, 2);
    s.group[0] = (struct wire_group){ WIRE_WITHIN, 0, 3, 1 };
    s.group[1] = (struct wire_group){ WIRE_WITHIN, 3, 3, 1 };
    refine(&s, "aaaaaa", "aaaa");
    make(&s, 0, 2);
    s.group[0] = (struct wire_group){ WIRE_WITHIN, 0, 3, 1 };
    s.group[1] = (struct wire_group){ WIRE_WITHIN, 3, 3, 1 };
    s.rank[5] = 7;
    refine(&s, "aaabbc", "aaaa");
    make(&s, 0, 2);
    s.group[0] = (struct wire_group){ WIRE_WITHIN, 0, 3, 1 };
    s.group[1] = (struct wire_group){ WIRE_ACROSS_SPREAD, 3, 3, 1 };
    refine(&s, "aaabbb", "aaaa");
    make(&s, 0, 1);
    s.group[0] = (struct wire_group){ WIRE_FORWARD, 0, 4, 1 }; /* stages wait for each other by flows alone */
    refine(&s, "aaaaaa", "aaaa");
}

/* A chain: how far it is to either end shows at one rank after the other. */
static void differences_spread_along_chains(void **state)
{
    struct small s;

    (void)state;
    make(&s, 4, 0);
    for (int64_t i = 0; i < FLOWS; i++)
        s.flow[i].to = i + 1;
    refine(&s, "abcdef", "abcd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_begins_alike_and_does_nothing_stays_alike),
        cmocka_unit_test(senders_receivers_and_what_they_cross_are_set_apart),
        cmocka_unit_test(flows_that_differ_in_one_thing_set_their_ends_apart),
        cmocka_unit_test(channels_have_places_on_ways),
        cmocka_unit_test(groups_of_other_members_are_set_apart),
        cmocka_unit_test(differences_spread_along_chains),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
