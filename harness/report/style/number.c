#include "harness/report/style/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool number_format_ok(const char *format)
{
    int conversions = 0;

    for (const char *p = format; *p; p++) {
        if (*p != '%')
            continue;
        if (p[1] == '%') {
            p++;
            continue;
        }
        p += 1 + strspn(p + 1, "+-# 0");
        p += strspn(p, "0123456789");
        p += *p == '.';
        p += strspn(p, "0123456789");
        if (!*p || !strchr("efg", *p))
            return false;
        conversions++;
    }
    return conversions == 1 && strlen(format) < NUMBER_SIZE / 2;
}

void number_print(char *text, const char *format, double value)
{
    char *minus;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, NUMBER_SIZE, format, value);
#pragma GCC diagnostic pop
    minus = strchr(text, '-');
    if (minus && signbit(value) && value > -1 && !strpbrk(minus, "123456789")) {
        if (strchr(format, '+'))
            *minus = '+';
        else
            memmove(minus, minus + 1, strlen(minus));
    }
}

const char *number_format(double value)
{
    return fabs(value) >= 1000 ? "%.0f" : value > -1 && value < 0 ? "%.3g" : "%.4g";
}
