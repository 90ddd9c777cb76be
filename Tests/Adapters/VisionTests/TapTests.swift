import CoreVideo
import Foundation
import Media
import Pipeline
import Testing

@testable import Vision

@Suite("Taps on real things", .enabled(if: Pictures.hasShared, "needs ../shared/data"))
struct TapTests {
    /// Mean overlap over the three taps of all things, and that of each thing, to be read.
    private func overlap(of things: [TapThings.Thing], network: ObjectNet? = nil) throws -> (mean: Double, list: String) {
        var (sum, list) = (0.0, "")
        for thing in things {
            let picture = try ReducedPicture(thing.frame.image)
            let finder = try SalientFinder(picture: picture, disparity: thing.map)
            let overlaps = try thing.taps.map { tap in
                let found = try network?.thing(at: tap, in: picture) ?? finder.object(at: tap)
                return found?.box.overlap(with: thing.box) ?? 0
            }
            let mean = overlaps.reduce(0, +) / Double(overlaps.count)
            sum += mean
            list += " \(thing.name) \(Int((mean * 100).rounded()))"
        }
        return (sum / Double(things.count), list)
    }

    @Test("boxes fit, on the whole")
    func boxes() throws {
        let (mean, list) = try overlap(of: TapThings.drawn() + TapThings.masked())
        #expect(mean >= 0.6, "mean \(mean):\(list)")
    }

    @Test("in company and before clutter they fit less well")
    func clutter() throws {
        let (mean, list) = try overlap(of: TapThings.tabled())
        #expect(mean >= 0.5, "mean \(mean):\(list)")
    }

    @Test("an object network knows better", arguments: ["yolo-fastest-1.1.weights", "FastestDet.onnx"])
    func network(_ model: String) throws {
        let network = try ObjectNet(path: "\(Pictures.shared)/models/\(model)")
        let (mean, list) = try overlap(of: TapThings.drawn() + TapThings.masked(), network: network)
        #expect(mean >= 0.63, "mean \(mean):\(list)")
    }
}
