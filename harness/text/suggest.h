/* suggest.h - "did you mean": the closest of the names that would have been right. */
#ifndef NARROWS_HARNESS_TEXT_SUGGEST_H
#define NARROWS_HARNESS_TEXT_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

struct suggest {
    const char *given;
    const char *best;
    size_t distance;
    bool lengthened; /* failing a close one, take the longest name that 'given' begins with: "eth" of "ethernet" */
    const char *begins;
};

void suggest_offer(struct suggest *s, const char *candidate); /* the first of equally close ones stays */
const char *suggest_result(const struct suggest *s);          /* NULL if nothing is close enough */

/* Edits (insert, delete, replace, swap neighbours) that turn a into b; a change of case counts half, rounded up. */
size_t suggest_distance(const char *a, const char *b);

#endif
