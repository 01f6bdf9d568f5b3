/* load.c - files of plug-ins: opened, checked, tried, added to the table. */
#include "harness/tensor/plugin/load.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/status.h"
#include "harness/tensor/plugin/private.h"
#include "harness/text/whole_file.h"

#define SYMBOL "narrows_plugin_codec"
enum { MOST_BYTES = 1 << 28 };

/* Of the file's content, which is read before it is loaded: an error of reading has its usual message. */
static int take_digest(const char *path, char digest[PLUGIN_DIGEST + 1], FILE *err)
{
    char *bytes = NULL;
    size_t nbytes = 0;
    int rc = whole_file_load(path, MOST_BYTES, &bytes, &nbytes, err);

    if (!rc) {
        XXH128_hash_t hash = XXH3_128bits(bytes, nbytes);

        snprintf(digest, PLUGIN_DIGEST + 1, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    free(bytes);
    return rc == NW_ENOMEM ? rc : rc ? NW_EINPUT : NW_OK;
}

static int refuse(const char *path, const char *why, FILE *err)
{
    fprintf(err, "%s: not a plug-in that can be loaded: %s\n", path, why);
    return NW_EINPUT;
}

/* dlopen() looks elsewhere for a name without a slash, and reports the path that is in the message already. */
static void *open_object(const char *path, char *why, size_t nwhy)
{
    char *whole = realpath(path, NULL);
    void *object = whole ? dlopen(whole, RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *said = object ? NULL : dlerror();
    size_t n = whole ? strlen(whole) : 0;

    if (said && whole && !strncmp(said, whole, n) && !strncmp(said + n, ": ", 2))
        said += n + 2;
    if (!object)
        snprintf(why, nwhy, "%s", said ? said : "no such file");
    free(whole);
    return object;
}

static int add(struct plugin *p, const char *path, FILE *err)
{
    struct plugin_report r = { .why = "" };
    void *object = open_object(path, r.why, sizeof(r.why));

    if (!object)
        return refuse(path, r.why, err);
    p->of = dlsym(object, SYMBOL);
    if (!p->of)
        return refuse(path, "expected the symbol " SYMBOL " (library/narrows_plugin.h), got none", err);
    if (!plugin_right(p->of, &r))
        return refuse(path, r.why, err);
    if (plugin_count() == PLUGINS_MOST)
        return refuse(path, "expected at most 16 plug-ins", err);
    plugin_adopt(p, plugin_count());
    if (!plugin_stands(p, &r) || plugin_add(p, r.why, sizeof(r.why)))
        return refuse(path, r.why, err);
    return NW_OK;
}

static int load(const char *path, FILE *err)
{
    struct plugin *p = calloc(1, sizeof(*p)); /* for the life of the process, as its code */
    int rc = p ? take_digest(path, p->digest, err) : NW_ENOMEM;

    rc = rc ? rc : add(p, path, err);
    if (rc)
        free(p);
    return rc;
}

int plugins_load(const char *paths, FILE *err)
{
    char *copy = paths ? strdup(paths) : NULL, *rest = copy;
    int rc = paths && !copy ? NW_ENOMEM : NW_OK;

    while (!rc && rest) {
        const char *path = strsep(&rest, ":");

        if (*path)
            rc = load(path, err);
    }
    free(copy);
    return rc;
}
