#include "train/ops/cuda/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *library_open(const char *name, const struct library_function *functions, size_t n, char *why, size_t nwhy)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

    if (!library) {
        snprintf(why, nwhy, "%s", dlerror());
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        void *function = dlsym(library, functions[i].name);

        if (!function) {
            snprintf(why, nwhy, "%s: lacks %s", name, functions[i].name);
            dlclose(library);
            return NULL;
        }
        memcpy(functions[i].at, &function, sizeof(function));
    }
    return library;
}

void library_close(void *library)
{
    if (library)
        dlclose(library);
}
