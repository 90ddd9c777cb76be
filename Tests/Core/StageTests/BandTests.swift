import Synchronization
import Testing

@testable import Stage

@Suite("Bands of rows")
struct BandTests {
    @Test("cover every row once and never part the two rows of a chroma row", arguments: [2, 36, 38, 90, 180, 288, 360, 720, 1080, 2160])
    func cover(rows: Int) {
        let bands = Mutex<[Range<Int>]>([])
        forEachBand(of: rows) { band in bands.withLock { $0.append(band) } }
        let ordered = bands.withLock { $0.sorted { $0.lowerBound < $1.lowerBound } }
        #expect(ordered.map(\.lowerBound) == [0] + ordered.dropLast().map(\.upperBound))
        #expect(ordered.last?.upperBound == rows)
        #expect(ordered.allSatisfy { $0.lowerBound % 2 == 0 && !$0.isEmpty })
    }
}
