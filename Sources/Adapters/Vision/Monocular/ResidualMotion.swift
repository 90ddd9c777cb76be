import Foundation

/// Evidence of motion against the camera's: residual flow over a tenth of a second, remembered for a moment and carried along.
struct ResidualMotion {
    /// Nanoseconds between the pictures that are compared; slow motion is noise between neighbours.
    private static let interval: Int64 = 100_000_000
    /// Time constants of coming and going, seconds.
    private static let (rise, fall) = (0.08, 0.15)
    /// Share of the picture beyond which it is the camera that moves in a way no plane explains.
    private static let most = 0.6

    private var earlier: [(time: Int64, luma: Raster)] = []
    /// Evidence, 0…1 for each pixel; nil before the second picture.
    private(set) var evidence: SoftMask?

    /// Takes in a picture; `flow` leads to the one before, nil for the first.
    mutating func step(_ luma: Raster, at time: Int64, flow: DenseFlow?) throws(VisionError) {
        defer { earlier.append((time, luma)) }
        guard let flow, let last = earlier.last else { return }
        while earlier.count > 1, time - earlier[1].time >= Self.interval { earlier.removeFirst() }
        var memory = evidence.map(flow.carried) ?? SoftMask(width: luma.width, height: luma.height)
        let long = earlier.count > 1 ? try DenseFlow(from: luma, to: earlier[0].luma) : flow
        let fresh = long.residualMotion(from: luma, to: earlier[0].luma, known: memory)
        let elapsed = Double(time - last.time) * 1e-9
        let (rise, fall) = (Float(1 - exp(-elapsed / Self.rise)), Float(exp(-elapsed / Self.fall)))
        let isTooMuch = fresh.area > Self.most
        for at in memory.values.indices {
            let (old, new) = (memory.values[at], isTooMuch ? 0 : fresh.values[at])
            memory.values[at] = new > old ? old + (new - old) * rise : max(old * fall, new)
        }
        evidence = memory
    }
}
