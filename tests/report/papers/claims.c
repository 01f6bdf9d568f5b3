#include "tests/report/papers/claims.h"

#include <sqlite3.h>
#include <string.h>

#include "tests/test.h"

static const char *wanted(int place, const int *failing, const char *instead)
{
    for (; *failing; failing++)
        if (*failing == place)
            return instead;
    return "holds";
}

void claims_view_expect(struct store *s, const char *paper, const char *size, const char *why, int n,
                        const int *failing, const char *instead)
{
    sqlite3_stmt *st;
    int place = 0, wrong = 0;

    assert_int_equal(
        sqlite3_prepare_v2(store_handle(s),
                           "SELECT place, verdict, outcome FROM claim WHERE paper = ?1 AND size IN (?2, '')"
                           " ORDER BY place",
                           -1, &st, NULL),
        SQLITE_OK);
    sqlite3_bind_text(st, 1, paper, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, size, -1, SQLITE_STATIC);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *verdict = (const char *)sqlite3_column_text(st, 1);

        if (sqlite3_column_int(st, 0) != ++place)
            fail_msg("%s: claim %d comes where %d should", why, sqlite3_column_int(st, 0), place);
        if (strcmp(verdict, wanted(place, failing, instead)) != 0)
            print_error("%s: claim %d: expected '%s', got '%s': %s\n", why, place, wanted(place, failing, instead),
                        verdict, (const char *)sqlite3_column_text(st, 2)),
                wrong++;
    }
    assert_int_equal(sqlite3_finalize(st), SQLITE_OK);
    if (wrong)
        fail_msg("%s: %d claims came otherwise", why, wrong);
    if (place != n)
        fail_msg("%s: %d claims, not %d", why, place, n);
}
