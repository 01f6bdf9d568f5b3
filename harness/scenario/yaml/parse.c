/* parse.c - libyaml's parser events into nodes. Only the parser is used, never its emitter or its document loader. */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "harness/scenario/yaml/tree.h"

struct parse {
    struct arena *arena;
    struct diag *diag;
    const struct source *source;
    yaml_parser_t yaml;
    yaml_event_t event; /* the one being looked at */
    bool have_event;
    bool failed; /* the rest cannot be read */
};

static struct mark place(const struct parse *p, yaml_mark_t m)
{
    return (struct mark){ p->source, (unsigned)m.line + 1, (unsigned)m.column + 1 };
}

static void syntax_error(struct parse *p)
{
    struct mark at = place(p, p->yaml.problem_mark);
    const char *problem = p->yaml.problem ? p->yaml.problem : "something else";
    size_t size;
    const char *line = source_line(p->source, at.line, &size);

    if (size && memchr(line, '\t', size) && strstr(problem, "start any token"))
        diag_add(p->diag, at, "", NULL, "expected spaces, got a tab: YAML does not indent with tabs");
    else
        diag_add(p->diag, at, "", NULL, "expected YAML, got an error %s%s%s", p->yaml.context ? p->yaml.context : "",
                 p->yaml.context ? ": " : "in the text: ", problem);
}

/* Step to the next event. False at the first syntax error, which is reported. */
static bool next(struct parse *p)
{
    if (p->failed)
        return false;
    if (p->have_event)
        yaml_event_delete(&p->event);
    p->have_event = yaml_parser_parse(&p->yaml, &p->event);
    if (!p->have_event) {
        p->failed = true;
        syntax_error(p);
    }
    return p->have_event;
}

static void refuse_properties(struct parse *p, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    struct mark at = place(p, p->event.start_mark);

    if (anchor)
        diag_add(p->diag, at, "", NULL, "expected a plain value, got the anchor '&%s'",
                 diag_quote(p->diag, (const char *)anchor));
    if (tag)
        diag_add(p->diag, at, "", NULL, "expected a plain value, got the tag '%s'",
                 diag_quote(p->diag, (const char *)tag));
}

static struct node *new_node(struct parse *p, enum node_kind kind)
{
    struct node *n = ARENA_NEW(p->arena, struct node);

    n->kind = kind;
    n->at = place(p, p->event.start_mark);
    n->text = "";
    return n;
}

static struct node *scalar(struct parse *p)
{
    struct node *n = new_node(p, NODE_SCALAR);
    yaml_scalar_style_t style = p->event.data.scalar.style;
    size_t size = p->event.data.scalar.length;

    refuse_properties(p, p->event.data.scalar.anchor, p->event.data.scalar.tag);
    n->quoted = style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    n->text = arena_copy(p->arena, (const char *)p->event.data.scalar.value, size);
    if (strlen(n->text) != size)
        diag_add(p->diag, n->at, "", NULL, "expected text, got a NUL character in it");
    return n;
}

/* Where the parser is: a key in a mapping or an index in a list, and the trail of what contains it. */
struct trail {
    const struct trail *up;
    const char *key; /* NULL in a list */
    size_t index;
};

static const char *trail_path(struct parse *p, const struct trail *t, const char *key)
{
    const char *out = key;

    for (; t; t = t->up) {
        const char *dot = *out == '[' ? "" : ".";

        out = t->key ? arena_printf(p->arena, "%s%s%s", t->key, dot, out)
                     : arena_printf(p->arena, "[%zu]%s%s", t->index, dot, out);
    }
    return out;
}

static const struct node *node(struct parse *p, int depth, const struct trail *trail);

static void list(struct parse *p, struct node *out, int depth, const struct trail *trail)
{
    while (next(p) && p->event.type != YAML_SEQUENCE_END_EVENT) {
        struct trail here = { trail, NULL, out->n };
        const struct node *item = node(p, depth + 1, &here);

        if (!item)
            return;
        *ARENA_PUSH(p->arena, out->items, out->n) = (struct node *)item;
    }
}

static const char *key_text(struct parse *p, struct mark at)
{
    const char *key;

    if (p->event.type != YAML_SCALAR_EVENT) {
        diag_add(p->diag, at, "", NULL, "expected a key, got %s",
                 p->event.type == YAML_ALIAS_EVENT ? "an alias" : "a list or a mapping in its place");
        return NULL;
    }
    key = scalar(p)->text;
    if (!*key)
        diag_add(p->diag, at, "", NULL, "expected a key, got nothing");
    return key;
}

