#include "harness/host/gpu_list.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#define DRIVER_FILES "/proc/driver/nvidia/gpus/*/information"

enum { MAX_KINDS = 8 };

struct kind {
    char name[96];
    int count;
};

/* The file's line "Model: \t\t Tesla K80". */
static int read_model(const char *path, char *name, size_t size)
{
    FILE *f = fopen(path, "r");
    char line[256];
    int found = 0;

    if (!f)
        return 0;
    while (!found && fgets(line, sizeof(line), f)) {
        if (strncmp(line, "Model:", 6))
            continue;
        char *start = line + 6 + strspn(line + 6, " \t");

        start[strcspn(start, "\n")] = '\0';
        snprintf(name, size, "%s", start);
        found = *name != '\0';
    }
    fclose(f);
    return found;
}

static void count_in(struct kind *kinds, size_t *nkinds, const char *name)
{
    size_t k = 0;

    while (k < *nkinds && strcmp(kinds[k].name, name))
        k++;
    if (k == MAX_KINDS)
        return;
    if (k == *nkinds)
        snprintf(kinds[(*nkinds)++].name, sizeof(kinds[k].name), "%s", name);
    kinds[k].count++;
}

int gpu_list(char *text, size_t size)
{
    struct kind kinds[MAX_KINDS] = { 0 };
    size_t nkinds = 0, used = 0;
    int total = 0;
    glob_t files;
    char name[96];

    text[0] = '\0';
    if (glob(DRIVER_FILES, 0, NULL, &files))
        return 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (!read_model(files.gl_pathv[i], name, sizeof(name)))
            continue;
        count_in(kinds, &nkinds, name);
        total++;
    }
    globfree(&files);
    for (size_t k = 0; k < nkinds && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%d x %s", k ? " + " : "", kinds[k].count, kinds[k].name);
    return total;
}
