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
                let found = try network?.thing(at: tap, in: picture)?.box ?? finder.object(at: tap)?.box
                return found?.overlap(with: thing.box) ?? 0
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

    @Test("one tap anywhere on an outline finds its box and most of its pixels")
    func outlines() throws {
        var (boxes, masks, list) = ([Double](), [Double](), "")
        for outline in try TapOutlines.all() {
            let finder = try SalientFinder(picture: ReducedPicture(outline.frame.image), disparity: Pictures.map(2, 2) { _, _ in 0 })
            let found = try outline.taps.map { try finder.object(at: $0) }
            boxes += found.map { $0?.box.overlap(with: outline.box) ?? 0 }
            masks += found.map { $0.map(outline.overlap) ?? 0 }
            list += "\n\(outline.name): boxes \(boxes.suffix(5)), pixels \(masks.suffix(5))"
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        func share(_ values: [Double]) -> Double { Double(values.count { $0 > 0.5 }) / Double(values.count) }
        let text = "boxes \(mean(boxes)), \(share(boxes)) above .5; pixels \(mean(masks)), \(share(masks)) above .5:\(list)"
        #expect(mean(boxes) >= 0.6 && share(boxes) >= 0.65, "\(text)")
        #expect(mean(masks) >= 0.5 && share(masks) >= 0.6, "\(text)")
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
