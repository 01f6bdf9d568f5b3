/* stamp.c - a walk over files and folders, in the order of their names. */
#include "harness/scenario/stamp.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { DEEPEST = 16, LONGEST = 4096 };

static void print_digest(XXH128_hash_t hash, char digest[33])
{
    snprintf(digest, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

void stamp_text(const char *text, size_t size, char digest[33])
{
    print_digest(XXH3_128bits(text, size), digest);
}

static int visible(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Not alphasort(), whose order is the locale's. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int add(XXH3_state_t *state, const char *path, int depth);

static int add_folder(XXH3_state_t *state, const char *path, int depth)
{
    char below[LONGEST];
    struct dirent **entries;
    int n = scandir(path, &entries, visible, by_name), error = 0;

    if (n < 0)
        return errno;
    for (int i = 0; i < n; i++) {
        int length = snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name);

        if (!error)
            error = length < LONGEST ? 0 : ENAMETOOLONG;
        if (!error)
            XXH3_128bits_update(state, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
        if (!error)
            error = add(state, below, depth + 1);
        free(entries[i]);
    }
    free(entries);
    XXH3_128bits_update(state, "/", 1); /* where a folder ends */
    return error;
}

static int add(XXH3_state_t *state, const char *path, int depth)
{
    struct stat st;
    int64_t facts[3];

    if (stat(path, &st))
        return errno;
    if (S_ISDIR(st.st_mode))
        return depth < DEEPEST ? add_folder(state, path, depth) : ELOOP;
    facts[0] = st.st_size;
    facts[1] = st.st_mtim.tv_sec;
    facts[2] = st.st_mtim.tv_nsec;
    XXH3_128bits_update(state, facts, sizeof(facts));
    return 0;
}

int stamp_of(const char *path, char digest[33])
{
    XXH3_state_t *state = XXH3_createState();
    int error = state ? 0 : ENOMEM;

    if (!error) {
        XXH3_128bits_reset(state);
        error = add(state, path, 0);
    }
    if (!error)
        print_digest(XXH3_128bits_digest(state), digest);
    XXH3_freeState(state);
    return error;
}
