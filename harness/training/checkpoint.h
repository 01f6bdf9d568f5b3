/* checkpoint.h - the state of a training in a file, so that a run that was stopped goes on where it was.
 * File       magic, version, the point's key, steps done; sections, each a name and its bytes; a checksum (XXH3-128) of all
 *            that is before it. Numbers and what the sections hold are in this machine's byte order: a file from one of the
 *            other order shows another version and is refused.
 * Writing    goes to PATH.part, in the same folder, which takes PATH's place when it is whole and on the disk: at any
 *            moment, whatever fails, PATH is the checkpoint before or the new one. Nothing is gathered in memory: a section's
 *            bytes go from where they are to the file. A PATH.part that a killed process left is written over; one that
 *            another process is at is refused.
 * Reading    takes the file for what anyone may have written: nothing in it is believed before the checksum fits, and no size
 *            after it without a look at the file's own.
 * Names      up to CHECKPOINT_NAME bytes, not empty, each only once.
 * Errors     0 or a negative nw_status: NW_EIO (the disk), NW_EINPUT (what the file holds), NW_ENOMEM; the message on stderr
 *            has the file and the offset. One thread per writer or reader. */
#ifndef NARROWS_HARNESS_TRAINING_CHECKPOINT_H
#define NARROWS_HARNESS_TRAINING_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECKPOINT_NAME = 200, CHECKPOINT_KEY = 32 };

struct checkpoint_writer;

/* Begin a checkpoint of the training with this key (32 hex digits) after 'step' steps. */
int checkpoint_create(const char *path, const char *key, int64_t step, struct checkpoint_writer **out);

/* Append a section; data[] is not needed any more when the call is back. After a failure all further calls answer it again. */
int checkpoint_add(struct checkpoint_writer *w, const char *name, const void *data, size_t bytes);

/* Put the checkpoint in PATH's place. Releases the writer in any case; if it fails, PATH is what it was, unless the message
 * says that only the folder could not be synced. */
int checkpoint_commit(struct checkpoint_writer *w);

/* Give it up: PATH is what it was. Releases the writer; accepts NULL. */
void checkpoint_discard(struct checkpoint_writer *w);

struct checkpoint;

/* Open and check all of PATH. 1 and *out set; 0 if there is no such file; or negative: NW_EINPUT if it is no checkpoint, one of
 * another version, damaged, cut short, or of another training than 'key'. */
int checkpoint_open(const char *path, const char *key, struct checkpoint **out);
void checkpoint_close(struct checkpoint *c); /* accepts NULL */

int64_t checkpoint_step(const struct checkpoint *c);

/* Is there a section of this name? *bytes is its size. */
bool checkpoint_has(const struct checkpoint *c, const char *name, size_t *bytes);

/* A section's bytes, all of them: NW_EINPUT if there is no section of this name or it has another size. */
int checkpoint_read(struct checkpoint *c, const char *name, void *data, size_t bytes);

#endif
