/* Where a land lies on the earth. Its own frame has x east and z south, in meters round a place that suits it; the earth's counts
 * east and north, in meters, feet or degrees, from far away.
 *
 *     east = east + x * east_per_meter          north = north - z * north_per_meter
 */
#ifndef WORLD_BASE_REFERENCE_H
#define WORLD_BASE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Reference {
    double east, north;                     /* of x = 0, z = 0 */
    double east_per_meter, north_per_meter; /* more than 0; 0: the land lies nowhere */
    int32_t epsg;                           /* EPSG's number of what is counted so; 0: it is not said */
    bool degrees;                           /* longitude and latitude */
} Reference;

static inline bool reference_equal(const Reference *a, const Reference *b) {
    return a->east == b->east && a->north == b->north && a->east_per_meter == b->east_per_meter &&
           a->north_per_meter == b->north_per_meter && a->epsg == b->epsg && a->degrees == b->degrees;
}

#endif
