import CoreGraphics
import CoreVideo
import Pipeline
import Testing

@testable import AVFCapture

@Suite("Distances measured where a detector told none")
struct MeasuredDistanceTests {
    @Test("a pet's head is no farther away than its body: what is farther lies behind the pet")
    func pets() {
        let buffer = CVPixelBuffer(width: 40, height: 20, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<20 { for x in 0..<40 { buffer.plane(0).row(y, as: Float.self)[x] = x < 20 ? 0.5 : 0.1 } }
        let map = DisparityMap(buffer: buffer)
        let (body, beside) = (CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.6), CGRect(x: 0.6, y: 0.2, width: 0.2, height: 0.2))
        func head(_ kind: Detection.Kind, group: Int = 7, of other: Detection.Kind = .dogBody, _ disparity: Double? = nil) -> Double? {
            let whole = Detection(objectID: 1, groupID: 7, kind: other, bounds: body)
            return map.measured([Detection(objectID: 2, groupID: group, kind: kind, bounds: beside, disparity: disparity), whole])[0].disparity
        }
        func isAt(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? 0) - expected) < 0.001 }
        #expect(isAt(head(.dogHead), 0.5) && isAt(head(.catHead, of: .catBody), 0.5))
        #expect(isAt(head(.humanHead, of: .humanBody), 0.1) && isAt(head(.dogHead, group: 8), 0.1) && isAt(head(.dogHead, 0.2), 0.2))
    }
}
