import Foundation
import Testing

@testable import Vision

@Suite("OpenCV and dlib behind the exception boundary")
struct ExceptionBoundaryTests {
    @Test("whatever the picture and wherever the box, there is an answer and no crash", arguments: 1...24)
    func fuzz(seed: Int) throws {
        var dice = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        func next(_ range: ClosedRange<Double>) -> Double { range.lowerBound + (range.upperBound - range.lowerBound) * dice.share() }
        func box() -> CGRect {
            let odd = [0, 1, -5, 1e6, -1e6, 1e-9, .nan, .infinity]
            func value(_ range: ClosedRange<Double>) -> Double { next(0...1) < 0.2 ? odd[Int(next(0...7.99))] : next(range) }
            return CGRect(x: value(-50...150), y: value(-50...150), width: value(0...120), height: value(0...120))
        }
        let (width, height) = (2 * Int(next(1...80)), 2 * Int(next(1...60)))
        let picture = try ReducedPicture(Pictures.picture(width, height, luma: { _, _ in Int(next(0...255)) }))
        let flow = try Flow()
        try flow.push(picture.luma)
        try flow.push(picture.luma)
        let finder = try HeadFinder()
        for _ in 0..<6 {
            let box = box()
            for hit in try finder.faces(in: picture.luma, region: box, scale: next(0...4), angle: next(-180...180), levels: 2, isNew: true) {
                #expect(hit.box.width.isFinite && hit.box.minX.isFinite)
            }
            #expect(try (0...1).contains(flow.motion(of: box).agreement))
            if box.minX.isFinite, box.minY.isFinite, box.width.isFinite, box.height.isFinite, box.width < 200, box.height < 200 {
                #expect(abs(try Appearance.colours(of: box, in: picture).reduce(0, +) - 2) < 1e-6)
            }
        }
        #expect(try picture.colours(width: 64, height: 36).count == 64 * 36 * 3)
    }
}
