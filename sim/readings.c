#include "sim/readings.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reading_add(struct readings *r, double value, const char *unit, const char *format, ...)
{
    struct reading *at = &r->list[r->n];
    va_list args;

    assert(r->n < READINGS_MAX);
    va_start(args, format);
    vsnprintf(at->name, sizeof(at->name), format, args);
    va_end(args);
    at->value = value;
    at->unit = unit;
    r->n++;
}

double reading_value(const struct readings *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->list[i].name, name))
            return r->list[i].value;
    return NAN;
}
