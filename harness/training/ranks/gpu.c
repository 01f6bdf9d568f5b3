#include "harness/training/ranks/gpu.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES "/dev/nvidia"

/* The next entry of a list, without spaces around it; its length, 0 at the end. */
static size_t next(const char **list, const char **entry)
{
    const char *end;

    *list += strspn(*list, " \t");
    *entry = *list;
    *list += strcspn(*list, ",");
    end = *list;
    *list += **list == ',';
    while (end > *entry && isspace((unsigned char)end[-1]))
        end--;
    return **entry == '-' ? 0 : (size_t)(end - *entry);
}

static int count(const char *list)
{
    const char *entry;
    int n = 0;

    while (next(&list, &entry))
        n++;
    return n;
}

bool gpu_choose(const char *list, int files, int local, int locals, char *out, size_t nout)
{
    int gpus = list ? count(list) : files, length;
    const char *entry = NULL;
    size_t n = 0;

    if (locals <= 1 || gpus <= 1)
        return false;
    for (int i = 0; list && i <= local % gpus; i++)
        n = next(&list, &entry);
    length = entry ? snprintf(out, nout, "%.*s", (int)n, entry) : snprintf(out, nout, "%d", local % gpus);
    return length > 0 && (size_t)length < nout;
}

/* nvidia0, nvidia1, ..., and not nvidiactl. CUDA numbers those that it finds from 0 on. */
static int count_files(void)
{
    glob_t found;
    int n = 0;

    if (glob(FILES "[0-9]*", 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *number = found.gl_pathv[i] + strlen(FILES);

        n += number[strspn(number, "0123456789")] == '\0';
    }
    globfree(&found);
    return n;
}

void gpu_take(const struct world *w)
{
    char mine[256];

    if (gpu_choose(getenv("CUDA_VISIBLE_DEVICES"), count_files(), w->local, w->locals, mine, sizeof(mine)))
        setenv("CUDA_VISIBLE_DEVICES", mine, 1);
}
