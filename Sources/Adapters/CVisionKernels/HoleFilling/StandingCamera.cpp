#include "StandingCamera.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rackfocus {

namespace {

/// Blocks along a side of the picture.
const int blocks = 12;
/// Least variance of a block that can tell of motion, squared levels, beside twice that of the change by noise.
const double texture = 1;
/// The share of blocks that change least: by noise alone.
const double quiet = 0.1;
/// Most that a block moved, pixels, and the share of its variance that its motion may leave unexplained, beside the noise.
const double reach = 0.5, residue = 0.3;
/// Least share of the blocks that stand where others show another thing: of somebody who walks past close to the camera.
const double standing = 1.0 / 3;
/// Pictures after which a camera that moved stands anew.
const int patience = 3;

/// Sums over pixels of a block: of the anchor's value, differences over two pixels across and down, the change since, and their products.
struct Sums {
    int64_t value = 0, square = 0, across = 0, down = 0, change = 0;
    int64_t acrossSquare = 0, downSquare = 0, acrossDown = 0, acrossChange = 0, downChange = 0, changeSquare = 0;
    int64_t count = 0;
};

TARGET_CLONES void addRow(
    const uint8_t *__restrict above, const uint8_t *__restrict own, const uint8_t *__restrict below, const uint8_t *__restrict now, int from, int to,
    Sums &sums) {
    int value = 0, square = 0, across = 0, down = 0, change = 0;
    int acrossSquare = 0, downSquare = 0, acrossDown = 0, acrossChange = 0, downChange = 0, changeSquare = 0;
    for (int x = from; x < to; x++) {
        const int v = own[x], gx = own[x + 1] - own[x - 1], gy = below[x] - above[x], e = now[x] - v;
        value += v;
        square += v * v;
        across += gx;
        down += gy;
        change += e;
        acrossSquare += gx * gx;
        downSquare += gy * gy;
        acrossDown += gx * gy;
        acrossChange += gx * e;
        downChange += gy * e;
        changeSquare += e * e;
    }
    sums.value += value;
    sums.square += square;
    sums.across += across;
    sums.down += down;
    sums.change += change;
    sums.acrossSquare += acrossSquare;
    sums.downSquare += downSquare;
    sums.acrossDown += acrossDown;
    sums.acrossChange += acrossChange;
    sums.downChange += downChange;
    sums.changeSquare += changeSquare;
    sums.count += to - from;
}

/// Variance of a block, and of its change.
struct Variances {
    double value, change;
};

Variances variances(const Sums &sums) {
    const double n = double(std::max<int64_t>(sums.count, 1)), value = double(sums.value) / n, change = double(sums.change) / n;
    return {double(sums.square) / n - value * value, double(sums.changeSquare) / n - change * change};
}

enum class BlockMotion { stands, moved, isUnexplained };

/// Solves the two equations of a block's motion, about the means.
BlockMotion motion(const Sums &sums, Variances variances, double noise) {
    // Of two pixels' differences half is the gradient.
    const double n = double(sums.count), across = double(sums.across) / n / 2, down = double(sums.down) / n / 2, change = double(sums.change) / n;
    const double xx = double(sums.acrossSquare) / n / 4 - across * across, yy = double(sums.downSquare) / n / 4 - down * down;
    const double xy = double(sums.acrossDown) / n / 4 - across * down;
    const double xe = double(sums.acrossChange) / n / 2 - across * change, ye = double(sums.downChange) / n / 2 - down * change;
    const double little = 0.01 * (xx + yy) + 1e-6, determinant = (xx + little) * (yy + little) - xy * xy;
    const double dx = (xe * (yy + little) - ye * xy) / determinant, dy = (ye * (xx + little) - xe * xy) / determinant;
    if (variances.change - dx * xe - dy * ye >= residue * variances.value + noise)
        return BlockMotion::isUnexplained;
    return std::hypot(dx, dy) < reach ? BlockMotion::stands : BlockMotion::moved;
}

} // namespace

bool StandingCamera::isAtAnchor(PlaneView<const uint8_t> luma) {
    std::vector<Sums> sums(blocks * blocks);
    for (int y = 1; y < luma.height - 1; y += 2)
        for (int column = 0; column < blocks; column++)
            addRow(
                anchor.row(y - 1), anchor.row(y), anchor.row(y + 1), luma.row(y), std::max(column * luma.width / blocks, 1),
                std::min((column + 1) * luma.width / blocks, luma.width - 1), sums[static_cast<size_t>(y * blocks / luma.height * blocks + column)]);
    std::vector<double> changes;
    for (const Sums &each : sums)
        changes.push_back(variances(each).change);
    const auto quietest = changes.begin() + static_cast<std::ptrdiff_t>(quiet * double(changes.size()));
    std::nth_element(changes.begin(), quietest, changes.end());
    const double noise = *quietest;
    int still = 0, moved = 0, all = 0;
    for (const Sums &each : sums) {
        const Variances own = variances(each);
        if (own.value < texture + 2 * noise)
            continue;
        const BlockMotion found = motion(each, own, noise);
        all++;
        still += found == BlockMotion::stands;
        moved += found == BlockMotion::moved;
    }
    return still >= moved && still >= standing * all;
}

StandingCamera::Answer StandingCamera::next(PlaneView<const uint8_t> luma) {
    if (anchor.hasSize(luma) && isAtAnchor(luma)) {
        moved = 0;
        return Answer::stands;
    }
    if (anchor.hasSize(luma) && ++moved < patience)
        return Answer::moves;
    anchor.copy(luma);
    moved = 0;
    return Answer::hasMoved;
}

} // namespace rackfocus
