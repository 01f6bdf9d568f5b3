/* scenario_fuzz.c - libFuzzer's entry to the scenario reader: any bytes, and what they name, without touching the disk.
 * An input is a scenario, then perhaps other files, each after a line "=== NAME"; the lines of one named --set or
 * --sweep are such arguments. What is accepted is bound too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/memory.h"

enum { MAX_FILES = 8, MAX_ARGUMENTS = 4, MAX_BOUND = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct split {
    char *text; /* the input and a NUL, cut up in place */
    struct memory_file files[MAX_FILES];
    size_t nfiles;
    const char *sets[MAX_ARGUMENTS], *sweeps[MAX_ARGUMENTS];
    size_t nsets, nsweeps;
};

static void add_arguments(struct memory_file *f, const char **list, size_t *n)
{
    char *text = (char *)f->text;

    text[f->size ? f->size - 1 : 0] = '\0';
    for (char *line = strtok(text, "\n"); line && *n < MAX_ARGUMENTS; line = strtok(NULL, "\n"))
        list[(*n)++] = line;
}

static void end_file(struct split *s, const char *end)
{
    struct memory_file *f = &s->files[s->nfiles];

    f->size = (size_t)(end - f->text);
    if (!strcmp(f->path, "--set") && f->size)
        add_arguments(f, s->sets, &s->nsets);
    else if (!strcmp(f->path, "--sweep") && f->size)
        add_arguments(f, s->sweeps, &s->nsweeps);
    else
        s->nfiles++;
}

static void split(struct split *s, size_t size)
{
    static const char line[] = "\n=== ";
    char *end = s->text + size, *cut;

    s->files[0] = (struct memory_file){ "s.yaml", s->text, size };
    while (s->nfiles + 1 < MAX_FILES &&
           (cut = memmem(s->files[s->nfiles].text, (size_t)(end - s->files[s->nfiles].text), line, 5))) {
        char *name = cut + 5, *stop = memchr(name, '\n', (size_t)(end - name));

        if (!stop)
            break;
        *stop = '\0';
        end_file(s, cut + 1);
        s->files[s->nfiles] = (struct memory_file){ name, stop + 1, 0 };
    }
    end_file(s, end);
}

/* What is wrong with a point is looked up in files and arguments, whether the key stands there or not. */
static void refuse_some(const struct scenario_file *f, const struct point *p, FILE *err)
{
    static const char *const reasons[] = {
        "method.push.encode.curve[0].rate: x",
        "method.cuts[1].after: x",
        "method.gradients.density: x",
        "platform.network.link: x",
        "platform.link.eth.efficiency.wire: x",
        "model.layers[0].layers[1]: x",
        "platform: x",
        "batch: x",
        "training.exchange.push: x",
        "training.data: x",
        "anything: x",
    };

    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        scenario_refuse(f, p, reasons[i], err);
}

static void bind_some(const struct scenario_file *f, FILE *err)
{
    size_t n = scenario_npoints(f), step = n / MAX_BOUND + 1;
    const struct fit *fits;

    for (size_t i = 0; i < n; i += step) {
        struct point p;
        const char *paths[8];
        double *number;

        if (scenario_point(f, i, &p))
            abort();
        free(scenario_canonical(&p.scenario));
        if (scenario_calibrated(f, &p, paths, 8)) {
            number = scenario_number(&p.scenario, paths[0]);
            if (!number || *number == *number) /* it must be NaN */
                abort();
        }
        refuse_some(f, &p, err);
        point_free(&p);
    }
    scenario_fits(f, &fits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct split s = { .text = malloc(size + 1) };
    struct scenario_file *f = NULL;
    struct memory_files files;
    static FILE *err;

    if (!err)
        err = fopen("/dev/null", "w");
    if (!s.text || !err)
        abort();
    if (size)
        memcpy(s.text, data, size);
    s.text[size] = '\0';
    split(&s, size);
    files = (struct memory_files){ s.files, s.nfiles };
    if (!scenario_open_memory(&files, "s.yaml", s.sets, s.nsets, s.sweeps, s.nsweeps, err, &f))
        bind_some(f, err);
    scenario_close(f);
    free(s.text);
    return 0;
}
