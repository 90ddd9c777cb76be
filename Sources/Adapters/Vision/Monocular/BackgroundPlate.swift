import Foundation

/// Picture of the background alone, gathered where no subject was and carried along with the camera: what differs from it stands in front of it.
///
/// A running normal distribution of the colour of each pixel (Wren et al., "Pfinder", PAMI 1997). What is only darker may be a shadow (Horprasert et
/// al., "A statistical approach for real-time robust background subtraction and shadow detection", ICCV 1999) unless it is thin, and the best of
/// 3 x 3 pixels counts, as no registration is exact. In front of a camera that moves through a room it knows little, as parallax is no affine motion.
struct BackgroundPlate {
    /// Least standard deviations of lightness and of colour, in steps of CIE Lab, and the most by which light deviates, squared.
    static let (lightness, colour, widest): (Float, Float, Float) = (5, 2.5, 400)
    /// Part of what is darker that counts, and share of the lightness by which a shadow darkens at most.
    static let (shadow, darkest): (Float, Float) = (0.4, 0.4)
    /// Squared distance in standard deviations that says nothing, and difference from it that is certain.
    private static let (unsure, certain): (Float, Float) = (5, 4)
    /// Evidence from which on something stands in front of it, and -1 times that up to which it is background, where colours say otherwise.
    static let surely: Float = 0.3
    /// Pictures in which a pixel has to have been seen: to be known, to be trusted, to be trusted fully, and for what is found in front of it later to be
    /// no part of it; and the most that are counted.
    static let (known, trusted, proven, lasting, most): (Float, Float, Float, Float, Float) = (4, 12, 60, 75, 100)
    /// Trust in what is just trusted.
    private static let early: Float = 0.7
    /// Least share by which a pixel goes to a newer colour.
    private static let share: Float = 0.04
    /// Offset of a corner, in pixels, from which on the plate is warped: a camera that stands must not soften it.
    private static let stir: Float = 0.3
    /// Least share of the picture that has to be known to tell of the camera and of the light.
    private static let told = 0.1

    /// Sums of steps of CIE Lab between neighbours: within a part of one colour at most, and across the outline of a ghost in the mean; of the steps in the
    /// plate that share at most; and pairs of pixels that make an outline.
    private static let (alike, faint, weaker, border): (Float, Float, Float, Int) = (14, 14, 0.5, 4)

