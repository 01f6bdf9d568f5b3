/* jpeg_annotated.c - tests in one folder, their classes in a list, as Tiny ImageNet has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/data/file.h"
#include "harness/data/jpeg_folder.h"
#include "model/status.h"

#define LIST "val/val_annotations.txt"

enum { MOST_BYTES = 1 << 28, SHOWN = 40 };

bool jpeg_annotated(const char *path)
{
    char *list = NULL;
    struct stat st;
    bool is;

    if (asprintf(&list, "%s/" LIST, path) < 0)
        return false;
    is = !stat(list, &st) && S_ISREG(st.st_mode);
    free(list);
    return is;
}

/* The number of the class of this name, as its folders are in order; -1 if there is none. */
static int64_t class_of(const struct jpeg_folder *f, const char *name, size_t n)
{
    int64_t low = 0, high = f->nclasses;

    while (low < high) {
        int64_t middle = (low + high) / 2;
        int order = strncmp(f->classes[middle], name, n);

        if (!order && !f->classes[middle][n])
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* One line, without its end: a file's name, its class, and whatever follows. */
static int add_line(struct jpeg_folder *f, const char *list, int64_t number, const char *line, const char *end,
                    char *why, size_t nwhy)
{
    const char *tab = memchr(line, '\t', (size_t)(end - line)), *class = tab ? tab + 1 : end;
    const char *after = tab ? memchr(class, '\t', (size_t)(end - class)) : NULL;
    size_t nclass = (size_t)((after ? after : end) - class);
    int64_t which = tab ? class_of(f, class, nclass) : -1;

    if (!tab || tab == line || memchr(line, '/', (size_t)(tab - line)))
        return data_fail(why, nwhy, "%s:%lld: expected the name of a file, a tab and its class", list,
                         (long long)number);
    if (which < 0)
        return data_fail(why, nwhy, "%s:%lld: expected a class that training has, got '%.*s'", list, (long long)number,
                         nclass < SHOWN ? (int)nclass : SHOWN, class);
    return jpeg_folder_add(f, &f->sets[DATA_TEST], which, line, (size_t)(tab - line))
               ? data_no_memory(why, nwhy, list, "its names")
               : 0;
}

int jpeg_annotated_add(struct jpeg_folder *f, const char *path, char *why, size_t nwhy)
{
    uint8_t *bytes = NULL;
    char *list = NULL;
    size_t n = 0;
    int64_t number = 0;
    int rc = 0;

    f->sets[DATA_TEST].flat = true;
    if (asprintf(&f->sets[DATA_TEST].folder, "%s/val/images", path) < 0) {
        f->sets[DATA_TEST].folder = NULL;
        return data_no_memory(why, nwhy, path, "its names");
    }
    if (asprintf(&list, "%s/" LIST, path) < 0)
        return data_no_memory(why, nwhy, path, "its names");
    rc = file_read(list, MOST_BYTES, &bytes, &n, why, nwhy);
    for (const char *at = (const char *)bytes, *all = at + n, *end; !rc && at < all; at = end + 1) {
        end = memchr(at, '\n', (size_t)(all - at));
        end = end ? end : all;
        rc = add_line(f, list, ++number, at, end > at && end[-1] == '\r' ? end - 1 : end, why, nwhy);
    }
    if (!rc && !number)
        rc = data_fail(why, nwhy, "%s: expected a line for each test, got none", list);
    free(bytes);
    free(list);
    return rc;
}
