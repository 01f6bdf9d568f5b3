/* refuse.c - writes the reason of a failed check. */
#include "model/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "model/status.h"

int refuse(char *why, size_t nwhy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (nwhy)
        vsnprintf(why, nwhy, format, args);
    va_end(args);
    return E_INVAL;
}
