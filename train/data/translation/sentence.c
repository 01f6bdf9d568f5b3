/* sentence.c - random sentences of the source language, by its grammar. */
#include "train/data/translation/language.h"

#include <stdbool.h>

/* A sentence being drawn. */
struct speaker {
    const struct language *language;
    struct draw *draw;
    int32_t *words;
    int64_t n;
    int64_t spare; /* words that may still be added to those that must come */
};

static void say(struct speaker *s, enum word_kind kind)
{
    s->words[s->n++] = word_draw(s->language, kind, s->draw);
}

/* Whether to add a part of so many words: if they are spare, in 'quarters' of four cases. */
static bool add(struct speaker *s, int64_t words, uint32_t quarters)
{
    if (s->spare < words || draw_below(s->draw, 4) >= quarters)
        return 0;
    s->spare -= words;
    return 1;
}

/* Its noun is none of the spare words. */
static void say_noun_phrase(struct speaker *s)
{
    if (add(s, 1, 3))
        say(s, WORD_DETERMINER);
    for (int i = 0; i < 2 && add(s, 1, 2); i++)
        say(s, WORD_ADJECTIVE);
    say(s, WORD_NOUN);
}

static void say_prepositional(struct speaker *s, uint32_t quarters)
{
    if (!add(s, 2, quarters))
        return;
    say(s, WORD_PREPOSITION);
    say_noun_phrase(s);
}

int64_t sentence_draw(const struct language *t, struct draw *d, int64_t most, int32_t *words)
{
    struct speaker s = { .language = t, .draw = d, .words = words };
    int64_t least = most / 2 < 2 ? 2 : most / 2;

    s.spare = least + draw_below(d, (uint32_t)(most - least + 1)) - 2;
    for (;;) {
        say_noun_phrase(&s);
        say_prepositional(&s, 2);
        say(&s, WORD_VERB);
        if (add(&s, 1, 3))
            say_noun_phrase(&s);
        say_prepositional(&s, 1);
        if (!add(&s, 3, 4))
            return s.n;
        say(&s, WORD_CONJUNCTION);
    }
}
