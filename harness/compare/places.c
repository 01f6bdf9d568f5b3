#include "harness/compare/places.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/count.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

static const char *const endings[] = { ".npy", ".npz", ".safetensors", ".f32" };

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n > m && !strcmp(name + n - m, ending);
}

static bool of_tensors(const char *name, bool any)
{
    for (size_t i = 0; i < COUNT(endings); i++)
        if (ends_in(name, endings[i]))
            return true;
    return any;
}

static struct place *add(struct places *p, const char *name)
{
    struct place *more = realloc(p->list, (p->n + 1) * sizeof(*more));

    if (!more)
        return NULL;
    p->list = more;
    more[p->n] = (struct place){ .name = strdup(name) };
    return more[p->n].name ? &more[p->n++] : NULL;
}

static int add_file(struct place *at, const char *path)
{
    char **more = at ? realloc(at->files, (at->nfiles + 1) * sizeof(*more)) : NULL;

    if (!more)
        return NW_ENOMEM;
    at->files = more;
    more[at->nfiles] = strdup(path);
    return more[at->nfiles] ? (at->nfiles++, NW_OK) : NW_ENOMEM;
}

/* A folder's entries, those that begin with a dot left out. */
struct entries {
    char **files, **folders;
    size_t nfiles, nfolders;
};

static int keep(char ***list, size_t *n, char *path)
{
    char **more = realloc(*list, (*n + 1) * sizeof(*more));

    if (!more) {
        free(path);
        return NW_ENOMEM;
    }
    *list = more;
    more[(*n)++] = path;
    return NW_OK;
}

static int by_number(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int list_one(struct entries *e, const char *folder, const char *name, bool any)
{
    struct stat st;
    char *path = NULL;

    if (*name == '.')
        return NW_OK;
    if (asprintf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name) < 0)
        return NW_ENOMEM;
    if (!stat(path, &st) && S_ISDIR(st.st_mode))
        return keep(&e->folders, &e->nfolders, path);
    if (of_tensors(name, any))
        return keep(&e->files, &e->nfiles, path);
    free(path);
    return NW_OK;
}

static int list_folder(struct entries *e, const char *folder, bool any, FILE *err)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    int rc = NW_OK;

    *e = (struct entries){ 0 };
    if (!d)
        return whole_file_failed(folder, err);
    while (!rc && (entry = readdir(d)))
        rc = list_one(e, folder, entry->d_name, any);
    closedir(d);
    if (e->files)
        qsort(e->files, e->nfiles, sizeof(*e->files), by_number);
    if (e->folders)
        qsort(e->folders, e->nfolders, sizeof(*e->folders), by_number);
    return rc;
}

static void entries_free(struct entries *e)
{
    for (size_t i = 0; i < e->nfiles; i++)
        free(e->files[i]);
    for (size_t i = 0; i < e->nfolders; i++)
        free(e->folders[i]);
    free(e->files);
    free(e->folders);
}

/* A folder below the one that was given: one step. */
static int add_step_folder(struct places *p, const char *folder, bool any, FILE *err)
{
    struct entries e;
    int rc = list_folder(&e, folder, any, err);
    struct place *at = rc || !e.nfiles ? NULL : add(p, folder);

    if (!rc && e.nfiles && !at)
        rc = NW_ENOMEM;
    for (size_t i = 0; i < e.nfiles && !rc; i++)
        rc = add_file(at, e.files[i]);
    entries_free(&e);
    return rc;
}

static int add_folder(struct places *p, const char *folder, bool any, FILE *err)
{
    struct entries e;
    size_t before = p->n;
    int rc = list_folder(&e, folder, any, err);

    for (size_t i = 0; i < e.nfolders && !rc; i++)
        rc = add_step_folder(p, e.folders[i], any, err);
    if (!rc && e.nfiles && p->n > before) {
        fprintf(err, "%s: expected a file a step or a folder a step, got both: %s and %s\n", folder, e.files[0],
                p->list[before].name);
        rc = NW_EINPUT;
    }
    for (size_t i = 0; i < e.nfiles && !rc; i++)
        rc = add_file(add(p, e.files[i]), e.files[i]);
    if (!rc && p->n == before) {
        fprintf(err, "%s: expected files *.npy, *.npz, *.safetensors or *.f32 in the folder, or folders of them\n",
                folder);
        rc = NW_EINPUT;
    }
    entries_free(&e);
    return rc;
}

static int add_path(struct places *p, const char *path, bool any, FILE *err)
{
    struct stat st;

    if (stat(path, &st))
        return whole_file_failed(path, err);
    return S_ISDIR(st.st_mode) ? add_folder(p, path, any, err) : add_file(add(p, path), path);
}

static int add_input(struct places *p, const char *input, bool any, FILE *err)
{
    struct stat st;
    glob_t found = { 0 };
    int rc = NW_OK;

    if (!stat(input, &st) || !strpbrk(input, "*?["))
        return add_path(p, input, any, err);
    if (glob(input, 0, NULL, &found)) {
        fprintf(err, "%s: expected a pattern that files or folders match, got none\n", input);
        rc = NW_EINPUT;
    }
    for (size_t i = 0; i < found.gl_pathc && !rc; i++)
        rc = add_path(p, found.gl_pathv[i], any, err);
    globfree(&found);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

int places_find(struct places *p, const char *const *inputs, size_t n, bool any, FILE *err)
{
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++)
        rc = add_input(p, inputs[i], any, err);
    if (!rc && p->n)
        qsort(p->list, p->n, sizeof(*p->list), by_name);
    return rc;
}

void places_free(struct places *p)
{
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->list[i].nfiles; k++)
            free(p->list[i].files[k]);
        free(p->list[i].files);
        free(p->list[i].name);
    }
    free(p->list);
    *p = (struct places){ 0 };
}
