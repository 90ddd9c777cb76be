import CoreVideo
import Foundation
import Testing

@Suite("Pixel formats")
struct PixelFormatTests {
    private var all: [OSType] { CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes(nil) as? [OSType] ?? [] }

    @Test("have the codes of their names, each its own")
    func codes() {
        #expect(all.count == 99 && Set(all).count == all.count)
        for (format, code) in [
            (kCVPixelFormatType_32RGBA, "RGBA"), (kCVPixelFormatType_64RGBAHalf, "RGhA"), (kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, "xf20"),
            (kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, "x422"), (kCVPixelFormatType_Lossy_32BGRA, "-BGA"),
            (kCVPixelFormatType_14Bayer_RGGB, "rgg4"), (kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar, "s4as"),
        ] { #expect(format == code.utf8.reduce(0) { $0 << 8 | OSType($1) }) }
        #expect(kCVPixelFormatType_24RGB == 24 && kCVPixelFormatType_32ARGB == 32 && kCVPixelFormatType_8IndexedGray_WhiteIsZero == 40)
    }

    @Test("are described by their planes, subsampling, components and range")
    func descriptions() throws {
        let video = try #require(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        let planes = try #require(video[kCVPixelFormatPlanes] as? [CFDictionary])
        #expect(planes.map { $0[kCVPixelFormatBitsPerBlock] as? Int } == [8, 16])
        #expect(planes[1][kCVPixelFormatHorizontalSubsampling] as? Int == 2 && planes[0][kCVPixelFormatHorizontalSubsampling] == nil)
        #expect(video[kCVPixelFormatContainsYCbCr] as? Bool == true && video[kCVPixelFormatContainsRGB] as? Bool == false)
        #expect(video[kCVPixelFormatComponentRange] as? CFString == kCVPixelFormatComponentRange_VideoRange)
        let packed = try #require(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, kCVPixelFormatType_32BGRA))
        #expect(packed[kCVPixelFormatBitsPerBlock] as? Int == 32 && packed[kCVPixelFormatContainsAlpha] as? Bool == true)
        #expect(packed[kCVPixelFormatPlanes] == nil && packed[kCVPixelFormatConstant] as? OSType == kCVPixelFormatType_32BGRA)
        #expect(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, 0xFFFF_FFFF) == nil)
    }

    @Test("make buffers with room for every pixel of every plane, or none where pixels are no whole bytes")
    func buffers() throws {
        var refused = 0
        for format in all {
            var made: CVPixelBuffer?
            guard CVPixelBufferCreate(nil, 6, 4, format, nil, &made) == kCVReturnSuccess else {
                refused += 1
                #expect(made == nil)
                continue
            }
            let buffer = try #require(made)
            let description = try #require(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, format))
            let planes = (description[kCVPixelFormatPlanes] as? [CFDictionary]) ?? [description]
            #expect(CVPixelBufferIsPlanar(buffer) == (planes.count > 1))
            for (index, plane) in planes.enumerated() {
                let width = 6 / (plane[kCVPixelFormatHorizontalSubsampling] as? Int ?? 1)
                let bits = try #require(plane[kCVPixelFormatBitsPerBlock] as? Int)
                #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, index) >= width * bits / 8 && CVPixelBufferGetWidthOfPlane(buffer, index) == width)
                #expect(CVPixelBufferGetHeightOfPlane(buffer, index) == 4 / (plane[kCVPixelFormatVerticalSubsampling] as? Int ?? 1))
            }
        }
        #expect(refused == 10)
    }
}
