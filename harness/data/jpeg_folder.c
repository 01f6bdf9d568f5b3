#include "harness/data/jpeg_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/data/file.h"
#include "model/status.h"
#include "model/vec.h"

enum { MOST_CLASSES = 100000, TEST_ONE_IN = 10 };

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int seen(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int n)
{
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
}

static int no_memory(const char *path, char *why, size_t nwhy)
{
    return data_no_memory(why, nwhy, path, "its names");
}

/* A folder, or a link to one? */
static bool is_folder(const char *path, const struct dirent *e)
{
    char *whole = NULL;
    struct stat st;
    bool is;

    if (e->d_type != DT_UNKNOWN && e->d_type != DT_LNK)
        return e->d_type == DT_DIR;
    if (asprintf(&whole, "%s/%s", path, e->d_name) < 0)
        return false;
    is = !stat(whole, &st) && S_ISDIR(st.st_mode);
    free(whole);
    return is;
}

static bool is_jpeg_name(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (!strcasecmp(dot, ".jpg") || !strcasecmp(dot, ".jpeg"));
}

char *jpeg_folder_path(const struct jpeg_folder *f, const struct jpeg_list *list, const struct jpeg_file *file)
{
    const char *name = f->names + file->name;
    char *path = NULL;

    if (list->flat ? asprintf(&path, "%s/%s", list->folder, name) < 0
                   : asprintf(&path, "%s/%s/%s%s", list->folder, f->classes[file->class], list->inside ? "images/" : "",
                              name) < 0)
        return NULL;
    return path;
}

int jpeg_folder_add(struct jpeg_folder *f, struct jpeg_list *list, int64_t class, const char *name, size_t n)
{
    if (!VEC_RESERVE(list->files, list->capacity, list->n))
        return E_NOMEM;
    if (f->nnames + n + 1 > f->names_capacity) {
        size_t capacity = 2 * f->names_capacity + n + 4097;
        char *grown = capacity <= UINT32_MAX ? realloc(f->names, capacity) : NULL;

        if (!grown)
            return E_NOMEM;
        f->names = grown;
        f->names_capacity = capacity;
    }
    list->files[list->n++] = (struct jpeg_file){ (int32_t) class, (uint32_t)f->nnames };
    memcpy(f->names + f->nnames, name, n);
    f->names[f->nnames + n] = '\0';
    f->nnames += n + 1;
    return 0;
}

/* Add the files of one class. sets = 1: all go to 'set'; 2: every tenth is for tests, the others for training. */
static int add_class(struct jpeg_folder *f, const char *folder, int64_t class, enum data_set set, int sets, char *why,
                     size_t nwhy)
{
    struct dirent **entries = NULL;
    char *path = NULL;
    int rc = 0, n;

    if (asprintf(&path, "%s/%s%s", folder, f->classes[class], f->sets[set].inside ? "/images" : "") < 0)
        return no_memory(folder, why, nwhy);
    n = scandir(path, &entries, seen, by_name);
    if (n < 0)
        rc = data_fail(why, nwhy, "%s: %s", path, strerror(errno));
    else if (n < sets)
        rc = data_fail(why, nwhy, "%s: expected %s, got %d", path,
                       sets == 1 ? "1 file or more" : "2 files or more, one of them for tests", n);
    for (int i = 0; !rc && i < n; i++) {
        enum data_set to = sets == 1 ? set : i % TEST_ONE_IN == 1 ? DATA_TEST : DATA_TRAIN;

        if (!is_jpeg_name(entries[i]->d_name) || is_folder(path, entries[i]))
            rc = data_fail(why, nwhy, "%s/%s: expected only files that end in .jpg or .jpeg", path, entries[i]->d_name);
        else if (jpeg_folder_add(f, &f->sets[to], class, entries[i]->d_name, strlen(entries[i]->d_name)))
            rc = no_memory(path, why, nwhy);
    }
    if (n >= 0)
        free_entries(entries, n);
    free(path);
    return rc;
}

/* The next class's folder: its name is kept for training, and compared with training's for tests. */
static int meet_class(struct jpeg_folder *f, const char *folder, int64_t which, const struct dirent *entry, bool known,
                      char *why, size_t nwhy)
{
    if (!is_folder(folder, entry))
        return data_fail(why, nwhy, "%s/%s: expected only folders, one for each class", folder, entry->d_name);
    if (!known) {
        f->classes[which] = strdup(entry->d_name);
        f->nclasses = which + 1;
        return f->classes[which] ? 0 : no_memory(folder, why, nwhy);
    }
    if (which >= f->nclasses || strcmp(f->classes[which], entry->d_name))
        return data_fail(why, nwhy, "%s/%s: expected the classes that training has, got another", folder,
                         entry->d_name);
    return 0;
}

