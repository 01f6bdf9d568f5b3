/* tree.h - a YAML text as a tree of nodes, each with its place. Strict: one document, no anchors, aliases or tags, no
 * key twice, at most TREE_MAX_DEPTH levels.
 * Ownership  nodes and their texts live in the arena; merged trees share nodes, which are never changed. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_TREE_H
#define NARROWS_HARNESS_SCENARIO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/yaml/arena.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/scenario/yaml/source.h"

enum { TREE_MAX_DEPTH = 16, TREE_MAX_KEYS = 512 };

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    struct mark at;
    const char *text;      /* scalar */
    bool quoted;           /* scalar in quotes: its text begins one column after 'at' */
    struct node **items;   /* list */
    struct entry *entries; /* map */
    size_t n;              /* items or entries */
};

struct entry {
    const char *key;
    struct mark at;
    const struct node *value;
};

/* The root of the text, NULL after an error. After errors that leave the rest readable, reading goes on, so there may
 * be errors even if a root is returned. */
const struct node *tree_parse(struct arena *a, struct diag *d, const struct source *s);

const struct entry *tree_entry(const struct node *map, const char *key); /* NULL if map is no map or has no such key */
const char *tree_kind_name(const struct node *n);                        /* "a mapping"; "nothing" for an empty text */

/* Follow "link.eth.bandwidth" or "layers[3].layers[0]" as far as possible. *at becomes the place of the value. If that
 * is a mapping or a list, or if the path ends outside the tree, it becomes that of the last key found, or of the tree.
 * True if the path was followed to its end. */
bool tree_locate(const struct node *tree, const char *path, struct mark *at);

/* 'over' overriding 'under': maps merge key by key, anything else is replaced. Leaves out the key 'without' (may be
 * NULL). */
const struct node *tree_merge(struct arena *a, const struct node *under, const struct node *over, const char *without);

#endif
