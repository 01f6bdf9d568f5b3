/* checkpoint.h - the state of a training run in a file, so that a run that was stopped can be resumed.
 * File       magic, version, the point's key, steps done; sections, each a name and its bytes; a checksum (XXH3-128)
 *            of all before it. Numbers and sections are in this machine's byte order: in a file of the other order
 *            the version is different, so it is refused.
 * Writing    goes to PATH.part in the same folder, which replaces PATH when it is complete and on the disk. At any
 *            moment, whatever fails, PATH is either the old checkpoint or the new one. The bytes of a section are
 *            written from where they are; nothing is copied in memory. A PATH.part of a killed process is
 *            overwritten; one that another process is writing is refused.
 * Reading    does not trust the file: nothing counts before the checksum fits, and then each size is checked against
 *            the file's.
 * Names      of sections: unique, 1 to CHECKPOINT_NAME bytes.
 * Errors     0 or a negative nw_status: NW_EIO (the disk), NW_EINPUT (the file's content), NW_ENOMEM; the message on
 *            stderr has the file and the offset.
 * Threads    one per writer or reader. */
#ifndef NARROWS_HARNESS_TRAINING_CHECKPOINT_H
#define NARROWS_HARNESS_TRAINING_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECKPOINT_NAME = 200, CHECKPOINT_KEY = 32 };

struct checkpoint_writer;

/* Begin a checkpoint of the run with this key (32 hex digits) after 'step' steps. */
int checkpoint_create(const char *path, const char *key, int64_t step, struct checkpoint_writer **out);

/* Append a section; data[] is not needed after the call. After a failure, all further calls return it again. */
int checkpoint_add(struct checkpoint_writer *w, const char *name, const void *data, size_t bytes);

/* Replace PATH by the checkpoint. Always releases the writer. If it fails, PATH is what it was, unless the message
 * says that only the folder could not be synced. */
int checkpoint_commit(struct checkpoint_writer *w);

/* Discard it: PATH is what it was. Releases the writer; accepts NULL. */
void checkpoint_discard(struct checkpoint_writer *w);

struct checkpoint;

/* Open and check all of PATH. 1 with *out set; 0 if there is no such file; or negative: NW_EINPUT if it is not a
 * checkpoint, or one of another version or another run than 'key', or damaged or incomplete. */
int checkpoint_open(const char *path, const char *key, struct checkpoint **out);
void checkpoint_close(struct checkpoint *c); /* accepts NULL */

int64_t checkpoint_step(const struct checkpoint *c);

/* Is there a section of this name? Sets *bytes to its size. */
bool checkpoint_has(const struct checkpoint *c, const char *name, size_t *bytes);

/* Read a whole section. NW_EINPUT if there is none of this name, or it has another size. */
int checkpoint_read(struct checkpoint *c, const char *name, void *data, size_t bytes);

#endif
