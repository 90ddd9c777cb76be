import Foundation

/// Colours that a subject surely has: what has them and looks like the background may be either.
struct FamiliarColours {
    /// Steps of CIE Lab per bin, and bins of a channel.
    private static let (step, bins) = (16, 16)
    /// Least share of the pixels that are certain in a bin.
    private static let share = 0.04
    /// Steps of lightness by which pixels are told from each other.
    private static let varied = UInt8(4 * BackgroundPlate.lightness)

    private var isFamiliar = [Bool](repeating: false, count: bins * bins * bins)

    /// Of what a prior is certain of.
    init(of prior: SubjectPrior, in tones: Raster) {
        var counts = [Int](repeating: 0, count: isFamiliar.count)
        var all = 0
        for y in 0..<prior.box.height {
            for x in 0..<prior.box.width where prior.labels[y * prior.box.width + x] == .object {
                all += 1
                for bin in Self.binsAround(tones.pixel(prior.box.x + x, prior.box.y + y)) { counts[bin] += 1 }
            }
        }
        for bin in counts.indices { isFamiliar[bin] = Double(counts[bin]) > Self.share * Double(all) }
    }

    /// Whether a pixel that looks like the background, `foreground` being less than 0, may be the subject all the same: it has the subject's colours, and
    /// those of the pixels beside it that look like the background, too, are alike. By chance nobody looks like it tone by tone.
    func mayHide(_ at: Int, in tones: Raster, _ foreground: [Float]) -> Bool {
        guard contains(tones, at) else { return false }
        var (darkest, lightest) = (tones.bytes[3 * at], tones.bytes[3 * at])
        let (x, y, width) = (at % tones.width, at / tones.width, tones.width)
        for row in max(y - 1, 0)...min(y + 1, tones.height - 1) {
            for beside in row * width + max(x - 1, 0)...row * width + min(x + 1, width - 1) where foreground[beside] < 0 {
                darkest = min(darkest, tones.bytes[3 * beside])
                lightest = max(lightest, tones.bytes[3 * beside])
            }
        }
        return lightest - darkest <= Self.varied
    }

    private func contains(_ tones: Raster, _ at: Int) -> Bool {
        let pixel = tones.bytes + 3 * at
        return isFamiliar[Self.bin(Int(pixel[0]) / Self.step, Int(pixel[1]) / Self.step, Int(pixel[2]) / Self.step)]
    }

    private static func bin(_ l: Int, _ a: Int, _ b: Int) -> Int { (l * bins + a) * bins + b }

    /// The bins within half a step of a colour.
    private static func binsAround(_ pixel: UnsafePointer<UInt8>) -> [Int] {
        func near(_ value: UInt8) -> [Int] {
            let (low, high) = (max(Int(value) - step / 2, 0) / step, min(Int(value) + step / 2, 255) / step)
            return low == high ? [low] : [low, high]
        }
        return near(pixel[0]).flatMap { l in near(pixel[1]).flatMap { a in near(pixel[2]).map { bin(l, a, $0) } } }
    }
}
