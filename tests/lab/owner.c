/* A process that has a lab for its own lifetime, for lab_test.sh: owner PLATFORM [NAME], and then one command a line on
 * standard input, each answered by a line: "reshape PATH=VALUE", "mpirun 0,1,2 PROGRAM" (rank by rank the machine; the
 * answer is the exit code), "close". The end of the input without "close" ends it as a return from main() does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/lab/lab.h"
#include "harness/scenario/scenario.h"

static const char *platform;

static int reshape(struct lab *lab, const char *set)
{
    const struct lab_options how = { .uncalibrated = false };
    struct platform *p = NULL;
    const char *sets[] = { "machines=3", set };
    int rc = scenario_load_platform_set(platform, sets, 2, stderr, &p);

    if (!rc)
        rc = lab_reshape(lab, p, &how);
    scenario_free_platform(p);
    return rc;
}

static int mpirun(struct lab *lab, char *text)
{
    int machines[16], ranks = 0, status = 1;
    char *rest, **words = NULL, *program = strchr(text, ' ');
    size_t n;

    *program++ = '\0';
    for (const char *at = text; *at && ranks < 16; at = *rest ? rest + 1 : rest)
        machines[ranks++] = (int)strtol(at, &rest, 10);
    if (lab_mpirun(lab, getenv("NARROWS"), machines, ranks, &words, &n))
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        char **all = calloc(n + 2, sizeof(*all));
        memcpy(all, words, n * sizeof(*all));
        all[n] = program;
        dup2(2, 1); /* the answers are ours */
        execvp(all[0], all);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    lab_words_free(words);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    const struct lab_options how = { .name = argc > 2 ? argv[2] : NULL, .uncalibrated = true };
    const char *sets[] = { "machines=3" };
    struct platform *p = NULL;
    struct lab *lab = NULL;
    char line[4096];

    platform = argv[1];
    if (argc < 2 || scenario_load_platform_set(platform, sets, 1, stderr, &p) || lab_open(p, &how, &lab))
        return 1;
    scenario_free_platform(p);
    printf("%s\n", lab_state(lab)->name);
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strcmp(line, "close")) {
            lab_close(lab);
            lab = NULL;
            puts("closed");
        } else if (!strncmp(line, "reshape ", 8)) {
            printf("%d\n", reshape(lab, line + 8));
        } else if (!strncmp(line, "mpirun ", 7)) {
            printf("%d\n", mpirun(lab, line + 7));
        }
        fflush(stdout);
    }
    return 0;
}
