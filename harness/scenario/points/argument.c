/* argument.c - cuts "path=value" into a node. */
#include "harness/scenario/points/argument.h"

#include <string.h>

#include "harness/scenario/file.h"

/* "path=value" as a map of one key. NULL after an error. */
static const struct node *argument_node(struct scenario_file *f, const char *option, const char *text)
{
    const struct source *source = load_argument(&f->loader, option, text);
    struct mark at = { source, 1, 1 }, value_at = at;
    const char *equals = strchr(text, '='), *wrong = source_check(source, &at);
    struct node *map = ARENA_NEW(&f->arena, struct node), *value = ARENA_NEW(&f->arena, struct node);
    size_t blanks;

    if (wrong || !equals || equals == text) {
        diag_add(&f->diag, wrong ? at : (struct mark){ source, 1, 1 }, "", NULL, "expected PATH=VALUE, got %s",
                 wrong   ? wrong
                 : *text ? "no path or no '='"
                         : "nothing");
        return NULL;
    }
    blanks = strspn(equals + 1, " ");
    value_at.column += (unsigned)(equals + 1 + blanks - text);
    *value = (struct node){ .kind = NODE_SCALAR, .at = value_at, .text = arena_text(&f->arena, equals + 1 + blanks) };
    map->kind = NODE_MAP;
    map->at = (struct mark){ source, 1, 1 };
    *ARENA_PUSH(&f->arena, map->entries, map->n) =
        (struct entry){ arena_copy(&f->arena, text, (size_t)(equals - text)), map->at, value };
    return map;
}

const struct node **argument_nodes(struct scenario_file *f, const char *option, const char *const *texts, size_t *n)
{
    const struct node **out = ARENA_ARRAY(&f->arena, const struct node *, *n);
    size_t used = 0;

    for (size_t i = 0; i < *n; i++) {
        const struct node *map = argument_node(f, option, texts[i]);

        if (map)
            out[used++] = map;
    }
    *n = used;
    return out;
}
