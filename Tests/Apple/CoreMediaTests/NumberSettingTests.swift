import CoreVideo
import Foundation
import Testing

@Suite("Numbers in settings")
struct NumberSettingTests {
    @Test("are numbers whatever their type, as where each is one of Foundation's")
    func types() {
        let values: [Any] = [7, Int64(7), UInt8(7), OSType(7), CGFloat(7), 7.0, Float(7), NSNumber(value: 7), NSNumber(value: 7.0)]
        for value in values { #expect(NumberSetting.number(value) == 7 && NumberSetting.integer(value) == 7, "\(type(of: value))") }
        #expect(NumberSetting.number(true) == 1 && NumberSetting.number(NSNumber(value: false)) == 0)
        #expect(NumberSetting.number(CGFloat(2.75)) == 2.75 && NumberSetting.integer(NSNumber(value: 2.75)) == 2)
        #expect(NumberSetting.number("7") == nil && NumberSetting.number(nil) == nil && NumberSetting.integer(Double.infinity) == nil)
    }

    @Test("a pool takes sizes of any of them")
    func pool() throws {
        let size = CGSize(width: 6, height: 4)
        let attributes: [String: Any] = [
            kCVPixelBufferWidthKey as String: size.width, kCVPixelBufferHeightKey as String: size.height,
            kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA),
        ]
        var pool: CVPixelBufferPool?
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == kCVReturnSuccess)
        var buffer: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBuffer(nil, try #require(pool), &buffer)
        #expect(buffer.map { CVPixelBufferGetWidth($0) } == 6 && buffer.map { CVPixelBufferGetHeight($0) } == 4)
    }
}
