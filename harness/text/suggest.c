/* suggest.c - optimal string alignment distance over short names. */
#include "harness/text/suggest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64, EDIT = 2, CASE = 1 }; /* costs in half edits */
enum { BEGINNING = 3 };                    /* characters: fewer may be the same by chance */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t replace_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE : EDIT;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1], na = strnlen(a, LONGEST + 1), nb = strnlen(b, LONGEST + 1);
    size_t *before = rows[0], *last = rows[1], *now = rows[2];

    if (na > LONGEST || nb > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= nb; j++)
        last[j] = before[j] = j * EDIT;
    for (size_t i = 1; i <= na; i++) {
        size_t *spare = before;

        now[0] = i * EDIT;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(last[j - 1] + replace_cost(a[i - 1], b[j - 1]), least(last[j], now[j - 1]) + EDIT);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + EDIT);
        }
        before = last;
        last = now;
        now = spare;
    }
    return (last[nb] + 1) / EDIT;
}

/* Edits that still make a likely slip of names of these lengths. */
static size_t tolerated(size_t na, size_t nb)
{
    return 1 + least(na, nb) / 4;
}

void suggest_offer(struct suggest *s, const char *candidate)
{
    size_t na = strnlen(s->given, LONGEST + 1), nb = strnlen(candidate, LONGEST + 1), d;

    if (s->lengthened && nb >= BEGINNING && nb < na && !strncasecmp(s->given, candidate, nb) &&
        (!s->begins || strlen(s->begins) < nb))
        s->begins = candidate;
    if ((na > nb ? na - nb : nb - na) > tolerated(na, nb)) /* too far whatever the letters: spares the work */
        return;
    d = suggest_distance(s->given, candidate);
    if (d == SIZE_MAX || (s->best && d >= s->distance))
        return;
    s->best = candidate;
    s->distance = d;
}

const char *suggest_result(const struct suggest *s)
{
    size_t shorter;

    if (!s->best)
        return s->begins;
    if (!strcasecmp(s->given, s->best))
        return s->best;
    shorter = least(strlen(s->given), strlen(s->best));
    return s->distance <= tolerated(shorter, shorter) && s->distance < shorter ? s->best : s->begins;
}
