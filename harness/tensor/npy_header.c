/* npy_header.c - the dictionary of a .npy file, a literal of Python:
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } */
#include <ctype.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/npy.h"

struct cursor {
    const struct input *in;
    const char *text, *at, *end;
};

static int expected(const struct cursor *c, const char *what)
{
    int n = c->end - c->at < 24 ? (int)(c->end - c->at) : 24;

    return input_refuse(c->in, "header, character %zu: expected %s, got '%.*s'", (size_t)(c->at - c->text), what, n,
                        c->at);
}

static void skip_spaces(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static bool take(struct cursor *c, const char *word)
{
    size_t n = strlen(word);

    skip_spaces(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* A text in either quotes, without escapes, as numpy writes them. */
static bool take_text(struct cursor *c, char *text, size_t size)
{
    const char *begin, *end;
    size_t n;

    skip_spaces(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    begin = c->at + 1;
    end = memchr(begin, *c->at, (size_t)(c->end - begin));
    n = end ? (size_t)(end - begin) : 0;
    if (!end || n >= size || memchr(begin, '\\', n) || memchr(begin, '\0', n))
        return false;
    memcpy(text, begin, n);
    text[n] = '\0';
    c->at = end + 1;
    return true;
}

/* A structured type, "[('a', '<f4'), ('b', '<i4')]": no more than where it ends. */
static int skip_list(struct cursor *c)
{
    int depth = 0;

    do {
        char quoted[256];

        skip_spaces(c);
        if (c->at == c->end)
            return expected(c, "the end of a structured type");
        if (*c->at == '\'' || *c->at == '"') {
            if (!take_text(c, quoted, sizeof(quoted)))
                return expected(c, "a text in quotes");
            continue;
        }
        depth += (*c->at == '[' || *c->at == '(') - (*c->at == ']' || *c->at == ')');
        c->at++;
    } while (depth > 0);
    return NW_OK;
}

static int read_descr(struct cursor *c, struct npy_header *h)
{
    skip_spaces(c);
    if (c->at < c->end && (*c->at == '[' || *c->at == '(')) {
        h->structured = true;
        return skip_list(c);
    }
    return take_text(c, h->descr, sizeof(h->descr)) ? NW_OK : expected(c, "a type in quotes, e.g. '<f4'");
}

static int read_order(struct cursor *c, struct npy_header *h)
{
    h->fortran_order = take(c, "True");
    return h->fortran_order || take(c, "False") ? NW_OK : expected(c, "True or False");
}

static int read_dimension(struct cursor *c, size_t *dim)
{
    skip_spaces(c);
    if (c->at == c->end || !isdigit((unsigned char)*c->at))
        return expected(c, "a dimension, 0 or more");
    for (*dim = 0; c->at < c->end && isdigit((unsigned char)*c->at); c->at++) {
        size_t digit = (size_t)(*c->at - '0');

        if (*dim > (INT64_MAX - digit) / 10)
            return expected(c, "a dimension below 2^63");
        *dim = 10 * *dim + digit;
    }
    if (c->at < c->end && *c->at == 'L') /* as Python 2 wrote them */
        c->at++;
    return NW_OK;
}

static int read_shape(struct cursor *c, struct npy_header *h)
{
    if (!take(c, "("))
        return expected(c, "a shape, e.g. (2, 3)");
    for (h->ndims = 0; !take(c, ")");) {
        int rc;

        if (h->ndims == TENSOR_MOST_DIMS)
            return expected(c, "at most 32 dimensions");
        rc = read_dimension(c, &h->dims[h->ndims++]);
        if (rc)
            return rc;
        if (take(c, ","))
            continue;
        if (!take(c, ")") || h->ndims == 1) /* (3) is a number, (3,) a shape */
            return expected(c, "',' or ')'");
        break;
    }
    return NW_OK;
}

static const struct {
    const char *key;
    int (*read)(struct cursor *c, struct npy_header *h);
} entries[] = { { "descr", read_descr }, { "fortran_order", read_order }, { "shape", read_shape } };

enum { ENTRIES = sizeof(entries) / sizeof(*entries) };

static int read_entry(struct cursor *c, struct npy_header *h, unsigned *seen)
{
    char key[32];

    if (!take_text(c, key, sizeof(key)))
        return expected(c, "a key in quotes");
    for (unsigned i = 0; i < ENTRIES; i++)
        if (!strcmp(key, entries[i].key)) {
            if (*seen & 1u << i)
                return input_refuse(c->in, "header: expected '%s' once", key);
            *seen |= 1u << i;
            return take(c, ":") ? entries[i].read(c, h) : expected(c, "':'");
        }
    return input_refuse(c->in, "header: expected 'descr', 'fortran_order' and 'shape', got '%s'", key);
}

int npy_header_parse(const struct input *in, const char *text, size_t n, struct npy_header *h)
{
    struct cursor c = { in, text, text, text + n };
    unsigned seen = 0;

    *h = (struct npy_header){ 0 };
    if (!take(&c, "{"))
        return expected(&c, "'{'");
    while (!take(&c, "}")) {
        int rc = read_entry(&c, h, &seen);

        if (rc)
            return rc;
        if (take(&c, ","))
            continue;
        if (!take(&c, "}"))
            return expected(&c, "',' or '}'");
        break;
    }
    for (unsigned i = 0; i < ENTRIES; i++)
        if (!(seen & 1u << i))
            return input_refuse(in, "header: expected '%s', which is missing", entries[i].key);
    skip_spaces(&c);
    return c.at == c.end ? NW_OK : expected(&c, "spaces up to the values");
}
