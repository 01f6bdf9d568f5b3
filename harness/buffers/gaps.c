/* gaps.c - the gaps of a buffer: "7-9 11-13@0:64". */
#include "harness/buffers/line.h"
#include "model/vec.h"

/* The text up to the next blank, cut off from the rest. */
static struct csv_piece next_word(struct csv_piece *rest)
{
    struct csv_piece word;

    while (rest->p < rest->end && (*rest->p == ' ' || *rest->p == '\t'))
        rest->p++;
    word = (struct csv_piece){ rest->p, rest->p };
    while (word.end < rest->end && *word.end != ' ' && *word.end != '\t')
        word.end++;
    rest->p = word.end;
    return word;
}

static bool skip(const char **p, const char *end, char c)
{
    if (*p == end || **p != c)
        return false;
    ++*p;
    return true;
}

/* "LOWER-UPPER" or "LOWER-UPPER@FROM:TO". */
static bool parse(struct csv_piece word, struct buffer_gap *gap, bool *window)
{
    const char *p = word.p;

    if (!buffers_signed(&p, word.end, &gap->lower) || !skip(&p, word.end, '-') ||
        !buffers_signed(&p, word.end, &gap->upper))
        return false;
    *window = skip(&p, word.end, '@');
    if (*window && (!csv_digits(&p, word.end, BUFFERS_CSV_LARGEST, &gap->from) || !skip(&p, word.end, ':') ||
                    !csv_digits(&p, word.end, BUFFERS_CSV_LARGEST, &gap->to)))
        return false;
    return p == word.end;
}

/* What is wrong with a gap behind one that ends at 'after', or NULL. */
static const char *objection(const struct buffer_gap *gap, bool last, const struct buffer *buffer, int64_t after)
{
    if (gap->upper <= gap->lower)
        return last ? "a gap that ends no earlier than it begins" : "a gap that ends later than it begins";
    if (gap->lower < buffer->lower || gap->upper > buffer->upper)
        return "a gap within the lifetime";
    if (gap->lower < after)
        return "a gap after the one before";
    if (gap->to < gap->from || gap->to > buffer->bytes)
        return "a window within the buffer, from its first byte to the one after its last";
    return NULL;
}

bool buffers_gaps_read(struct csv_piece text, bool last, struct buffer *buffer, struct gap_list *gaps,
                       struct csv_error *error)
{
    int64_t after = buffer->lower;

    buffer->ngaps = 0;
    for (struct csv_piece word = next_word(&text); word.p < word.end; word = next_word(&text)) {
        struct buffer_gap gap = { 0 };
        const char *wrong;
        bool window;

        if (!parse(word, &gap, &window))
            return csv_refuse(error, word, "gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks");
        gap.upper += last; /* at most 2^62 + 1 */
        wrong = objection(&gap, last, buffer, after);
        if (wrong)
            return csv_refuse(error, word, "gaps: expected %s", wrong);
        if (!VEC_RESERVE(gaps->list, gaps->capacity, gaps->n))
            return csv_refuse(error, word, "gaps: expected fewer, as there is no memory for more");
        gaps->list[gaps->n++] = gap;
        buffer->ngaps++;
        after = gap.upper;
    }
    return true;
}
