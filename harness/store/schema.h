/* schema.h - the SQL of results_schema/, embedded by the build.
 * Facts change by migrations: each brings a database from any lesser user_version to its own; a released migration is
 * never edited, a correction is a new one. Definitions (what papers print and how it is reported, all views) hold no
 * facts: they are dropped and recreated whenever a database's are not the program's. */
#ifndef NARROWS_HARNESS_STORE_SCHEMA_H
#define NARROWS_HARNESS_STORE_SCHEMA_H

struct migration {
    int version;      /* that it brings a database to */
    const char *file; /* its path in results_schema/, for messages */
    const char *sql;
};
extern const struct migration migrations[]; /* by version; ends with a NULL file */
extern const int schema_version;            /* the user_version that this program writes and understands */

struct definition {
    const char *file, *sql;
};
extern const struct definition definitions[]; /* in the order in which they are made; ends with a NULL file */
extern const char definitions_digest[];       /* of all of them */

/* "NRWS": identifies a narrows database. */
#define NARROWS_APPLICATION_ID 0x4e525753

#endif
