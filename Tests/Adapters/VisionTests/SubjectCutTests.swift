import Foundation
import Testing

@testable import Vision

@Suite("Cutting out a subject")
struct SubjectCutTests {
    /// Half-open columns and rows of hair, of trousers, and of a wall of the hair's colour beside them; what lies around has another.
    private static let hair = (columns: 16..<28, rows: 6..<18)
    private static let trousers = (columns: 16..<28, rows: 18..<42)
    private static let wall = (columns: 28..<40, rows: 20..<40)

    @Test("background that is known reaches as far as no edge ends it, though the subject has its colour and the rim is behind one")
    func enclosed() throws {
        let tones = Raster(width: 48, height: 48, channels: 3)
        func paint(_ part: (columns: Range<Int>, rows: Range<Int>), _ colour: [UInt8]) {
            for y in part.rows { for x in part.columns { for channel in 0..<3 { tones.pixel(x, y)[channel] = colour[channel] } } }
        }
        paint((0..<48, 0..<48), [200, 128, 128])
        paint(Self.hair, [60, 140, 150])
        paint(Self.trousers, [90, 120, 90])
        paint(Self.wall, [60, 140, 150])
        var prior = SubjectPrior(box: try #require(PixelBox(CGRect(x: 0, y: 0, width: 48, height: 48), in: tones)))
        func isIn(_ part: (columns: Range<Int>, rows: Range<Int>), _ at: Int) -> Bool {
            part.columns.contains(at % 48) && part.rows.contains(at / 48)
        }
        prior.add(width: 48) { _, at in isIn(Self.hair, at) || isIn(Self.trousers, at) ? 1.5 : isIn(Self.wall, at) ? 0.5 : -2 }
        prior.mark(width: 48) { isIn((19..<25, 9..<15), $0) || isIn((19..<25, 24..<36), $0) ? .object : nil }
        func share(of part: (columns: Range<Int>, rows: Range<Int>), in mask: SoftMask) -> Float {
            let values = mask.values.indices.filter { isIn(part, $0) }.map { mask.values[$0] }
            return values.reduce(0, +) / Float(values.count)
        }
        let unaware = try SubjectCut(tones: tones).mask(prior, weight: 3)
        #expect(share(of: Self.wall, in: unaware) > 0.9)
        prior.exclude(width: 48) { isIn((34..<40, Self.wall.rows), $0) || isIn((19..<25, 9..<15), $0) }
        let mask = try SubjectCut(tones: tones).mask(prior, weight: 3)
        #expect(share(of: Self.wall, in: mask) < 0.1)
        #expect(share(of: Self.hair, in: mask) > 0.9 && share(of: Self.trousers, in: mask) > 0.9)
    }
}
