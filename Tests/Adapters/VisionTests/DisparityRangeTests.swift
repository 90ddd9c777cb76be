import Testing

@testable import Vision

@Suite("Range of disparities that are searched")
struct DisparityRangeTests {
    /// Disparities found, and the range that is due.
    private static let cases: [(ClosedRange<Double>, Range<Int>)] = [
        (3...40, 0..<64), (0...59, 0..<64), (0...60, 0..<128), (20...75, 16..<80), (80...120, 76..<140), (10...120, 6..<134), (2...300, 0..<256),
        (50...400, 46..<302),
    ]

    @Test("holds what was found in as few steps as can be, and room for what comes nearer", arguments: cases)
    func fits(found: ClosedRange<Double>, due: Range<Int>) {
        var range = DisparityRange()
        range.fit(found, tolerance: 4)
        #expect(range.searched == due, "\(found): \(range.searched)")
    }

    @Test("stays where nothing is found, and while the scene stays in it")
    func stays() {
        var range = DisparityRange()
        range.fit(80...120, tolerance: 4)
        let before = range.searched
        for found: ClosedRange<Double>? in [nil, 81...130, 82...118] {
            range.fit(found, tolerance: 4)
            #expect(range.searched == before)
        }
        range.fit(60...120, tolerance: 4)
        #expect(range.searched.lowerBound <= 56 && range.searched.upperBound > 124)
    }

    @Test("becomes longer at once, shorter only when less has been enough for a while")
    func patience() {
        var range = DisparityRange()
        range.fit(0...100, tolerance: 4)
        #expect(range.searched == 0..<128)
        for _ in 1..<DisparityRange.patience { range.fit(0...40, tolerance: 4) }
        range.fit(0...100, tolerance: 4)
        #expect(range.searched == 0..<128)
        for _ in 0..<DisparityRange.patience { range.fit(0...40, tolerance: 4) }
        #expect(range.searched == 0..<64)
    }
}
