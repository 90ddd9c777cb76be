import CoreVideo
import Foundation
import Testing
import Vision

@Suite("Drawing on a picture")
struct CanvasTests {
    private let picture = Pictures.picture(160, 90, luma: { _, _ in 100 })

    private func luma(_ x: Int, _ y: Int) -> Int { Int(picture.plane(0).row(y, as: UInt8.self)[x]) }
    private func chroma(_ x: Int, _ y: Int) -> [Int] {
        let row = picture.plane(1).row(y / 2, as: UInt8.self) + x / 2 * 2
        return [Int(row[0]), Int(row[1])]
    }

    @Test("a solid rectangle colours its outline and nothing else")
    func rectangle() throws {
        try PictureCanvas(picture).rectangle(CGRect(x: 20, y: 20, width: 100, height: 40), color: .white, thickness: 4)
        #expect(luma(20, 40) == 235 && luma(70, 20) == 235 && luma(119, 60) == 235)
        #expect(luma(70, 40) == 100 && luma(5, 5) == 100 && luma(140, 80) == 100)
    }

    @Test("a dashed side has lines and gaps")
    func dashes() throws {
        try PictureCanvas(picture).line(
            from: CGPoint(x: 10, y: 45), to: CGPoint(x: 150, y: 45), color: .white, thickness: 1, dashes: [20, 20])
        #expect(luma(20, 45) > 215 && luma(60, 45) > 215)
        #expect(luma(40, 45) == 100 && luma(80, 45) == 100)
    }

    @Test("a translucent bar mixes luma and chroma, over the edge too")
    func bar() throws {
        try PictureCanvas(picture).fill(CGRect(x: 100, y: 60, width: 200, height: 200), color: .init(red: 1, green: 0, blue: 0), opacity: 0.5)
        #expect(abs(luma(130, 80) - (100 + 63) / 2) <= 1)
        #expect(abs(chroma(130, 80)[0] - (128 + 102) / 2) <= 1 && abs(chroma(130, 80)[1] - (128 + 240) / 2) <= 1)
        #expect(luma(99, 80) == 100 && chroma(90, 80) == [128, 128])
    }

    @Test(
        "white is at 203 cd/m² in HDR, and colours have the picture's own matrix and range",
        arguments: [
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVImageBufferTransferFunction_ITU_R_2100_HLG as String, 0.75),
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ as String, 0.5807),
            (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVImageBufferTransferFunction_ITU_R_709_2 as String, 1),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVImageBufferTransferFunction_ITU_R_709_2 as String, 1),
        ] as [(OSType, String, Double)])
    func codings(format: OSType, transfer: String, white: Double) throws {
        let picture = CVPixelBuffer(width: 32, height: 32, pixelFormat: format)
        CVBufferSetAttachment(picture, kCVImageBufferTransferFunctionKey, transfer, .shouldPropagate)
        CVBufferSetAttachment(picture, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_2020, .shouldPropagate)
        CVBufferSetAttachment(picture, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020, .shouldPropagate)
        let canvas = try PictureCanvas(picture)
        let whole = CGRect(x: 0, y: 0, width: 32, height: 32)
        let isDeep = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        func code(_ plane: Int, _ place: Int) -> Double {
            isDeep ? Double(picture.plane(plane).row(4, as: UInt16.self)[place]) / 256 : Double(picture.plane(plane).row(4, as: UInt8.self)[place])
        }
        canvas.fill(whole, color: .white)
        #expect(abs(code(0, 8) - (isDeep ? 16 + 219 * white : 255 * white)) < 0.6 && abs(code(1, 8) - 128) < 0.3)
        canvas.fill(whole, color: .yellow)
        #expect(code(1, 8) < 110 && code(1, 9) > 128)
        if isDeep { #expect(picture.plane(0).row(4, as: UInt16.self)[8] & 63 == 0) }
    }

    @Test("text has the width it says and stays inside its lines")
    func text() throws {
        let canvas = try PictureCanvas(picture)
        let width = try canvas.text("f/2.8", at: CGPoint(x: 10, y: 30), height: 14, color: .white)
        #expect(try width == PictureCanvas.textWidth("f/2.8", height: 14))
        var (first, last, top, bottom) = (160, 0, 90, 0)
        for y in 0..<90 {
            for x in 0..<160 where luma(x, y) > 150 { (first, last, top, bottom) = (min(first, x), max(last, x), min(top, y), max(bottom, y)) }
        }
        #expect(first >= 10 && last <= 10 + Int(width) + 1 && last > Int(width) - 6)
        #expect(top >= 28 && bottom <= 52 && bottom - top >= 12)
    }

    @Test("other formats are refused")
    func format() {
        #expect(throws: VisionError.self) { try PictureCanvas(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_32BGRA)) }
    }
}
