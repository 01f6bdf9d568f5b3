/* well_formed.h - whether a text is well-formed XML, as far as gnuplot's SVG needs it: tags nest, attributes are quoted
 * and appear once a tag, entities are known, text is UTF-8 without control characters, ids are unique, but for those
 * that gnuplot gives to plots. */
#ifndef NARROWS_TESTS_PLOTS_WELL_FORMED_H
#define NARROWS_TESTS_PLOTS_WELL_FORMED_H

#include <stdbool.h>
#include <stddef.h>

/* False after saying in 'why' what is wrong, and where. */
bool well_formed(const char *xml, char *why, size_t size);

#endif
