/* show.h - what 'narrows show' prints of a platform and of a model. */
#ifndef NARROWS_HARNESS_SHOW_H
#define NARROWS_HARNESS_SHOW_H

#include "sim/model.h"
#include "sim/platform.h"

/* Machines, processors, GPUs where there are any, the network, and of every link what it joins. */
void show_platform(const struct platform *p);

/* Layer by layer, and the sums. */
void show_model(const struct model_spec *spec, const struct model *m);

#endif
