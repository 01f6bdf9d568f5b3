/* iwslt.c - IWSLT'14 German to English as a source of sentences (readers.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/file.h"
#include "harness/data/readers.h"
#include "harness/data/text/iwslt_text.h"
#include "harness/data/text/vocabulary.h"
#include "model/status.h"
#include "model/vec.h"

enum { LEAST_POSITIONS = 4, MOST_POSITIONS = 4096, LEAST_WORDS = 8, MOST_WORDS = 1 << 24 };

/* The tokens of all sentences, one behind the other; sentence i ends before token ends[i]. */
struct sentences {
    int32_t *tokens;
    size_t ntokens, tokens_capacity;
    size_t *ends;
    size_t n, ends_capacity;
};

struct iwslt {
    int64_t positions;
    int64_t count[DATA_SETS];
    struct sentences sides[DATA_SETS][SIDES];
};

/* While the folder is read: words are bytes of its training text. */
struct reading {
    const char *folder;
    struct iwslt *to;
    struct text train[SIDES];
    struct vocabulary words[SIDES];
    char *why;
    size_t nwhy;
};

static int no_memory(const struct reading *r)
{
    return data_no_memory(r->why, r->nwhy, r->folder, "its words");
}

static bool push(struct sentences *s, int32_t token)
{
    if (!VEC_RESERVE(s->tokens, s->tokens_capacity, s->ntokens))
        return false;
    s->tokens[s->ntokens++] = token;
    return true;
}

static bool end(struct sentences *s)
{
    if (!VEC_RESERVE(s->ends, s->ends_capacity, s->n))
        return false;
    s->ends[s->n++] = s->ntokens;
    return true;
}

static size_t start_of(const struct sentences *s, size_t i)
{
    return i ? s->ends[i - 1] : 0;
}

/* Add the numbers of a sentence's words, most + 1 of them at most: then it is too long. */
static int add_numbers(struct vocabulary *v, struct text_part part, int64_t most, struct sentences *s)
{
    struct word word;
    char *p = part.at;

    for (int64_t n = 0; n <= most && word_next(&p, part.at + part.n, &word); n++) {
        int32_t number = vocabulary_add(v, word);

        if (number < 0 || !push(s, number))
            return E_NOMEM;
    }
    return 0;
}

/* Keep a pair if both sentences have words and fit; only then its words count. */
static int add_pair(struct reading *r, size_t i)
{
    struct sentences *sides = r->to->sides[DATA_TRAIN];
    int64_t most = r->to->positions - 1;
    bool keep = true;

    for (int side = 0; side < SIDES; side++) {
        size_t start = start_of(&sides[side], sides[side].n);

        if (add_numbers(&r->words[side], r->train[side].parts[i], most, &sides[side]))
            return no_memory(r);
        keep = keep && sides[side].ntokens > start && (int64_t)(sides[side].ntokens - start) <= most;
    }
    for (int side = 0; side < SIDES; side++) {
        struct sentences *s = &sides[side];
        size_t start = start_of(s, s->n);

        if (!keep)
            s->ntokens = start;
        for (size_t at = start; at < s->ntokens; at++)
            r->words[side].words[s->tokens[at]].count++;
        if (keep && !end(s))
            return no_memory(r);
    }
    return 0;
}

/* Words were numbered as they came; now they get their tokens. */
static int rank(struct reading *r, int64_t vocabulary)
{
    for (int side = 0; side < SIDES; side++) {
        struct sentences *s = &r->to->sides[DATA_TRAIN][side];

        if (vocabulary_rank(&r->words[side], IWSLT_UNKNOWN + 1, vocabulary - IWSLT_UNKNOWN - 1, IWSLT_UNKNOWN))
            return no_memory(r);
        for (size_t at = 0; at < s->ntokens; at++)
            s->tokens[at] = r->words[side].words[s->tokens[at]].token;
    }
    return 0;
}

static int read_train(struct reading *r, int64_t vocabulary)
{
    int rc = iwslt_train_read(r->folder, r->train, r->why, r->nwhy);

    for (size_t i = 0; !rc && i < r->train[0].n; i++)
        rc = add_pair(r, i);
    r->to->count[DATA_TRAIN] = (int64_t)r->to->sides[DATA_TRAIN][0].n;
    if (!rc && !r->to->count[DATA_TRAIN])
        rc = data_fail(r->why, r->nwhy, "%s: expected training pairs of 1 to %lld words a sentence, got none",
                       r->folder, (long long)r->to->positions - 1);
    return rc ? rc : rank(r, vocabulary);
}

