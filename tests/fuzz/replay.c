/* replay.c - runs a fuzz target over every file of its corpus, without a fuzzer: replay FOLDER. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 4 << 20 };

static int replay(const char *path, uint8_t *data)
{
    FILE *f = fopen(path, "rb");
    size_t size;

    if (!f) {
        perror(path);
        return -1;
    }
    size = fread(data, 1, LARGEST, f);
    fclose(f);
    printf("%s\n", path);
    fflush(stdout); /* so that the last line names the input of a crash */
    return LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    uint8_t *data = malloc(LARGEST);
    size_t n = 0, failed = 0;

    if (!folder || !data) {
        fprintf(stderr, "use: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (struct dirent *e; (e = readdir(folder));) {
        char path[4096];

        if (*e->d_name == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", argv[1], e->d_name);
        failed += replay(path, data) != 0;
        n++;
    }
    closedir(folder);
    free(data);
    printf("%zu inputs, %zu failed\n", n, failed);
    return n && !failed ? 0 : 1;
}
