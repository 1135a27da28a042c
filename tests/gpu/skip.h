/* Opening a view in a test: a machine without GL 4.5 skips, it does not fail. */
#ifndef WORLD_TESTS_GPU_SKIP_H
#define WORLD_TESTS_GPU_SKIP_H

#include "gpu/view.h"

/* Leaves the test when there is no view to be had. */
View *open_or_skip(const ViewDesc *desc);

#endif
