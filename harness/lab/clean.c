#include "harness/lab/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/lab/holder.h"
#include "harness/lab/lab.h"
#include "harness/lab/space/space.h"
#include "harness/status.h"

int clean_lab(const char *dir, const struct lab_state *s)
{
    ino_t spaces[LAB_MACHINES + 1];
    char root[64], entry[LAB_ENTRY_MAX];
    size_t n = 0;

    holder_root(s, root, sizeof(root));
    if (!s->holder.pid || process_alive(s->holder)) /* else its number may be another's */
        n = space_inodes(root, s->name, spaces, LAB_MACHINES + 1);
    int left = process_kill_marked(lab_entry(s, entry), spaces, n);
    process_kill(s->holder);
    if (!s->holder.pid)
        space_remove(s->name);
    lab_state_remove(dir, s->name);
    return left ? status_error(NW_EIO, "narrows lab: %d processes inside '%s' do not end\n", left, s->name) : NW_OK;
}

int clean_dead(const char *dir, const struct lab_state *s, void *unused)
{
    (void)unused;
    return lab_state_alive(s) ? NW_OK : clean_lab(dir, s);
}

int lab_clean(void)
{
    char dir[4096];
    int rc = NW_OK;

    for (int privileged = geteuid() == 0; privileged >= 0 && !rc; privileged--) {
        if (!lab_dir_there(privileged, dir, sizeof(dir)))
            continue;
        int lock = lab_lock(dir);
        rc = lock < 0 ? lock : lab_each(dir, clean_dead, NULL);
        if (lock >= 0)
            close(lock);
    }
    return rc;
}

int lab_down(const char *name)
{
    struct lab_state *s = malloc(sizeof(*s));
    char dir[4096];
    int rc = s ? NW_OK : NW_ENOMEM;

    if (!rc && !lab_name_ok(name))
        rc = NW_EINPUT;
    if (!rc && !lab_find(name, true, dir, sizeof(dir))) {
        int lock = lab_lock(dir);
        rc = lock < 0 ? lock : lab_state_read(dir, name, s);
        rc = rc ? rc : clean_lab(dir, s);
        if (lock >= 0)
            close(lock);
    }
    free(s);
    return rc ? rc : lab_clean();
}
