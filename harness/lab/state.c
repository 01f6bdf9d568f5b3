#include "harness/lab/state.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/lab/state_text.h"
#include "harness/status.h"
#include "harness/text/whole_file.h"

static const char PRIVILEGED[] = "/run/narrows-lab";

const char *lab_entry(const struct lab_state *s, char text[LAB_ENTRY_MAX])
{
    snprintf(text, LAB_ENTRY_MAX, "NARROWS_LAB=%s", s->mark);
    return text;
}

bool lab_name_ok(const char *name)
{
    size_t n = strlen(name);
    bool ok = n >= 1 && n <= LAB_NAME_MAX && isalnum((unsigned char)*name);

    for (size_t i = 0; i < n; i++)
        ok = ok && (isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_');
    if (!ok)
        fprintf(stderr,
                "narrows lab: expected a name of 1 to %d letters, digits, '-' and '_', a letter or digit first, "
                "got '%s'\n",
                LAB_NAME_MAX, name);
    return ok;
}

static void user_folder(char *path, size_t size)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");

    if (runtime && *runtime)
        snprintf(path, size, "%s/narrows-lab", runtime);
    else
        snprintf(path, size, "/tmp/narrows-lab-%u", (unsigned)geteuid());
}

static void folder(bool privileged, char *path, size_t size)
{
    const char *given = getenv("NARROWS_LAB_DIR");

    if (given && *given)
        snprintf(path, size, "%s", given);
    else if (privileged)
        snprintf(path, size, "%s", PRIVILEGED);
    else
        user_folder(path, size);
}

/* A folder that another user has made could make us kill processes of that user's choice. */
int lab_dir(bool privileged, char *path, size_t size)
{
    struct stat st;

    folder(privileged, path, size);
    if (mkdir(path, 0700) && errno != EEXIST)
        return whole_file_failed(path, stderr);
    if (lstat(path, &st))
        return whole_file_failed(path, stderr);
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return status_error(NW_EIO, "%s: expected a folder of user %u, got something else\n", path,
                            (unsigned)geteuid());
    return NW_OK;
}

bool lab_dir_there(bool privileged, char *path, size_t size)
{
    struct stat st;

    folder(privileged, path, size);
    return !lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static void file_of(const char *dir, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s.lab", dir, name);
}

int lab_find(const char *name, bool quiet, char *dir, size_t ndir)
{
    char path[4200];

    if (!lab_name_ok(name))
        return NW_EINPUT;
    for (int privileged = 1; privileged >= 0; privileged--) {
        folder(privileged, dir, ndir);
        file_of(dir, name, path, sizeof(path));
        if (!access(path, R_OK))
            return NW_OK;
    }
    return quiet ? NW_EINPUT
                 : status_error(NW_EINPUT,
                                "narrows lab: expected the name of a lab that is up (narrows lab status), "
                                "got '%s'\n",
                                name);
}

int lab_state_write(const char *dir, const struct lab_state *s)
{
    char path[4200];

    file_of(dir, s->name, path, sizeof(path));
    return whole_file_write(path, state_print, s, stderr);
}

int lab_state_read(const char *dir, const char *name, struct lab_state *s)
{
    char path[4200];
    FILE *f;

    file_of(dir, name, path, sizeof(path));
    f = fopen(path, "r");
    if (!f)
        return whole_file_failed(path, stderr);
    bool ok = state_parse(f, s) && !strcmp(s->name, name);
    fclose(f);
    return ok ? NW_OK
              : status_error(NW_EINPUT, "%s: expected the state of a lab as this version writes it; remove the file\n",
                             path);
}

void lab_state_remove(const char *dir, const char *name)
{
    char path[4200];

    file_of(dir, name, path, sizeof(path));
    unlink(path);
}

bool lab_state_alive(const struct lab_state *s)
{
    return (!s->owner.pid || process_alive(s->owner)) && (!s->holder.pid || process_alive(s->holder));
}

static int is_lab(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && dot != entry->d_name && !strcmp(dot, ".lab");
}

int lab_each(const char *dir, int (*visit)(const char *dir, const struct lab_state *s, void *argument), void *argument)
{
    struct lab_state *s = malloc(sizeof(*s));
    struct dirent **entries = NULL;
    int n = s ? scandir(dir, &entries, is_lab, alphasort) : 0, rc = s ? NW_OK : NW_ENOMEM;

    for (int i = 0; i < n; i++) {
        *strrchr(entries[i]->d_name, '.') = '\0';
        /* another process may have removed it since */
        if (!rc && !lab_state_read(dir, entries[i]->d_name, s))
            rc = visit(dir, s, argument);
        free(entries[i]);
    }
    free(entries);
    free(s);
    return rc;
}

int lab_lock(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && !flock(fd, LOCK_EX))
        return fd;
    if (fd >= 0)
        close(fd);
    return whole_file_failed(dir, stderr);
}