/* What does not fit is cut off. */
static int add_tokens(struct reading *r, int side, struct text_part part)
{
    const struct vocabulary *v = &r->words[side];
    struct sentences *s = &r->to->sides[DATA_TEST][side];
    struct word word;
    char *p = part.at;

    for (int64_t n = 1; n < r->to->positions && word_next(&p, part.at + part.n, &word); n++) {
        int32_t number = vocabulary_find(v, word);

        if (!push(s, number < 0 ? IWSLT_UNKNOWN : v->words[number].token))
            return no_memory(r);
    }
    return end(s) ? 0 : no_memory(r);
}

static int read_tests(struct reading *r)
{
    int rc = 0;

    for (int which = 0; !rc && which < IWSLT_TESTS; which++) {
        struct text pair[SIDES] = { 0 };
        bool there;

        rc = iwslt_test_read(r->folder, which, pair, &there, r->why, r->nwhy);
        for (int side = 0; !rc && side < SIDES; side++)
            for (size_t i = 0; !rc && i < pair[side].n; i++)
                rc = add_tokens(r, side, pair[side].parts[i]);
        iwslt_text_free(pair);
    }
    r->to->count[DATA_TEST] = (int64_t)r->to->sides[DATA_TEST][0].n;
    if (!rc && !r->to->count[DATA_TEST])
        rc = data_fail(r->why, r->nwhy, "%s: expected test sentences, as in IWSLT14.TED.tst2010.de-en.de.xml, got none",
                       r->folder);
    return rc;
}

/* Copy sentence i and end it; the positions behind become 'filler'. */
static void fill(const struct sentences *s, size_t i, int64_t positions, int32_t filler, int32_t *to)
{
    size_t start = start_of(s, i), n = s->ends[i] - start;

    memcpy(to, s->tokens + start, n * sizeof(*to));
    to[n] = TOKEN_END;
    for (int64_t p = (int64_t)n + 1; p < positions; p++)
        to[p] = filler;
}

static int iwslt_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                        int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct iwslt *w = s->own;
    size_t which = (size_t)spread(index, s->count[set], w->count[set]);
    int32_t *decoder = ids + w->positions;

    (void)augment, (void)values, (void)why, (void)nwhy;
    fill(&w->sides[set][SIDE_GERMAN], which, w->positions, TOKEN_PAD, ids);
    fill(&w->sides[set][SIDE_ENGLISH], which, w->positions, LABEL_NONE, labels);
    decoder[0] = TOKEN_BEGIN;
    for (int64_t p = 1; p < w->positions; p++)
        decoder[p] = labels[p - 1] == TOKEN_END || labels[p - 1] == LABEL_NONE ? TOKEN_PAD : labels[p - 1];
    return 0;
}

static void iwslt_close(struct data_source *s)
{
    struct iwslt *w = s->own;

    for (int set = 0; set < DATA_SETS; set++)
        for (int side = 0; side < SIDES; side++) {
            free(w->sides[set][side].tokens);
            free(w->sides[set][side].ends);
        }
    free(w);
    free(s);
}

static int read_folder(struct data_source *s, const struct data_options *o, char *why, size_t nwhy)
{
    struct iwslt *w = s->own;
    struct reading r = { .folder = o->path, .to = w, .why = why, .nwhy = nwhy };
    int rc = read_train(&r, o->vocabulary);

    rc = rc ? rc : read_tests(&r);
    for (int side = 0; side < SIDES; side++)
        vocabulary_free(&r.words[side]);
    iwslt_text_free(r.train);
    return rc ? rc : counts_choose(s, o, w->count, why, nwhy);
}

int iwslt_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    const struct data_range ranges[] = {
        { "positions", o->positions, LEAST_POSITIONS, MOST_POSITIONS },
        { "vocabulary", o->vocabulary, LEAST_WORDS, MOST_WORDS },
    };
    const struct data_source like = { .name = "iwslt",
                                      .shape = { 0, 0, 0, 2 * o->positions, o->positions, o->vocabulary },
                                      .sample = iwslt_sample,
                                      .close = iwslt_close };
    struct data_source *s;

    if (data_refused(ranges, sizeof(ranges) / sizeof(*ranges), why, nwhy))
        return E_DATA;
    s = source_new(&like, sizeof(struct iwslt), o->path, why, nwhy);
    if (!s)
        return E_NOMEM;
    ((struct iwslt *)s->own)->positions = o->positions;
    return source_opened(read_folder(s, o, why, nwhy), s, out);
}