static int add_folder(struct jpeg_folder *f, const char *folder, enum data_set set, int sets, char *why, size_t nwhy)
{
    struct dirent **entries = NULL;
    bool known = f->classes != NULL;
    int n = scandir(folder, &entries, seen, by_name), rc = 0;

    if (n < 0)
        return data_fail(why, nwhy, "%s: %s", folder, strerror(errno));
    if (n < 2 || n > MOST_CLASSES)
        rc = data_fail(why, nwhy, "%s: expected 2 to %d folders, one for each class, got %d", folder, MOST_CLASSES, n);
    else if (known && n < f->nclasses)
        rc = data_fail(why, nwhy, "%s: expected the %lld classes that training has, got %d", folder,
                       (long long)f->nclasses, n);
    if (!rc && !known) {
        f->classes = calloc((size_t)n, sizeof(*f->classes));
        rc = f->classes ? 0 : no_memory(folder, why, nwhy);
    }
    for (int i = 0; !rc && i < n; i++) {
        rc = meet_class(f, folder, i, entries[i], known, why, nwhy);
        if (!rc)
            rc = add_class(f, folder, i, set, sets, why, nwhy);
    }
    free_entries(entries, n);
    return rc;
}

/* PATH/NAME, or PATH itself where NAME is NULL. NULL if it is no folder. */
static char *folder_in(const char *path, const char *name)
{
    char *whole = NULL;
    struct stat st;

    if (asprintf(&whole, "%s%s%s", path, name ? "/" : "", name ? name : "") < 0)
        return NULL;
    if (!stat(whole, &st) && S_ISDIR(st.st_mode))
        return whole;
    free(whole);
    return NULL;
}

/* Training and tests in a folder each. */
static int open_two(struct jpeg_folder *f, const char *path, char *why, size_t nwhy)
{
    int rc;

    if (jpeg_annotated(path)) {
        f->sets[DATA_TRAIN].inside = true;
        rc = add_folder(f, f->sets[DATA_TRAIN].folder, DATA_TRAIN, 1, why, nwhy);
        return rc ? rc : jpeg_annotated_add(f, path, why, nwhy);
    }
    f->sets[DATA_TEST].folder = folder_in(path, "test");
    if (!f->sets[DATA_TEST].folder)
        f->sets[DATA_TEST].folder = folder_in(path, "val");
    if (!f->sets[DATA_TEST].folder)
        return data_fail(why, nwhy, "%s: expected a folder 'test' or 'val' next to 'train', got none", path);
    rc = add_folder(f, f->sets[DATA_TRAIN].folder, DATA_TRAIN, 1, why, nwhy);
    return rc ? rc : add_folder(f, f->sets[DATA_TEST].folder, DATA_TEST, 1, why, nwhy);
}

/* One folder: every tenth file of a class is for tests. */
static int open_one(struct jpeg_folder *f, const char *path, char *why, size_t nwhy)
{
    f->sets[DATA_TRAIN].folder = folder_in(path, NULL);
    f->sets[DATA_TEST].folder = folder_in(path, NULL);
    if (!f->sets[DATA_TRAIN].folder || !f->sets[DATA_TEST].folder)
        return data_fail(why, nwhy, "%s: expected a folder, got none", path);
    return add_folder(f, path, DATA_TRAIN, 2, why, nwhy);
}

int jpeg_folder_open(const char *path, struct jpeg_folder *out, char *why, size_t nwhy)
{
    out->sets[DATA_TRAIN].folder = folder_in(path, "train");
    return out->sets[DATA_TRAIN].folder ? open_two(out, path, why, nwhy) : open_one(out, path, why, nwhy);
}

void jpeg_folder_close(struct jpeg_folder *f)
{
    for (int set = 0; set < DATA_SETS; set++) {
        free(f->sets[set].folder);
        free(f->sets[set].files);
    }
    for (int64_t i = 0; i < f->nclasses; i++)
        free(f->classes[i]);
    free(f->classes);
    free(f->names);
}
