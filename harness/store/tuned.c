#include "harness/store/tuned.h"

#include "harness/status.h"
#include "harness/store/internal.h"

static const char what[] = "store a block of layouts";

int store_tuned(struct store *s, const char *search, size_t block, const struct tuned_block *b)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = db_run(s, what,
                "INSERT INTO tuned_block(search, block, layouts, refused, unfit, slower) VALUES (?,?,?,?,?,?)"
                " ON CONFLICT DO NOTHING",
                "tlllll", search, block, b->layouts, b->refused, b->unfit, b->slower);
    for (size_t i = 0; !rc && i < b->nbest; i++)
        rc = db_run(s, what,
                    "INSERT INTO tuned_layout(search, block, place, layout, step_ps) VALUES (?,?,?,?,?)"
                    " ON CONFLICT DO NOTHING",
                    "tllld", search, block, i, b->best[i].layout, b->best[i].step_ps);
    return db_end(s, rc);
}

int store_tuned_find(struct store *s, const char *search, size_t block, struct tuned_block *out)
{
    int64_t layouts, refused, unfit, slower, layout;
    int rc = db_find(s, "look for a block of layouts",
                     "SELECT layouts, refused, unfit, slower FROM tuned_block WHERE search = ? AND block = ?",
                     "tl:llll", search, block, &layouts, &refused, &unfit, &slower);
    sqlite3_stmt *st;

    if (rc != 1)
        return rc;
    *out = (struct tuned_block){ (size_t)layouts, (size_t)refused, (size_t)unfit, (size_t)slower, { { 0 } }, 0 };
    st = db_select(s, "SELECT layout, step_ps FROM tuned_layout WHERE search = ? AND block = ? ORDER BY place", "tl",
                   search, block);
    if (!st)
        return NW_EDB;
    while ((rc = db_step(s, st, "read the best layouts")) == SQLITE_ROW && out->nbest < TUNED_MOST) {
        db_read(st, "ld", &layout, &out->best[out->nbest].step_ps);
        out->best[out->nbest++].layout = (size_t)layout;
    }
    return rc < 0 ? rc : 1;
}
