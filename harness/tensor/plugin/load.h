/* load.h - codecs of plug-ins: shared objects that export the struct narrows_plugin of library/narrows_plugin.h.
 * Trust      a plug-in is code of this process: narrows checks what it says of itself and tries it on small tensors
 *            between guard bytes, in a process apart, before it is used, and looks at the size of each payload; what
 *            else it does is its author's matter.
 * Threads    before there are any, since it forks. */
#ifndef NARROWS_HARNESS_TENSOR_PLUGIN_LOAD_H
#define NARROWS_HARNESS_TENSOR_PLUGIN_LOAD_H

#include <stdio.h>

enum { PLUGINS_MOST = 16 };

/* Load the files of 'paths', separated by colons, in their order; NULL or "" are none. NW_EINPUT with "FILE: reason" on
 * 'err' for the first that is refused, NW_ENOMEM. What was loaded before it stays loaded. */
int plugins_load(const char *paths, FILE *err);

#endif
