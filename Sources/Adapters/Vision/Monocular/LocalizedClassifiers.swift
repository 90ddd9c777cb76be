import Foundation

/// Colours on both sides of the outlines of subjects, which tell what their masks miss and what they take along (Bai et al., "Video SnapCut: robust video
/// object cutout using localized classifiers", SIGGRAPH 2009).
struct LocalizedClassifiers {
    let (tones, detail): (Raster, Raster)
    let palette: [Float]

    /// Of a picture in CIE Lab, as large as masks and larger.
    init(_ tones: Raster, detail: Raster) {
        (self.tones, self.detail) = (tones, detail)
        palette = Self.palette(of: tones)
    }

    /// Masks as the colours make them, sampled once more by the outline that they have told, of the larger picture's size; and how surely the colours say
    /// that a pixel belongs to none, 0…1. What no mask had belongs to the nearest one; what stands in front of the plate, by its evidence `foreground`
    /// (-1…1), is not taken from any: a spout may shine as white as a shirt.
    func refine(_ masks: [SoftMask], foreground: [Float]) -> (masks: [SoftMask], background: SoftMask) {
        let (width, height) = (tones.width, tones.height)
        guard !masks.isEmpty else { return ([], SoftMask(width: width, height: height)) }
        var union = SoftMask(width: width, height: height)
        masks.forEach { union.raise(to: $0) }
        var front = union
        for at in foreground.indices where foreground[at] < BackgroundPlate.surely { front.values[at] = 0 }
        var coarse = classified(union, in: tones).mask
        coarse.raise(to: front)
        var told = classified(coarse, in: detail)
        told.mask.raise(to: front.enlarged(width: detail.width, height: detail.height))
        var background = told.background.reduced(width: width, height: height)
        for at in foreground.indices { background.values[at] *= 1 - max(foreground[at], 0) }
        guard masks.count > 1 else { return ([told.mask], background) }
        let owners = Self.owners(of: masks)
        let columns = (0..<detail.width).map { $0 * width / detail.width }
        let refined = masks.indices.map { index in
            var mask = masks[index].enlarged(width: detail.width, height: detail.height)
            for y in 0..<detail.height {
                let row = y * height / detail.height * width
                for x in 0..<detail.width {
                    let (at, isOwn) = (y * detail.width + x, owners[row + columns[x]] == index)
                    mask.values[at] = isOwn ? told.mask.values[at] : min(mask.values[at], told.mask.values[at])
                }
            }
            return mask
        }
        return (refined, background)
    }

    /// Index of the nearest mask for each pixel.
    private static func owners(of masks: [SoftMask]) -> [Int] {
        let distances = masks.map { $0.distance() }
        return distances[0].indices.map { at in masks.indices.min { distances[$0][at] < distances[$1][at] }! }
    }
}
