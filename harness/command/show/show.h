/* show.h - what 'narrows show' prints of a platform and of a model. */
#ifndef NARROWS_HARNESS_COMMAND_SHOW_SHOW_H
#define NARROWS_HARNESS_COMMAND_SHOW_SHOW_H

#include "model/model.h"
#include "model/split/patches.h"
#include "sim/platform.h"

/* Machines, processors, GPUs where there are any, the network, and of every link what it joins. */
void show_platform(const struct platform *p);

/* Layer by layer, and the sums. */
void show_model(const struct model_spec *spec, const struct model *m);

/* "DEPTH,ROWSxCOLUMNS" into these three; NW_EINPUT, and no message, for any other text. */
int show_split_read(const char *text, struct split_spec *out);

/* The model split into patches: join, sizes and paddings of every split layer's patches, zeros. NW_EINPUT after a
 * message naming the option, NW_ENOMEM. */
int show_split(const struct model_spec *spec, const struct model *m, const struct split_spec *split);

#endif
