/* program.c - what the program is, for views to compare with. */
#include "harness/status.h"
#include "harness/store/internal.h"
#include "narrows_build.h"

#define DIGESTS "('trainer', '" NW_TRAIN_DIGEST "'), ('simulator', '" NW_SIM_DIGEST "')"

static const char is_known[] = "SELECT count(*) = 2 FROM program WHERE (name, value) IN (VALUES " DIGESTS ")";
static const char replace[] =
    "INSERT INTO program(name, value) VALUES " DIGESTS " ON CONFLICT(name) DO UPDATE SET value = excluded.value";

int program_note(struct store *s, int may_write)
{
    int known;

    if (db_find(s, "look at what this program is", is_known, ":i", &known) != 1)
        return NW_EDB;
    if (known || sqlite3_exec(s->db, replace, NULL, NULL, NULL) == SQLITE_OK || !may_write)
        return NW_OK;
    return db_fail(s, "note what this program is");
}
