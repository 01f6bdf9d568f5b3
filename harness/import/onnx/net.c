#include "harness/import/onnx/net.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/status.h"

struct chunk {
    struct chunk *next;
    size_t size, used;
    max_align_t bytes[];
};

enum { CHUNK = 1 << 13, MOST_REFUSED = 20, MOST_NOTES = 200 };

static _Noreturn void give_up(struct net *n, int rc)
{
    n->rc = rc;
    longjmp(n->failed, 1);
}

void *onnx_take(struct net *n, size_t size)
{
    struct chunk *c = n->chunks;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!c || c->size - c->used < size) {
        size_t bytes = size > CHUNK ? size : CHUNK;
        c = calloc(1, sizeof(*c) + bytes);
        if (!c) {
            fprintf(n->err, "%s: no memory for its graph\n", n->file);
            give_up(n, NW_ENOMEM);
        }
        c->size = bytes;
        c->next = n->chunks;
        n->chunks = c;
    }
    c->used += size;
    return (char *)c->bytes + c->used - size;
}

void onnx_net_free(struct net *n)
{
    for (struct chunk *c = n->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    n->chunks = NULL;
    if (n->model)
        onnx__model__free_unpacked(n->model, NULL);
    n->model = NULL;
}

static const char *text_of(struct net *n, const char *format, va_list arguments)
{
    char text[512];
    char *kept;

    vsnprintf(text, sizeof(text), format, arguments);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?'; /* names are the file's */
    kept = onnx_take(n, strlen(text) + 1);
    strcpy(kept, text);
    return kept;
}

const char *onnx_text(struct net *n, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const char *text = text_of(n, format, arguments);
    va_end(arguments);
    return text;
}

void onnx_refuse(struct net *n, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const char *text = text_of(n, format, arguments);
    va_end(arguments);
    fprintf(n->err, "%s: %s\n", n->file, text);
    give_up(n, NW_EINPUT);
}

void onnx_add_note(struct net *n, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const char *text = text_of(n, format, arguments);
    va_end(arguments);
    for (int i = 0; i < n->nnotes; i++)
        if (!strcmp(n->notes[i].text, text)) {
            n->notes[i].times++;
            return;
        }
    if (!n->notes)
        n->notes = onnx_take(n, MOST_NOTES * sizeof(*n->notes));
    if (n->nnotes < MOST_NOTES)
        n->notes[n->nnotes++] = (struct note){ text, 1 };
}

const char *onnx_node_text(struct net *n, const struct node *node)
{
    const char *name = node->proto->name && *node->proto->name ? node->proto->name : NULL;

    if (!name)
        name = node->nout && node->out[0] >= 0 ? n->values[node->out[0]].name : "";
    return onnx_text(n, "node '%.80s' (%.60s)", name, node->op);
}

void onnx_lack(struct net *n, const struct node *node, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const char *text = text_of(n, format, arguments);
    va_end(arguments);
    if (n->refused++ < MOST_REFUSED)
        fprintf(n->err, "%s: %s: %s\n", n->file, onnx_node_text(n, node), text);
}

/* The slot that has this name, or where it would stand. */
static int slot_of(const struct net *n, const char *name)
{
    int at = (int)(XXH3_64bits(name, strlen(name)) & (uint64_t)(n->nslots - 1));

    while (n->slots[at] && strcmp(n->values[n->slots[at] - 1].name, name) != 0)
        at = (at + 1) & (n->nslots - 1);
    return at;
}

int onnx_find(const struct net *n, const char *name)
{
    return n->slots[slot_of(n, name)] - 1;
}

int onnx_add_value(struct net *n, const char *name)
{
    int at = slot_of(n, name);

    if (n->slots[at])
        return n->slots[at] - 1;
    n->values[n->nvalues] = (struct value){ .name = name, .producer = NET_NONE, .rank = -1, .origin = NET_NONE };
    n->slots[at] = ++n->nvalues;
    return n->nvalues - 1;
}

const Onnx__Attribute *node_attribute(const struct node *node, const char *name)
{
    for (size_t i = 0; i < node->proto->n_attribute; i++) {
        const Onnx__Attribute *a = node->proto->attribute[i];
        if (a->name && !strcmp(a->name, name))
            return a;
    }
    return NULL;
}

int64_t node_int(const struct node *node, const char *name, int64_t otherwise)
{
    const Onnx__Attribute *a = node_attribute(node, name);

    return a && a->has_i ? a->i : otherwise;
}

/* A single number stands for a list of one. */
size_t node_ints(const struct node *node, const char *name, const int64_t **list)
{
    const Onnx__Attribute *a = node_attribute(node, name);

    if (a && !a->n_ints && a->has_i) {
        *list = &a->i;
        return 1;
    }
    *list = a ? a->ints : NULL;
    return a ? a->n_ints : 0;
}

bool node_is(const struct node *node, const char *op)
{
    size_t length = strlen(op);

    return !strncmp(node->op, op, length) &&
           (!node->op[length] || (!strncmp(op, "aten.", 5) && node->op[length] == '.'));
}

int64_t value_volume(const struct value *v)
{
    const int64_t most = (int64_t)1 << 48;
    int64_t volume = 1;

    if (!v || v->rank < 0)
        return -1;
    for (int i = 0; i < v->rank; i++) {
        if (v->dim[i] && volume > most / v->dim[i])
            return -1;
        volume *= v->dim[i];
    }
    return volume;
}

bool value_same_shape(const struct value *a, const struct value *b)
{
    return a->rank >= 0 && a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof(a->dim[0]));
}

int value_strip(const struct net *n, int value, bool dropouts)
{
    for (int i = 0; i < NET_STRIP; i++) {
        const struct node *node = value_producer(n, value);
        if (!node || (node->role != ROLE_LAYOUT && !(dropouts && node->role == ROLE_DROPOUT)) || !node->nin ||
            node->in[0] < 0 || value_volume(&n->values[value]) != value_volume(&n->values[node->in[0]]))
            return value;
        value = node->in[0];
    }
    return value;
}
