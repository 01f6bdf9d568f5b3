/* load.h - files, each read once, merged with their includes.
 * Any file may have 'include: other.yaml' or a list of such paths: its own keys override those of these files, and of
 * several the later ones override the earlier ones. Paths are relative to the file that names them.
 * Ownership  texts and trees live in the loader's arena. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_LOAD_H
#define NARROWS_HARNESS_SCENARIO_YAML_LOAD_H

#include "harness/scenario/yaml/arena.h"
#include "harness/scenario/yaml/diag.h"
#include "harness/scenario/yaml/tree.h"

struct flow_spec;

enum { LOAD_MAX_NESTING = 16, LOAD_MAX_INCLUDES = 64 };

typedef void name_fn(void *argument, const char *name);

/* Where texts come from. Except for flows(), functions that return int give 0 or an errno value. */
struct reader {
    /* At most SOURCE_MAX_BYTES + 1 bytes, in a malloced buffer. */
    int (*read)(void *ctx, const char *path, char **text, size_t *size);
    int (*exists)(void *ctx, const char *path); /* 0 if the path can be read */
    const char *(*home)(void);                  /* the folder that contains the shipped scenarios/ */
    const char *(*user)(void);                  /* "~", NULL if there is none */
    /* Visit the YAML files of a folder in order, without the ending. */
    void (*names)(void *ctx, const char *folder, name_fn *visit, void *argument);
    /* A file of traffic (sim/method/flows/flows.h), its list malloced. Harness status; the message has been printed. */
    int (*flows)(void *ctx, const char *path, struct flow_spec **list, size_t *n, char digest[33], FILE *err);
    /* A digest of the data at 'path' that changes with it (stamp.h): 32 hex digits. */
    int (*stamp)(void *ctx, const char *path, char digest[33]);
    void *ctx;
};

struct loader {
    struct arena *arena;
    struct diag *diag;
    const struct reader *reader;
    struct loaded_file **files; /* every file named so far */
    size_t nfiles;
    const struct loaded_file *stack[LOAD_MAX_NESTING]; /* files being read now: a reference to one of them is a cycle */
    size_t depth;
    unsigned nsources;
    char *text;      /* temporary result of the reader: the code that catches 'oom' frees it */
    bool incomplete; /* an include failed: keys that seem to be missing may be in it */
};

struct loaded_file {
    const char *path;        /* from where the program runs */
    const char *identity;    /* path without "." and "x/..": two spellings of a file are one */
    const struct node *tree; /* with includes; NULL if it could not be read: reported once, where it was first named */
    int error;               /* errno of the reading */
};

/* The file at 'path', relative to the working directory. For messages, 'named_at' is the place that names it and 'key'
 * the path of the key there; both are empty for the command line's file. NULL after an error. */
const struct loaded_file *load_file(struct loader *l, const char *path, struct mark named_at, const char *key);

/* The text of a file that is no YAML; the rest as of load_file(). */
const struct source *load_text(struct loader *l, const char *path, struct mark named_at, const char *key);

/* Put a file on the stack while it is bound, since that loads what it refers to: a reference back to it is a cycle. */
void load_enter(struct loader *l, const struct loaded_file *file);
void load_leave(struct loader *l);

/* The map merged with the files that its 'include' key names. NULL after an error. */
const struct node *load_includes(struct loader *l, const struct node *map, const char *path);

/* 'path' as named in the text of 'from', relative to the working directory instead of the folder of 'from'; "~/" is the
 * user's home folder. If there is no such file, "scenarios/..." is looked for in the working directory, then among the
 * shipped files. */
const char *load_path(struct loader *l, const struct source *from, const char *path);

/* A source for an argument of the command line. */
const struct source *load_argument(struct loader *l, const char *name, const char *text);

#endif
