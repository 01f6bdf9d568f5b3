/* training.c - what follows from the section alone: its steps, its lists. */
#include "harness/scenario/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"

const char *const training_data_names[] = { "images", "clicks", "translation", "cifar10", "idx",
                                            "criteo", "jpeg",   "iwslt",       NULL };

_Static_assert(COUNT(training_data_names) == TRAINING_DATA_KINDS + 1, "a name for every kind of data");

int64_t training_steps(const struct training *t, int64_t samples)
{
    double steps = t->epochs * (double)samples / ((double)t->workers * (double)t->batch);

    if (t->steps > 0)
        return t->steps;
    return steps < 1 ? 1 : steps < 0x1p62 ? llround(steps) : INT64_C(1) << 62;
}

const char *training_backend_name(enum training_backend backend)
{
    static const char *const names[TRAINING_BACKENDS] = { "", "reference", "gemm", "dnnl", "cuda" };

    return names[backend];
}

bool training_data_synthetic(enum training_data_kind kind)
{
    return kind <= TRAINING_TRANSLATION;
}

size_t training_next(const char **list, const char **name)
{
    const char *start = *list + strspn(*list, ", "), *end = start + strcspn(start, ",");

    *list = end;
    *name = start;
    while (end > start && end[-1] == ' ')
        end--;
    return (size_t)(end - start);
}

bool training_named(const char *list, const char *name)
{
    const char *one;

    for (size_t n; (n = training_next(&list, &one));)
        if (strlen(name) == n && !memcmp(name, one, n))
            return true;
    return false;
}

/* A plain decimal number, without a sign; *text moves behind it. NaN if there is none. */
static double number(const char **text)
{
    size_t n = strspn(*text, "0123456789.");
    char copy[32], *end;
    double value;

    if (!n || n >= sizeof(copy))
        return NAN;
    memcpy(copy, *text, n);
    copy[n] = '\0';
    value = strtod(copy, &end);
    *text += n;
    return *end ? NAN : value;
}

/* "0.5" or "150/350", all of it. */
static double share(const char *text, size_t n)
{
    const char *end = text + n;
    double value = number(&text);

    if (text < end && *text == '/') {
        text++;
        value /= number(&text);
    }
    return text == end ? value : NAN;
}

int training_drops(const char *at, double shares[TRAINING_MOST_DROPS], char *why, size_t nwhy)
{
    const char *one;
    int count = 0;

    for (size_t n; (n = training_next(&at, &one)); count++) {
        double value = share(one, n);

        if (count == TRAINING_MOST_DROPS)
            return snprintf(why, nwhy, "more than %d", TRAINING_MOST_DROPS), -1;
        if (!(value > 0 && value < 1))
            return snprintf(why, nwhy, "'%.*s' is no number above 0 and below 1", n < 32 ? (int)n : 32, one), -1;
        if (count && !(value > shares[count - 1]))
            return snprintf(why, nwhy, "'%.*s' does not come after the one before", n < 32 ? (int)n : 32, one), -1;
        shares[count] = value;
    }
    return count;
}
