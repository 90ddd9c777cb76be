#include "CLensKernels.h"
#include "TargetClones.hpp"

namespace {

template <typename T>
__attribute__((always_inline)) inline int hasLight(const T *luma, const T *chroma, int count, const rf_light_coding &coding, float knee) {
    int lit = 0;
    for (int x = 0; x < count; x += 2) {
        const float y = float(luma[x]) * coding.unit - coding.black;
        const float blue = (float(chroma[x]) * coding.unit - coding.grey) * coding.blue;
        const float red = (float(chroma[x + 1]) * coding.unit - coding.grey) * coding.red;
        const float green = (blue * coding.blue_weight + red * coding.red_weight) * coding.green;
        const float colour = red > blue ? red : blue;
        lit |= y / coding.luma_range + (green > colour ? green : colour) > knee;
    }
    return lit;
}

TARGET_CLONES int hasLight8(const uint8_t *luma, const uint8_t *chroma, int count, const rf_light_coding &coding, float knee) {
    return hasLight(luma, chroma, count, coding, knee);
}

TARGET_CLONES int hasLight16(const uint16_t *luma, const uint16_t *chroma, int count, const rf_light_coding &coding, float knee) {
    return hasLight(luma, chroma, count, coding, knee);
}

} // namespace

extern "C" int rf_has_light8(const uint8_t *luma, const uint8_t *chroma, int count, rf_light_coding coding, float knee) {
    return hasLight8(luma, chroma, count, coding, knee);
}

extern "C" int rf_has_light16(const uint16_t *luma, const uint16_t *chroma, int count, rf_light_coding coding, float knee) {
    return hasLight16(luma, chroma, count, coding, knee);
}
