import CoreVideo
import Foundation
import Testing

@Suite("Pixel buffers and their pool")
struct PixelBufferTests {
    @Test("planes have the sizes of their format, rows of 64 bytes and pages of their own")
    func layout() {
        let buffer = CVPixelBuffer(width: 322, height: 182, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferGetPlaneCount(buffer) == 2)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) == 384)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) == 384)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 161)
        #expect(CVPixelBufferGetHeightOfPlane(buffer, 1) == 91)
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == nil)
        for index in 0..<2 { #expect(UInt(bitPattern: buffer.plane(index).base) % 4096 == 0) }
        #expect(CVPixelBufferGetDataSize(buffer) >= 384 * 182 + 384 * 91)
    }

    @Test(
        "a packed format has no planes and rows wide enough",
        arguments: [
            (kCVPixelFormatType_32BGRA, 4), (kCVPixelFormatType_DisparityFloat32, 4), (kCVPixelFormatType_OneComponent8, 1),
            (kCVPixelFormatType_OneComponent16, 2),
        ])
    func packed(_ format: OSType, _ bytes: Int) {
        let buffer = CVPixelBuffer(width: 33, height: 3, pixelFormat: format)
        #expect(CVPixelBufferGetPlaneCount(buffer) == 0)
        #expect(!CVPixelBufferIsPlanar(buffer))
        #expect(CVPixelBufferGetBytesPerRow(buffer) == (33 * bytes + 63) / 64 * 64)
    }

    @Test("odd pictures round their chroma up")
    func odd() {
        let buffer = CVPixelBuffer(width: 3, height: 3, pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
        #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 2)
        #expect(CVPixelBufferGetHeightOfPlane(buffer, 1) == 2)
    }

    @Test("every byte of every row can be written, and rows do not overlap")
    func rows() {
        let buffer = CVPixelBuffer(width: 5, height: 4, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for plane in 0..<2 {
            for y in 0..<buffer.plane(plane).height {
                for x in 0..<buffer.plane(plane).bytesPerRow { buffer.plane(plane).row(y, as: UInt8.self)[x] = UInt8(plane * 100 + y) }
            }
        }
        for plane in 0..<2 {
            for y in 0..<buffer.plane(plane).height { #expect(buffer.plane(plane).row(y, as: UInt8.self)[4] == UInt8(plane * 100 + y)) }
        }
    }

    @Test("the pool hands out memory again once its last owner let go, and not before")
    func reuse() {
        let pool = CVPixelBufferPool(width: 64, height: 64, pixelFormat: kCVPixelFormatType_32BGRA)
        var first: CVPixelBuffer? = pool.makeBuffer()
        let address = first!.plane(0).base
        let second = pool.makeBuffer()
        #expect(second.plane(0).base != address)
        first = nil
        let third = pool.makeBuffer()
        #expect(third.plane(0).base == address)
        withExtendedLifetime(second) {}
    }

    @Test("a limited pool refuses at its limit, and serves again after")
    func limit() {
        let pool = CVPixelBufferPool(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8, limit: 2)
        var held = [pool.tryMakeBuffer(), pool.tryMakeBuffer()]
        #expect(held.allSatisfy { $0 != nil })
        #expect(pool.tryMakeBuffer() == nil)
        held.removeLast()
        #expect(pool.tryMakeBuffer() != nil)
    }

    @Test("a buffer outlives its pool")
    func outlives() {
        var pool: CVPixelBufferPool? = CVPixelBufferPool(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8)
        let buffer = pool!.makeBuffer()
        pool = nil
        buffer.plane(0).row(7, as: UInt8.self)[7] = 9
        #expect(buffer.plane(0).row(7, as: UInt8.self)[7] == 9)
    }

    @Test("an unknown format or an empty size gives no buffer")
    func unknown() {
        #expect(CVPixelBufferPool(width: 8, height: 8, pixelFormat: 0x3F3F_3F3F, limit: 1).tryMakeBuffer() == nil)
        #expect(CVPixelBufferPool(width: 0, height: 8, pixelFormat: kCVPixelFormatType_32BGRA).tryMakeBuffer() == nil)
    }
}