    private let (width, height): (Int, Int)
    /// L, a and b.
    private(set) var means: [[Float]]
    /// Squared deviation of L.
    private(set) var spread: [Float]
    /// Number of pictures in which each pixel was seen.
    private(set) var seen: [Float]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        let plane = [Float](repeating: 0, count: width * height)
        (means, spread, seen) = ([plane, plane, plane], plane, plane)
    }

    /// Registers it to a picture; where `moving` is half and more, the picture tells nothing of the camera.
    mutating func align(to tones: Raster, moving: SoftMask?) throws(VisionError) {
        let (now, own) = (Raster(width: width, height: height), Raster(width: width, height: height))
        var untold = moving ?? SoftMask(width: width, height: height)
        var count = 0
        for at in seen.indices {
            let isKnown = seen[at] >= Self.known
            now.bytes[at] = tones.bytes[3 * at]
            own.bytes[at] = isKnown ? UInt8(min(max(means[0][at], 0), 255)) : now.bytes[at]
            if isKnown { count += 1 } else { untold.values[at] = 1 }
        }
        guard Double(count) > Self.told * Double(seen.count) else { return }
        let camera = try DenseFlow(from: now, to: own).ofCamera(from: now, to: own, known: untold)
        guard camera.reachOfCorners > Self.stir else { return }
        means = means.map(camera.carried)
        (spread, seen) = (camera.carried(spread), camera.carried(seen))
        for y in 0..<height {
            for x in 0..<width where camera.entersAt(x, y) { seen[y * width + x] = 0 }
        }
    }

    /// For each pixel, -1 where it looks like the background, 1 where it does not, 0 where that is not known. Where most of the picture does not, it is
    /// the light or the camera that has changed, and nothing is known any more.
    mutating func evidence(of tones: Raster) -> [Float] {
        let result = differences(of: tones)
        let trusted = seen.indices.filter { seen[$0] >= Self.trusted }
        let others = trusted.count { result[$0] > 0.5 * Self.early }
        guard Double(trusted.count) > Self.told * Double(seen.count), 2 * others > trusted.count else { return result }
        seen = seen.map { _ in 0 }
        return result.map { _ in 0 }
    }

    private func differences(of tones: Raster) -> [Float] {
        var result = distances(of: tones)
        for at in result.indices {
            let difference = min(max((result[at] - Self.unsure) / Self.certain, -1), 1)
            result[at] = seen[at] >= Self.known ? difference * Self.trust(seen[at]) : 0
        }
        return result
    }

    /// Trust in a pixel by the number of pictures in which it was seen, 0…1.
    private static func trust(_ seen: Float) -> Float {
        let lasting = min(max((seen - trusted) / (proven - trusted), 0), 1)
        return early * min(seen / trusted, 1) + (1 - early) * lasting
    }

    /// Forgets a part where somebody has been found, who may have stood there before, by the evidence of pixels that surely are theirs, `core`: everything
    /// where most of them look like it, nothing where most stand in front of it, and else what it has not known for long.
    mutating func forget(in box: PixelBox, core: [Float], where isSubject: (Int, Int) -> Bool) {
        guard 2 * core.count(where: { $0 > 0 }) <= core.count else { return }
        let isInIt = 2 * core.count { $0 < 0 } > core.count
        for y in box.y..<box.y + box.height {
            for x in box.x..<box.x + box.width where isSubject(x, y) && (isInIt || seen[y * width + x] < Self.lasting) { seen[y * width + x] = 0 }
        }
    }

    /// Forgets ghosts, which is what has gone from where it stood: parts of one colour in front of the plate that begin beside background of the same
    /// colour, where the plate has an edge (Cucchiara et al., "Detecting moving objects, ghosts, and shadows in video streams", PAMI 2003, tell them by
    /// their motion; by edges, what has stopped is none). `evidence`, that of the picture, says nothing there any more.
    mutating func forgetGhosts(in tones: Raster, _ evidence: inout [Float]) {
        var isOpen = evidence.map { $0 > 0 }
        let isInFront = isOpen
        for start in isOpen.indices where isOpen[start] {
            var (part, next) = ([start], 0)
            var (pairs, now, before) = (0, Float(0), Float(0))
            isOpen[start] = false
            while next < part.count {
                let at = part[next]
                next += 1
                let (x, y) = (at % width, at / width)
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] where isInside(x + dx, y + dy) {
                    let beside = (y + dy) * width + x + dx
                    if isOpen[beside], Self.step(tones, at, beside) < Self.alike {
                        isOpen[beside] = false
                        part.append(beside)
                    }
                    // Evidence is that of the best neighbour: the outline lies a pixel farther out.
                    guard !isInFront[beside], isInside(x + 2 * dx, y + 2 * dy) else { continue }
                    let beyond = (y + 2 * dy) * width + x + 2 * dx
                    guard !isInFront[beyond], seen[beyond] >= Self.known, seen[at] >= Self.known else { continue }
                    pairs += 1
                    now += Self.step(tones, at, beyond)
                    before += means.reduce(0) { $0 + abs($1[at] - $1[beyond]) }
                }
            }
            guard pairs >= Self.border, now < Self.faint * Float(pairs), now < Self.weaker * before else { continue }
            for at in part {
                seen[at] = 0
                evidence[at] = 0
            }
        }
    }

    private func isInside(_ x: Int, _ y: Int) -> Bool { x >= 0 && y >= 0 && x < width && y < height }

    private static func step(_ tones: Raster, _ one: Int, _ other: Int) -> Float {
        Float((0..<3).reduce(0) { $0 + abs(Int(tones.bytes[3 * one + $1]) - Int(tones.bytes[3 * other + $1])) })
    }

    /// Takes in a picture where it is background.
    mutating func learn(_ tones: Raster, where isBackground: (Int) -> Bool) {
        for at in seen.indices where isBackground(at) {
            let share = max(1 / (seen[at] + 1), Self.share)
            let light = Float(tones.bytes[3 * at]) - means[0][at]
            // The first colour is no deviation.
            if seen[at] > 0 { spread[at] += share * (min(light * light, Self.widest) - spread[at]) }
            for channel in means.indices { means[channel][at] += share * (Float(tones.bytes[3 * at + channel]) - means[channel][at]) }
            seen[at] = min(seen[at] + 1, Self.most)
        }
    }
}
