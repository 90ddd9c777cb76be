import CoreVideo
import Foundation
import Synchronization
import Testing

@Suite("Bitmaps")
struct BitmapTests {
    private let opaque = CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue)

    private func image(width: Int, height: Int, bytesPerRow: Int, bytes: [UInt8], info: CGBitmapInfo? = nil) -> CGImage? {
        CGDataProvider(data: Data(bytes) as CFData).flatMap { provider in
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: bytesPerRow, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: info ?? opaque, provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        }
    }

    @Test("are made of a provider's bytes, whose last row needs no padding")
    func provided() throws {
        let picture = try #require(image(width: 2, height: 2, bytesPerRow: 12, bytes: Array(0..<20)))
        #expect(picture.width == 2 && picture.height == 2 && picture.bitsPerPixel == 32 && picture.alphaInfo == .noneSkipLast)
        #expect(picture.colorSpace?.model == .rgb && picture.colorSpace?.numberOfComponents == 3 && picture.dataProvider?.data?.count == 20)
        #expect(picture == picture && picture != picture.copy() && picture.copy()?.dataProvider?.data == picture.dataProvider?.data)
    }

    @Test("are refused where bytes are missing or sizes contradict each other")
    func refused() {
        #expect(image(width: 2, height: 2, bytesPerRow: 12, bytes: Array(0..<19)) == nil)
        #expect(image(width: 2, height: 2, bytesPerRow: 7, bytes: Array(0..<20)) == nil)
        #expect(image(width: 0, height: 2, bytesPerRow: 8, bytes: []) == nil)
        #expect(image(width: .max, height: 2, bytesPerRow: .max, bytes: []) == nil)
        #expect(image(width: 1, height: 1, bytesPerRow: 4, bytes: [1, 2, 3, 4], info: CGBitmapInfo(rawValue: 31)) == nil)
    }

    @Test("are cropped to whole pixels within the picture")
    func cropped() throws {
        let picture = try #require(image(width: 3, height: 2, bytesPerRow: 12, bytes: Array(0..<24)))
        let part = try #require(picture.cropping(to: CGRect(x: 1, y: 1, width: 9, height: 9)))
        #expect(part.width == 2 && part.height == 1 && part.dataProvider?.data.map { [UInt8]($0.prefix(8)) } == Array(16..<24))
        #expect(picture.cropping(to: CGRect(x: 3, y: 0, width: 1, height: 1)) == nil)
    }

    @Test("filled in memory are copied when a picture is made of them")
    func context() throws {
        let rgb = CGColorSpaceCreateDeviceRGB()
        let premultiplied = CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue
        let context = try #require(
            CGContext(data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 0, space: rgb, bitmapInfo: premultiplied))
        #expect(context.bytesPerRow >= 8 && context.bitsPerPixel == 32)
        context.data?.assumingMemoryBound(to: UInt8.self)[2] = 200
        let picture = try #require(context.makeImage())
        context.data?.assumingMemoryBound(to: UInt8.self)[2] = 0
        #expect(picture.dataProvider?.data?[2] == 200 && picture.byteOrderInfo == .order32Little)
        // Core Graphics has no bitmap of three packed components.
        #expect(CGContext(data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 6, space: rgb, bitmapInfo: 0) == nil)
        let grey = CGContext(
            data: nil, width: 3, height: 1, bitsPerComponent: 8, bytesPerRow: 3, space: CGColorSpaceCreateDeviceGray(), bitmapInfo: 0)
        #expect(grey?.bitsPerPixel == 8)
    }

    @Test("give lent bytes back when nobody needs them")
    func lent() {
        let given = Mutex(0)
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 64)
        do {
            let provider = CGDataProvider(dataInfo: nil, data: bytes, size: 64) { _, data, size in
                given.withLock { $0 += size }
                data.deallocate()
            }
            #expect(provider?.data as Data? == Data(repeating: 7, count: 64) && given.withLock { $0 } == 0)
        }
        #expect(given.withLock { $0 } == 64)
    }

    @Test("have a colour space of a known name, or a device's")
    func spaces() {
        #expect(CGColorSpace(name: CGColorSpace.displayP3)?.isWideGamutRGB == true && CGColorSpace(name: "no space") == nil)
        #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpace(name: CGColorSpace.sRGB))
        #expect(CGColorSpace(name: CGColorSpace.sRGB) != CGColorSpaceCreateDeviceRGB() && CGColorSpaceCreateDeviceGray().numberOfComponents == 1)
        let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        #expect(red.components == [1, 0, 0, 1] && red.copy(alpha: 0.5)?.alpha == 0.5 && red == CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    }
}
