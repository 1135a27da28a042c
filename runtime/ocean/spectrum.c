#include "runtime/ocean/ocean.h"

#include "runtime/math/det_math.h"

#include <math.h>

static const double gamma_peak = 3.3, grown_up = 0.855, steepness_grown_up = 0.0081;

/* Of a sea that has grown up, or has not yet: its waves are shorter. */
double ocean_peak(const OceanSpec *spec) {
    double growing = 22 * det_exp(det_log(OCEAN_GRAVITY * OCEAN_GRAVITY / (spec->wind * spec->fetch)) / 3);
    double grown = grown_up * OCEAN_GRAVITY / spec->wind;
    return growing > grown ? growing : grown;
}

static double steepness(const OceanSpec *spec) {
    double growing = 0.076 * det_exp(0.22 * det_log(spec->wind * spec->wind / (spec->fetch * OCEAN_GRAVITY)));
    return growing > steepness_grown_up ? growing : steepness_grown_up;
}

double ocean_density(const OceanSpec *spec, double omega) {
    double peak = ocean_peak(spec), ratio = peak / omega, square = ratio * ratio;
    double width = omega <= peak ? 0.07 : 0.09, off = (omega - peak) / (width * peak);
    double higher = det_exp(det_log(gamma_peak) * det_exp(-0.5 * off * off));
    double power = omega * omega * omega * omega * omega;
    return steepness(spec) * OCEAN_GRAVITY * OCEAN_GRAVITY / power * det_exp(-1.25 * square * square) * higher;
}

double ocean_share(const OceanSpec *spec, double omega, double cosine) {
    double peak = ocean_peak(spec), ratio = omega / peak, half = 0.5 + 0.5 * cosine; /* cos^2 of half the angle */
    double swifter = spec->wind * peak / OCEAN_GRAVITY - 1.17;
    double narrow = ratio < 1 ? 6.97 * det_exp(4.06 * det_log(ratio)) : 9.77 * det_exp((-2.33 - 1.45 * swifter) * det_log(ratio));
    return half > 1e-12 ? det_exp(narrow * det_log(half)) : 0;
}

double ocean_significant_height(const OceanSpec *spec) {
    enum { STEPS = 2000 };
    double peak = ocean_peak(spec), from = 0.4 * peak, to = 12 * peak, sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += ocean_density(spec, from + (to - from) * (i + 0.5) / STEPS);
    return 4 * sqrt(sum * (to - from) / STEPS);
}
