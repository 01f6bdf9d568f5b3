/* load.h - files, each read once, with their includes laid underneath.
 * Any file may have 'include: other.yaml' or a list of such paths: the keys of those files are merged underneath its
 * own (of several, the later one on top). Paths are relative to the file that names them.
 * Ownership  texts and trees live in the loader's arena. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_LOAD_H
#define NARROWS_HARNESS_SCENARIO_YAML_LOAD_H

#include "harness/scenario/yaml/arena.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/scenario/yaml/tree.h"

struct flow_spec;

enum { LOAD_MAX_NESTING = 16, LOAD_MAX_INCLUDES = 64 };

typedef void name_fn(void *argument, const char *name);

/* Where texts come from. read() gives at most SOURCE_MAX_BYTES + 1 bytes in a malloced buffer, or an errno value.
 * exists() tells whether a path names something that can be read. home() is what the shipped folder scenarios/ lies in,
 * user() what "~" stands for, NULL if nothing. names() visits the YAML files of a folder, without the ending, in order. */
struct reader {
    int (*read)(void *ctx, const char *path, char **text, size_t *size);
    int (*exists)(void *ctx, const char *path);
    const char *(*home)(void);
    const char *(*user)(void);
    void (*names)(void *ctx, const char *folder, name_fn *visit, void *argument);
    /* A file of traffic (sim/method/flows.h), its list malloced. Harness status; the message has been printed. */
    int (*flows)(void *ctx, const char *path, struct flow_spec **list, size_t *n, char digest[33], FILE *err);
    /* What tells the data at 'path' from what lay there before, 32 hex digits; or an errno value. */
    int (*stamp)(void *ctx, const char *path, char digest[33]);
    void *ctx;
};

struct loader {
    struct arena *arena;
    struct diag *diag;
    const struct reader *reader;
    struct loaded_file **files; /* every file named so far */
    size_t nfiles;
    const struct loaded_file *stack[LOAD_MAX_NESTING]; /* being read now: a file that is on it already is a cycle */
    size_t depth;
    unsigned nsources;
    char *text;      /* what the reader gave, for a moment: whoever catches 'oom' frees it */
    bool incomplete; /* an include failed: keys that seem to be missing may have been in it */
};

struct loaded_file {
    const char *path;        /* from where the program runs */
    const char *identity;    /* path without "." and "x/..": two spellings of a file are one */
    const struct node *tree; /* with includes; NULL if it could not be read: said once, where it was first named */
    int error;               /* errno of the reading */
};

/* The file at 'path' as seen from the working directory. 'named_at' is where it is named, and 'key' its path there, for
 * messages; for the file of the command line both are empty. NULL after an error. */
const struct loaded_file *load_file(struct loader *l, const char *path, struct mark named_at, const char *key);

/* While a file on the stack is bound, what it refers to is loaded: a reference back to it is a cycle. */
void load_enter(struct loader *l, const struct loaded_file *file);
void load_leave(struct loader *l);

/* The map with what its 'include' key names laid underneath. NULL after an error. */
const struct node *load_includes(struct loader *l, const struct node *map, const char *path);

/* 'path' as named in the text of 'from', seen from the working directory: it counts from where 'from' lies, "~/" from the
 * user's own folder. "scenarios/..." that is not there is looked for in the working directory, then among what is shipped. */
const char *load_path(struct loader *l, const struct source *from, const char *path);

/* A source for a text that is no file: an argument of the command line. */
const struct source *load_argument(struct loader *l, const char *name, const char *text);

#endif