static void add_entry(struct parse *p, struct node *out, const char *key, struct mark at, const struct node *value,
                      const struct trail *trail)
{
    const struct entry *first = tree_entry(out, key);
    struct entry *e;

    if (first) {
        diag_add(p->diag, at, trail_path(p, trail, key), NULL,
                 "expected each key once, got '%s' again (first on line %u)", diag_quote(p->diag, key), first->at.line);
        return;
    }
    if (out->n == TREE_MAX_KEYS) {
        diag_add(p->diag, at, "", NULL, "expected at most %d keys in a mapping, got more", TREE_MAX_KEYS);
        p->failed = true;
        return;
    }
    e = ARENA_PUSH(p->arena, out->entries, out->n);
    *e = (struct entry){ key, at, value };
}

static void map(struct parse *p, struct node *out, int depth, const struct trail *trail)
{
    while (next(p) && p->event.type != YAML_MAPPING_END_EVENT) {
        struct mark at = place(p, p->event.start_mark);
        const char *key = key_text(p, at);
        struct trail here = { trail, key ? key : "?", 0 };
        const struct node *value;

        if (!key && p->event.type != YAML_ALIAS_EVENT && !node(p, depth + 1, &here)) /* skip the key */
            return;
        if (!next(p) || !(value = node(p, depth + 1, &here)))
            return;
        if (key && *key)
            add_entry(p, out, key, at, value, trail);
    }
}

/* The node that begins with the current event; NULL if the rest of the text cannot be read. */
static const struct node *node(struct parse *p, int depth, const struct trail *trail)
{
    struct node *out;

    switch (p->event.type) {
    case YAML_SCALAR_EVENT: return scalar(p);
    case YAML_ALIAS_EVENT:
        diag_add(p->diag, place(p, p->event.start_mark), "", NULL, "expected a value, got the alias '*%s'",
                 diag_quote(p->diag, (const char *)p->event.data.alias.anchor));
        return new_node(p, NODE_SCALAR);
    case YAML_SEQUENCE_START_EVENT:
        out = new_node(p, NODE_LIST);
        refuse_properties(p, p->event.data.sequence_start.anchor, p->event.data.sequence_start.tag);
        break;
    default:
        out = new_node(p, NODE_MAP);
        refuse_properties(p, p->event.data.mapping_start.anchor, p->event.data.mapping_start.tag);
        break;
    }
    if (depth > TREE_MAX_DEPTH) {
        diag_add(p->diag, out->at, "", NULL, "expected at most %d levels, got more", TREE_MAX_DEPTH);
        p->failed = true;
        return NULL;
    }
    if (out->kind == NODE_LIST)
        list(p, out, depth, trail);
    else
        map(p, out, depth, trail);
    return p->failed ? NULL : out;
}

static const struct node *document(struct parse *p)
{
    const struct node *root;

    if (!next(p) || !next(p)) /* stream start; document start */
        return NULL;
    if (p->event.type == YAML_STREAM_END_EVENT) {
        diag_add(p->diag, (struct mark){ p->source, 0, 0 }, "", NULL, "expected keys, got nothing: the file is empty");
        return NULL;
    }
    if (!next(p) || !(root = node(p, 1, NULL)))
        return NULL;
    if (!next(p) || !next(p)) /* document end; stream end */
        return NULL;
    if (p->event.type != YAML_STREAM_END_EVENT)
        diag_add(p->diag, place(p, p->event.start_mark), "", NULL, "expected one document, got a second one");
    return root;
}

static const struct node *parse(struct parse *p)
{
    jmp_buf oom, *outer = p->arena->oom;
    const struct node *root;

    if (setjmp(oom)) { /* release what libyaml holds, then jump on */
        if (p->have_event)
            yaml_event_delete(&p->event);
        yaml_parser_delete(&p->yaml);
        p->arena->oom = outer;
        longjmp(*outer, 1);
    }
    p->arena->oom = &oom;
    root = document(p);
    p->arena->oom = outer;
    if (p->have_event)
        yaml_event_delete(&p->event);
    yaml_parser_delete(&p->yaml);
    return root;
}

const struct node *tree_parse(struct arena *a, struct diag *d, const struct source *s)
{
    struct parse p = { .arena = a, .diag = d, .source = s };
    struct mark at;
    const char *wrong = source_check(s, &at);

    if (wrong) {
        diag_add(d, at, "", NULL, "expected text in UTF-8, got %s", wrong);
        return NULL;
    }
    if (!yaml_parser_initialize(&p.yaml))
        longjmp(*a->oom, 1);
    yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&p.yaml, (const unsigned char *)s->text + source_start(s), s->size - source_start(s));
    return parse(&p);
}
