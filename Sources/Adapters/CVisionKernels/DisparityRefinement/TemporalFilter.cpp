#include "TemporalFilter.hpp"

#include <algorithm>
#include <cmath>

namespace rackfocus {

namespace {

float median(std::vector<float> &values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// State and measurements of one row.
struct FilterRow {
    float *value, *trust, *average, *held;
    const uint8_t *stillness;
    uint8_t *age;
};

TARGET_CLONES void filterRow(const FilterRow row, int width, int oldest, float tolerance, float slack) {
    float *const values = row.value, *const trusts = row.trust, *const averages = row.average, *const helds = row.held;
    const uint8_t *const stillness = row.stillness;
    uint8_t *const ages = row.age;
#pragma clang loop vectorize(assume_safety)
    for (int x = 0; x < width; x++) {
        const int age = ages[x];
        const float value = values[x], past = averages[x], held = helds[x];
        const bool isKnown = (stillness[x] > 0) & (age > 0), isSeen = trusts[x] > 0;
        const bool agrees = isKnown & isSeen & (std::abs(value - past) < tolerance);
        const int older = age + 1 < oldest ? age + 1 : oldest, younger = age > 2 ? age - 2 : 0;
        const float average = past + (value - past) / static_cast<float>(older);
        const float least = average - slack, most = average + slack, raised = held < least ? least : held, near = raised > most ? most : raised;
        const int next = agrees ? older : (isKnown ? younger : isSeen);
        const float given = agrees ? near : (isKnown ? held : value);
        ages[x] = static_cast<uint8_t>(next);
        averages[x] = agrees ? average : (isKnown ? past : value);
        helds[x] = given;
        values[x] = given;
        trusts[x] = ((next > 0) | isSeen) ? 1.f : 0.f;
    }
}

TARGET_CLONES void averageFilledRow(
    float *__restrict filled, float *__restrict last, const uint8_t *__restrict stillness, const uint8_t *__restrict age, int width, float step) {
    for (int x = 0; x < width; x++) {
        const float change = filled[x] - last[x];
        const bool isAnother = (age[x] == 2) & (stillness[x] > 2) & (std::abs(change) > step);
        // A filled value changes with every pixel that is or is not measured beside it: it follows slowly.
        const float slowness = ((age[x] == 0) & (stillness[x] > 0)) ? 3.f : 1.f;
        const float value = isAnother ? filled[x] : last[x] + change / (slowness * static_cast<float>(stillness[x] + 1));
        last[x] = value;
        filled[x] = value;
    }
}

} // namespace

void TemporalFilter::prepare(PlaneView<const float> disparity) {
    if (averages.hasSize(disparity))
        return;
    averages.copy(disparity);
    held.copy(disparity);
    ages.resize(disparity.width, disparity.height);
    ages.fill(0);
}

float TemporalFilter::flicker(TemporalAverage &picture, PlaneView<const float> disparity, PlaneView<const float> trust) {
    differences.clear();
    for (int y = 0; y < disparity.height; y += 2)
        for (int x = 0; x < disparity.width; x += 2)
            if (picture.age.at(x, y) > 0 && ages.at(x, y) > 0 && trust.at(x, y) > 0)
                differences.push_back(std::abs(disparity.at(x, y) - averages.at(x, y)));
    // Of a normal distribution.
    return 1.4826f * median(differences);
}

void TemporalFilter::apply(TemporalAverage &picture, PlaneView<float> disparity, PlaneView<float> trust, float tolerance, float slack) {
    for (int y = 0; y < disparity.height; y++)
        filterRow(
            {disparity.row(y), trust.row(y), averages.row(y), held.row(y), picture.age.row(y), ages.row(y)}, disparity.width, picture.oldest,
            tolerance, slack);
}

void TemporalFilter::applyToFilled(TemporalAverage &picture, PlaneView<float> filled, float step) {
    if (!lastFilled.hasSize(filled))
        lastFilled.copy(filled);
    for (int y = 0; y < filled.height; y++)
        averageFilledRow(filled.row(y), lastFilled.row(y), picture.age.row(y), ages.row(y), filled.width, step);
}

} // namespace rackfocus
