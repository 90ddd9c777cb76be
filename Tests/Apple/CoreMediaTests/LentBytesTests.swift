import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("A pixel buffer over an app's bytes")
struct LentBytesTests {
    private final class Count: @unchecked Sendable { var released: [Int] = [] }

    @Test("reads and writes them, and gives them back once when nobody holds it")
    func packed() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 4)
        defer { bytes.deallocate() }
        let count = Count()
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreateWithBytes(
            nil, 3, 2, kCVPixelFormatType_32BGRA, bytes, 50,
            { reference, base in
                let count = Unmanaged<Count>.fromOpaque(reference!).takeUnretainedValue()
                count.released.append(Int(bitPattern: base))
            }, Unmanaged.passUnretained(count).toOpaque(), nil, &buffer)
        #expect(status == kCVReturnSuccess && CVPixelBufferGetBytesPerRow(buffer!) == 50 && CVPixelBufferGetWidth(buffer!) == 3)
        CVPixelBufferGetBaseAddress(buffer!)!.storeBytes(of: 0xAABB_CCDD, toByteOffset: 50, as: UInt32.self)
        #expect(bytes.load(fromByteOffset: 50, as: UInt8.self) == 0xDD && count.released.isEmpty)
        buffer = nil
        #expect(count.released == [Int(bitPattern: bytes)])
    }

    @Test("has the app's planes, and refuses rows and planes that are too small")
    func planar() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 4)
        defer { bytes.deallocate() }
        var bases: [UnsafeMutableRawPointer?] = [bytes, bytes + 40]
        var (widths, heights, rows) = ([4, 2], [4, 2], [8, 8])
        let count = Count()
        var buffer: CVPixelBuffer?
        func make(_ planes: Int = 2) -> CVReturn {
            CVPixelBufferCreateWithPlanarBytes(
                nil, 4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 64, planes, &bases, &widths, &heights, &rows,
                { reference, base, size, planes, bases in
                    let count = Unmanaged<Count>.fromOpaque(reference!).takeUnretainedValue()
                    count.released += [size, planes, bases![1]! - base!]
                }, Unmanaged.passUnretained(count).toOpaque(), nil, &buffer)
        }
        #expect(make() == kCVReturnSuccess)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer!, 1) == bytes + 40 && CVPixelBufferGetHeightOfPlane(buffer!, 1) == 2)
        buffer = nil
        #expect(count.released == [64, 2, 40])
        #expect(make(1) == kCVReturnInvalidPixelFormat)
        rows[0] = 3
        #expect(make() == kCVReturnInvalidArgument)
        (rows[0], heights[1]) = (8, 1)
        #expect(make() == kCVReturnInvalidArgument && buffer == nil && count.released.count == 3)
        let status = CVPixelBufferCreateWithBytes(nil, 4, 4, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, bytes, 8, nil, nil, nil, &buffer)
        #expect(status == kCVReturnInvalidPixelFormat)
    }
}
