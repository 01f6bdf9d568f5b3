/* program.c - what the program is, for views to compare with. */
#include <stdbool.h>

#include "harness/status.h"
#include "harness/store/internal.h"
#include "narrows_build.h"

#define DIGESTS "('trainer', '" NW_TRAIN_DIGEST "'), ('simulator', '" NW_SIM_DIGEST "')"

static const char is_known[] = "SELECT count(*) = 2 FROM program WHERE (name, value) IN (VALUES " DIGESTS ")";
static const char replace[] =
    "INSERT INTO program(name, value) VALUES " DIGESTS " ON CONFLICT(name) DO UPDATE SET value = excluded.value";

int program_note(struct store *s, int may_write)
{
    sqlite3_stmt *st = NULL;
    bool known = sqlite3_prepare_v2(s->db, is_known, -1, &st, NULL) == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW &&
                 sqlite3_column_int(st, 0);

    sqlite3_finalize(st);
    if (known || sqlite3_exec(s->db, replace, NULL, NULL, NULL) == SQLITE_OK || !may_write)
        return NW_OK;
    return db_fail(s, "note what this program is");
}
