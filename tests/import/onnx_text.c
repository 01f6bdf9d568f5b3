#include "tests/import/onnx_text.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void put_varint(struct onnx_bytes *b, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        b->bytes[b->n++] = (uint8_t)(v | 0x80);
    b->bytes[b->n++] = (uint8_t)v;
}

static void put_number(struct onnx_bytes *b, int field, int64_t v)
{
    put_varint(b, (uint64_t)field << 3);
    put_varint(b, (uint64_t)v);
}

static void put_bytes(struct onnx_bytes *b, int field, const void *p, size_t n)
{
    assert(b->n + n + 20 < sizeof(b->bytes));
    put_varint(b, (uint64_t)field << 3 | 2);
    put_varint(b, n);
    memcpy(b->bytes + b->n, p, n);
    b->n += n;
}

static void put_text(struct onnx_bytes *b, int field, const char *text)
{
    put_bytes(b, field, text, strlen(text));
}

static void put_message(struct onnx_bytes *b, int field, const struct onnx_bytes *m)
{
    put_bytes(b, field, m->bytes, m->n);
}

/* NAME TYPE DIM... as a ValueInfoProto. */
static void put_input(struct onnx_bytes *graph, char **words, int n)
{
    static struct onnx_bytes info, type, tensor, shape, dim;

    info.n = type.n = tensor.n = shape.n = 0;
    for (int i = 3; i < n; i++) {
        dim.n = 0;
        if (isalpha((unsigned char)*words[i]))
            put_text(&dim, 2, words[i]);
        else
            put_number(&dim, 1, strtoll(words[i], NULL, 10));
        put_message(&shape, 1, &dim);
    }
    put_number(&tensor, 1, atoi(words[2]));
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_text(&info, 1, words[1]);
    put_message(&info, 2, &type);
    put_message(graph, 11, &info);
}

static void put_tensor(struct onnx_bytes *graph, char **words, int n)
{
    static struct onnx_bytes tensor;
    int ints = !strcmp(words[0], "ints");

    tensor.n = 0;
    if (ints)
        put_number(&tensor, 1, n - 2);
    put_number(&tensor, 2, ints ? 7 : atoi(words[2]));
    put_text(&tensor, 8, words[1]);
    for (int i = ints ? 2 : 3; i < n; i++)
        put_number(&tensor, ints ? 7 : 1, strtoll(words[i], NULL, 10));
    put_message(graph, 5, &tensor);
}

static void put_node(struct onnx_bytes *graph, char **words, int n)
{
    static struct onnx_bytes node, attribute;
    int field = 1;

    node.n = 0;
    put_text(&node, 4, words[0]);
    for (int i = 1; i < n; i++) {
        char *equals = strchr(words[i], '=');
        if (!strcmp(words[i], ">")) {
            field = 2;
        } else if (equals) {
            *equals = 0;
            attribute.n = 0;
            put_text(&attribute, 1, words[i]);
            int one = !strchr(equals + 1, ',');
            for (char *p = equals + 1; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
                put_number(&attribute, one ? 3 : 8, strtoll(p, NULL, 10));
            put_message(&node, 5, &attribute);
        } else {
            put_text(&node, field, strcmp(words[i], "-") ? words[i] : "");
        }
    }
    put_message(graph, 1, &node);
}

void onnx_from_text(const char *text, struct onnx_bytes *out)
{
    static struct onnx_bytes graph, output;
    char *copy = strdup(text), *rest = copy, *words[32];

    graph.n = out->n = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        int n = 0;
        for (char *word; n < 32 && (word = strsep(&line, " "));)
            if (*word)
                words[n++] = word;
        if (!n)
            continue;
        output.n = 0;
        if (!strcmp(words[0], "in"))
            put_input(&graph, words, n);
        else if (!strcmp(words[0], "w") || !strcmp(words[0], "ints"))
            put_tensor(&graph, words, n);
        else if (!strcmp(words[0], "out"))
            put_text(&output, 1, words[1]), put_message(&graph, 12, &output);
        else
            put_node(&graph, words, n);
    }
    free(copy);
    put_number(out, 1, 8);
    put_message(out, 7, &graph);
}
