/* private.h - private to the plug-ins: from what a file exports to a row of the table. */
#ifndef NARROWS_HARNESS_TENSOR_PLUGIN_PRIVATE_H
#define NARROWS_HARNESS_TENSOR_PLUGIN_PRIVATE_H

#include <stdio.h>

#include "harness/tensor/plugin/load.h"
#include "kernels/codec/codec.h"
#include "library/narrows_plugin.h"

enum { PLUGIN_DIGEST = 32 }; /* hex digits of XXH3-128 */

struct plugin {
    const struct narrows_plugin *of;
    char digest[PLUGIN_DIGEST + 1];
    char row_name[32]; /* "plugin-" and the first digits of the digest: a timing belongs to this file's content */
    struct codec codec;
    struct codec_impl rows[2];
};

/* What a plug-in is asked to do now, and what is wrong with it: one line, "" if nothing is. */
struct plugin_report {
    char doing[200], why[400];
    bool passed; /* of plugin_stands(): all of it was done */
};

/* check.c: what it says of itself; and, calling its functions, the sizes that it has at the ends of its parameters'
 * ranges. False with the reason in ->why. */
bool plugin_right(const struct narrows_plugin *p, struct plugin_report *r);
bool plugin_sizes_right(const struct narrows_plugin *p, struct plugin_report *r);

/* rows.c: fill ->codec and ->rows from ->of and ->digest, for the i-th plug-in. */
void plugin_adopt(struct plugin *p, size_t i);

/* trial.c: encode and decode small tensors with preset parameters, between guard bytes. As plugin_right(). */
bool plugin_works(const struct plugin *p, struct plugin_report *r);

/* apart.c: the last two, in a process of their own: one that crashes, or does not end, is refused as well. */
bool plugin_stands(const struct plugin *p, struct plugin_report *r);

/* codec_table.c: NW_EINPUT with the reason in why[] where the name, or the number in streams, is another codec's. The
 * table keeps *p, and has space for PLUGINS_MOST. */
int plugin_add(struct plugin *p, char *why, size_t nwhy);
size_t plugin_count(void);
const struct plugin *plugin_of(const struct codec *c); /* NULL: of the build */

#endif
