import CoreVideo
import Pipeline
import Testing

@Suite("Count of copied pictures")
struct PictureCopiesTests {
    @Test("a copy is counted under its step, with the bytes of its rows")
    func count() {
        func copies() -> (count: Int, bytes: Int) { PictureCopies.report.first { $0.step == .rotation }.map { ($0.count, $0.bytes) } ?? (0, 0) }
        let before = copies()
        // Rows are padded to 64 bytes: two of luma, one of chroma.
        PictureCopies.count(.rotation, of: CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        PictureCopies.count(.rotation, bytes: 5)
        #expect(copies().count == before.count + 2)
        #expect(copies().bytes == before.bytes + 3 * 64 + 5)
    }
}
