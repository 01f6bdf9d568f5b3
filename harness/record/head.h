/* head.h - the first lines of a record's file, which are text:
 *   narrows record 1            what it is, and the version of the format: 2 where the next line is there
 *   checked TRAINER STEPS SEAL  a trainer of this digest repeated the first STEPS steps of every training run, bit for
 *                               bit; SEAL, 16 hex digits, is XXH3-64 of the three and the contents' digest, so that the
 *                               line of one record says nothing in another
 *   digest 32 HEX DIGITS        XXH3-128 of all bytes after this line: identifies what the record holds, whoever
 *                               checked it, and shows damage
 *   trainer 16 HEX DIGITS       digest of the sources that trained (cmake/build_info.cmake)
 *   simulator 16 HEX DIGITS     ... of those that simulated how long the steps would take
 * Errors     NW_EINPUT (no record, damaged, or a newer program's); the message has been printed. */
#ifndef NARROWS_HARNESS_RECORD_HEAD_H
#define NARROWS_HARNESS_RECORD_HEAD_H

#include <stddef.h>
#include <stdint.h>

enum { RECORD_DIGEST = 32, RECORD_SOURCES = 16, RECORD_MOST_HEAD = 256 }; /* hex digits; bytes of all lines */

struct record_stamp {
    char trainer[RECORD_SOURCES + 1];
    int32_t steps; /* 0: there is no stamp */
};

struct record_head {
    char digest[RECORD_DIGEST + 1], trainer[RECORD_SOURCES + 1], simulator[RECORD_SOURCES + 1];
    struct record_stamp checked;
};

/* *hashed: where the bytes of the digest begin; *body: what follows the lines. 'path' is for messages. */
int record_head_parse(const char *path, const char *data, size_t n, struct record_head *out, const char **hashed,
                      const char **body);

/* The lines up to that of the digest. */
void record_head_print(const struct record_head *h, char text[RECORD_MOST_HEAD]);

#endif
