/* setting.c - a path and the value it is given: of 'set', of a variant, of --set, of an axis. */
#include "harness/scenario/points/setting.h"

#include <string.h>

#include "harness/scenario/file.h"

bool setting_value(struct scenario_file *f, const struct target *t, struct mark at, const struct node *value,
                   const char *key, bool varies, struct setting *out)
{
    const struct field *field = t->field;

    *out = (struct setting){ .target = *t, .at = at, .value_at = value->at };
    out->value.text = value->kind == NODE_SCALAR ? value->text : NULL;
    if (!field)
        return reference_image(f, t->section, value, t->path, &out->image);
    if (varies && (field->flags & FIELD_SILENT)) {
        diag_add(&f->diag, at, key, NULL, "expected a key that can change a result, got '%s'", t->path);
        return false;
    }
    if (!value_read_node(&f->loader, field, value, t->path, &out->value))
        return false;
    if (!(field->flags & FIELD_LINK) || !*out->value.text)
        return true;
    return reference_link_ok(f, out->value.text, value->at, t->path);
}

static bool read_entry(struct scenario_file *f, const struct entry *e, const char *key, bool varies,
                       struct setting *out)
{
    struct target t;

    if (f->references_only && reference_section(e->key) < 0)
        return false;
    t = target_resolve(f, e->key, e->at, key);
    return t.path && setting_value(f, &t, e->at, e->value, key, varies, out);
}

/* The command line exchanges the platform or the model: the file's own is not even loaded. */
static bool setting_on_command_line(const struct scenario_file *f, const char *path)
{
    int section = reference_section(path);

    return section >= 0 && f->exchanged[section];
}

void settings_read(struct scenario_file *f, const struct node *map, const char *key, bool varies, struct settings *out)
{
    struct setting s;

    if (map->kind != NODE_MAP) {
        diag_add(&f->diag, map->at, key, NULL, "expected a mapping of paths to values, got %s", tree_kind_name(map));
        return;
    }
    for (size_t i = 0; i < map->n; i++)
        if ((out == &f->command_sets || !setting_on_command_line(f, map->entries[i].key)) &&
            read_entry(f, &map->entries[i], key, varies, &s))
            *ARENA_PUSH(&f->arena, out->items, out->n) = s;
}
