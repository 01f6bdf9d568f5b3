#include "sim/figures.h"

#include <math.h>

#include "model/refuse.h"
#include "model/status.h"

const char *uncalibrated(double value)
{
    return isnan(value) ? " (a calibrated constant that no calibration supplied)" : "";
}

int figures_positive(const struct figure list[], size_t n, char *why, size_t nwhy)
{
    for (size_t i = 0; i < n; i++)
        if (!(list[i].value > 0 && isfinite(list[i].value)))
            return refuse(why, nwhy, "%s: expected a positive number, got %g%s", list[i].key, list[i].value,
                          uncalibrated(list[i].value));
    return E_OK;
}

int figures_not_negative(const struct figure list[], size_t n, char *why, size_t nwhy)
{
    for (size_t i = 0; i < n; i++)
        if (!(list[i].value >= 0 && isfinite(list[i].value)))
            return refuse(why, nwhy, "%s: expected 0 or more, got %g%s", list[i].key, list[i].value,
                          uncalibrated(list[i].value));
    return E_OK;
}

int counts_within(const struct count list[], size_t n, char *why, size_t nwhy)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].value < list[i].least || list[i].value > list[i].most)
            return refuse(why, nwhy, "%s: expected %lld to %lld, got %lld", list[i].key, (long long)list[i].least,
                          (long long)list[i].most, (long long)list[i].value);
    return E_OK;
}
