/* open.c - opens and closes databases. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/store/internal.h"

/* synchronous=NORMAL syncs the log at a checkpoint, not at every commit. A killed process still loses nothing that was
 * committed, since the kernel holds the log's pages; only a power cut may take the last commits, and then the file is
 * whole and the run resumes. FULL would cost some milliseconds a point.
 * A larger checkpoint interval (4 KiB pages) writes a hot page once instead of many times. */
static const char settings[] = "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
                               "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536;";

static int open_file(struct store *s, const char *name, int flags)
{
    if (sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        if (s->db)
            return db_fail(s, "open");
        return NW_ENOMEM;
    }
    sqlite3_busy_timeout(s->db, 10000);
    if (sqlite3_exec(s->db, settings, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite3_errcode(s->db) == SQLITE_NOTADB ? db_fail(s, "is no database") : db_fail(s, "open");
    return NW_OK;
}

static struct store *store_new(const char *path)
{
    struct store *s = calloc(1, sizeof(*s));

    if (s)
        s->path = strdup(path);
    if (s && !s->path) {
        free(s);
        s = NULL;
    }
    return s;
}

bool store_nowhere(const char *path)
{
    return !strcmp(path, STORE_NOWHERE);
}

/* The file itself, where it is there, and the nearest folder above it, where SQLite keeps its log. */
bool store_writable(const char *path)
{
    char *folder = strdup(path), *slash;
    bool yes = folder && (access(path, F_OK) != 0 || access(path, W_OK) == 0);

    while (yes && (slash = strrchr(folder, '/'))) {
        slash[slash == folder] = '\0';
        if (slash == folder || access(folder, F_OK) == 0)
            break;
    }
    if (yes)
        yes = access(strchr(path, '/') && access(folder, F_OK) == 0 ? folder : ".", W_OK) == 0;
    free(folder);
    return yes || store_nowhere(path);
}

int store_open(const char *path, struct store **out)
{
    struct store *s = store_new(path);
    int rc = !s ? NW_ENOMEM : store_nowhere(path) ? NW_OK : file_prepare(path);

    rc = rc ? rc : open_file(s, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    rc = rc ? rc : migrate(s, 1);
    rc = rc ? rc : program_note(s, 1);
    if (rc)
        store_close(s);
    else
        *out = s;
    return rc;
}

/* In a directory that cannot be written SQLite cannot make the files that readers share, and on a network filesystem
 * they are not shared. Without a log next to it the file is complete in itself, and nobody here can change it: it may
 * be read as immutable. */
static char *immutable_name(const char *path)
{
    size_t n = strlen(path);
    char *name = malloc(3 * n + sizeof("file:?immutable=1"));
    char *p = name;

    if (!name)
        return NULL;
    p += sprintf(p, "file:");
    for (; *path; path++)
        p += strchr("?#%", *path) ? sprintf(p, "%%%02x", (unsigned char)*path) : sprintf(p, "%c", *path);
    strcpy(p, "?immutable=1");
    return name;
}

static bool needs_immutable(const char *path)
{
    size_t n = strlen(path) + sizeof("-wal");
    char *side = malloc(n);
    char *slash;
    bool yes = false;

    if (!side)
        return false;
    snprintf(side, n, "%s-wal", path);
    if (access(side, F_OK) != 0) {
        slash = strrchr(side, '/');
        if (slash)
            slash[slash == side] = '\0';
        yes = access(slash ? side : ".", W_OK) != 0 || !store_local(slash ? side : ".");
    }
    free(side);
    return yes;
}

int store_open_readonly(const char *path, struct store **out)
{
    struct store *s;
    char *name;
    int rc;

    if (access(path, R_OK) != 0) {
        fprintf(stderr, "narrows: %s: %s\n", path, strerror(errno));
        return NW_EDB;
    }
    s = store_new(path);
    name = needs_immutable(path) ? immutable_name(path) : strdup(path);
    rc = !s || !name ? NW_ENOMEM : strcmp(name, path) != 0 ? NW_OK : file_local(path);
    /* Opened for writing where that is allowed, so that the last reader clears away the log and its index; SQLite
     * itself falls back to reading. query_only keeps every statement of ours a reader. */
    if (!rc)
        rc = strcmp(name, path) == 0 ? open_file(s, name, SQLITE_OPEN_READWRITE)
                                     : open_file(s, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    if (!rc && strcmp(name, path) == 0 && access(path, W_OK) == 0)
        rc = migrate(s, 1);
    rc = rc ? rc : migrate(s, 0);
    rc = rc ? rc : program_note(s, 0);
    rc = rc ? rc : db_execute(s, "PRAGMA query_only = ON", "open for reading");
    free(name);
    if (rc)
        store_close(s);
    else
        *out = s;
    return rc;
}

unsigned char *store_bytes(struct store *s, size_t *n)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(s->db, "main", &size, 0);

    if (!bytes)
        status_error(NW_ENOMEM, "narrows: %s: too little memory to copy it\n", s->path);
    *n = (size_t)size;
    return bytes;
}

int store_open_bytes(const char *name, unsigned char *bytes, size_t n, struct store **out)
{
    struct store *s = store_new(name);
    int rc = s ? open_file(s, STORE_NOWHERE, SQLITE_OPEN_READWRITE) : NW_ENOMEM;

    if (!rc && sqlite3_deserialize(s->db, "main", bytes, (sqlite3_int64)n, (sqlite3_int64)n, 0) != SQLITE_OK)
        rc = db_fail(s, "read");
    rc = rc ? rc : migrate(s, 0);
    if (rc)
        store_close(s);
    else
        *out = s;
    return rc;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    for (int i = 0; i < MOST_STATEMENTS; i++)
        sqlite3_finalize(s->statements[i].st);
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

struct sqlite3 *store_handle(struct store *s)
{
    return s->db;
}
