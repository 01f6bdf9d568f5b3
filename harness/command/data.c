/* narrows data - which public data sets are here, and where the others come from. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/command/line/real_data.h"
#include "harness/data/shelf.h"
#include "harness/status.h"

enum { KEY_WHOLE = 256 };

struct arguments {
    const char *folder;
    bool whole;
};

static const struct argp_option options[] = {
    { "whole", KEY_WHOLE, NULL, 0, "read also what takes minutes: count the lines of Criteo's 11 GB", 0 }, { 0 }
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case KEY_WHOLE: a->whole = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "expected one folder, got '%s' as well", text);
        a->folder = text;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[DIR]",
    .doc =
        "Print which public data sets are in DIR (default: the environment's NARROWS_DATA), whether their sizes and "
        "counts are right, and of each where it belongs, where it comes from and on what terms. Nothing is "
        "downloaded. 'narrows run SCENARIO --data-dir DIR' trains on them.\v"
        "Synthetic images give way to CIFAR-10's, or to Tiny ImageNet's where CIFAR-10 is not there; synthetic clicks "
        "to Criteo's; synthetic sentences to IWSLT'14's, German to English.",
};

static void row(const char *name, const char *text)
{
    printf("  %-9s %s\n", name, text);
}

/* Is it there and wrong? */
static bool print_set(const struct arguments *a, enum shelf_id id)
{
    static const char *const words[] = {
        [SHELF_ABSENT] = "not here", [SHELF_THERE] = "here", [SHELF_WRONG] = "here, but not as it is distributed"
    };
    const struct shelf_set *s = &shelf_sets[id];
    char path[4096], why[4608] = "";
    enum shelf_state state = SHELF_ABSENT;

    if (a->folder)
        state = shelf_look(a->folder, id, a->whole, path, sizeof(path), why, sizeof(why));
    printf("%s: %s\n", s->name, words[state]);
    if (state == SHELF_WRONG)
        row("wrong", why);
    printf("  %-9s %s/%s\n", "place", a->folder ? a->folder : "DIR", s->place);
    row("holds", s->holds);
    row("from", s->from);
    row("archive", s->archive);
    row("terms", s->terms);
    return state == SHELF_WRONG;
}

int cmd_data(int argc, char **argv)
{
    struct arguments a = { .folder = real_data_folder() };
    int rc = NW_OK;

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    for (int id = 0; id < SHELF_SETS; id++)
        if (print_set(&a, (enum shelf_id)id))
            rc = NW_EIO;
    if (!a.folder)
        puts("\nNo folder was looked in: name one, or set NARROWS_DATA.");
    return rc;
}
