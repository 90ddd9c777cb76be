import CoreVideo
import Foundation
import ImageIO
import Testing

@Suite("Files of pictures")
struct ImageFileTests {
    /// Picture of RGBA bytes, alpha last.
    private func image(_ width: Int, _ height: Int, _ pixels: [[UInt8]]) throws -> CGImage {
        let provider = try #require(CGDataProvider(data: Data(pixels.joined()) as CFData))
        return try #require(
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * width, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil, shouldInterpolate: false,
                intent: .defaultIntent))
    }

    private var quarters: CGImage {
        get throws { try image(2, 2, [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 255], [9, 8, 7, 0]]) }
    }

    private func file(_ image: CGImage, _ type: String, _ properties: [CFString: Any] = [:]) throws -> Data {
        let data = NSMutableData()
        let destination = try #require(CGImageDestinationCreateWithData(data as CFMutableData, type as CFString, 1, nil))
        CGImageDestinationAddImage(destination, image, properties as CFDictionary)
        #expect(CGImageDestinationFinalize(destination))
        #expect(!CGImageDestinationFinalize(destination), "once")
        return data as Data
    }

    @Test("PNG keeps every pixel and its alpha")
    func png() throws {
        let picture = try quarters
        let source = try #require(CGImageSourceCreateWithData(try file(picture, "public.png") as CFData, nil))
        #expect(CGImageSourceGetType(source) == "public.png" && CGImageSourceGetCount(source) == 1)
        #expect(CGImageSourceGetStatus(source) == .statusComplete)
        let container = try #require(CGImageSourceCopyProperties(source, nil))
        #expect(container[kCGImagePropertyFileSize] as? Int == (try file(picture, "public.png").count))
        let read = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        #expect(read.alphaInfo == .last && read.dataProvider?.data == picture.dataProvider?.data)
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        #expect(properties[kCGImagePropertyPixelWidth] as? Int == 2 && properties[kCGImagePropertyHasAlpha] as? Bool == true)
    }

    @Test("bitmaps are decoded from a provider's file of the kind that is named")
    func providers() throws {
        let png = try #require(CGDataProvider(data: try file(try quarters, "public.png") as CFData))
        let read = try #require(CGImage(pngDataProviderSource: png, decode: nil, shouldInterpolate: true, intent: .defaultIntent))
        #expect(read.dataProvider?.data == (try quarters).dataProvider?.data)
        #expect(CGImage(jpegDataProviderSource: png, decode: nil, shouldInterpolate: true, intent: .defaultIntent) == nil)
        let jpeg = try #require(CGDataProvider(data: try file(try quarters, "public.jpeg") as CFData))
        #expect(CGImage(jpegDataProviderSource: jpeg, decode: nil, shouldInterpolate: false, intent: .defaultIntent)?.width == 2)
        let broken = try #require(CGDataProvider(data: Data([0xFF, 0xD8, 0xFF]) as CFData))
        #expect(CGImage(jpegDataProviderSource: broken, decode: nil, shouldInterpolate: true, intent: .defaultIntent) == nil)
    }

    @Test("bitmaps of other layouts are stored in the order of files", arguments: [true, false])
    func layouts(isLittle: Bool) throws {
        // One pixel, half transparent, its colours multiplied.
        let pixel: [UInt8] = isLittle ? [10, 20, 30, 128] : [128, 30, 20, 10]
        let provider = try #require(CGDataProvider(data: Data(pixel) as CFData))
        let order: CGBitmapInfo = isLittle ? .byteOrder32Little : []
        let bitmap = try #require(
            CGImage(
                width: 1, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: order.union(CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedFirst.rawValue)), provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent))
        let source = try #require(CGImageSourceCreateWithData(try file(bitmap, "public.png") as CFData, nil))
        let bytes = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil)?.dataProvider?.data as Data?)
        #expect(Array(bytes) == [60, 40, 20, 128])
    }

    private let properties: [CFString: Any] = [
        kCGImagePropertyOrientation: 6,
        kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFMake: "Maker", kCGImagePropertyTIFFXResolution: 72] as [CFString: Any],
        kCGImagePropertyExifDictionary: [
            kCGImagePropertyExifExposureTime: 1.0 / 60, kCGImagePropertyExifISOSpeedRatings: [250], kCGImagePropertyExifFNumber: 2.8,
            kCGImagePropertyExifExposureBiasValue: -0.5, kCGImagePropertyExifUserComment: "hello", "NotATag": 1,
        ] as [CFString: Any],
        kCGImagePropertyGPSDictionary: [
            kCGImagePropertyGPSLatitude: 47.5, kCGImagePropertyGPSLatitudeRef: "N", kCGImagePropertyGPSTimeStamp: "12:34:56",
            kCGImagePropertyGPSAltitudeRef: 1,
        ] as [CFString: Any],
    ]

    @Test("EXIF, TIFF and GPS come back as they were written", arguments: ["public.jpeg", "public.png"])
    func metadata(type: String) throws {
        let source = try #require(CGImageSourceCreateWithData(try file(quarters, type, properties) as CFData, nil))
        let read = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        #expect(read[kCGImagePropertyOrientation] as? Int == 6)
        let tiff = try #require(read[kCGImagePropertyTIFFDictionary] as? [CFString: Any])
        #expect(tiff["Make"] as? String == "Maker" && tiff["XResolution"] as? Double == 72 && tiff["Orientation"] as? Int == 6)
        let exif = try #require(read[kCGImagePropertyExifDictionary] as? [CFString: Any])
        #expect(exif["ExposureTime"] as? Double == 1.0 / 60 && exif["ISOSpeedRatings"] as? [Int] == [250] && exif["FNumber"] as? Double == 2.8)
        #expect(exif["ExposureBiasValue"] as? Double == -0.5 && exif["UserComment"] as? String == "hello" && exif["NotATag"] == nil)
        let gps = try #require(read[kCGImagePropertyGPSDictionary] as? [CFString: Any])
        #expect(gps["Latitude"] as? Double == 47.5 && gps["TimeStamp"] as? String == "12:34:56" && gps["AltitudeRef"] as? Int == 1)
    }

    @Test("a file that is encoded anew keeps its properties under new ones")
    func copied() throws {
        let source = try #require(CGImageSourceCreateWithData(try file(quarters, "public.jpeg", properties) as CFData, nil))
        let data = NSMutableData()
        let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
        CGImageDestinationAddImageFromSource(destination, source, 0, [kCGImagePropertyOrientation: 1])
        #expect(CGImageDestinationFinalize(destination))
        let read = try #require(CGImageSourceCreateWithData(data as CFData, nil).flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) })
        #expect(read[kCGImagePropertyOrientation] as? Int == 1)
        #expect((read[kCGImagePropertyGPSDictionary] as? [CFString: Any])?["LatitudeRef"] as? String == "N")
    }

    @Test("metadata is changed under the keys of properties, and goes with the picture into the data that had it")
    func changed() throws {
        let data = NSMutableData(data: try file(try quarters, "public.jpeg", [kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFArtist: "Maya"]]))
        let source = try #require(CGImageSourceCreateWithData(Data(referencing: data) as CFData, nil))
        let read = try #require(CGImageSourceCopyMetadataAtIndex(source, 0, nil))
        #expect(CGImageSourceCopyMetadataAtIndex(source, 1, nil) == nil)
        let metadata = try #require(CGImageMetadataCreateMutableCopy(read))
        CGImageMetadataSetValueMatchingImageProperty(metadata, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitude, 48.5 as CFTypeRef)
        CGImageMetadataSetValueMatchingImageProperty(metadata, kCGImagePropertyGPSDictionary, kCGImagePropertyGPSLatitudeRef, "S" as CFTypeRef)
        let destination = try #require(CGImageDestinationCreateWithData(data as CFMutableData, "public.jpeg", 1, nil))
        CGImageDestinationAddImageAndMetadata(destination, try quarters, metadata, nil)
        #expect(CGImageDestinationFinalize(destination))
        let written = try #require(CGImageSourceCreateWithData(data as CFData, nil))
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(written, 0, nil) as? [String: Any])
        let (place, tiff) = (properties["{GPS}"] as? [String: Any], properties["{TIFF}"] as? [String: Any])
        #expect(place?["Latitude"] as? Double == 48.5 && place?["LatitudeRef"] as? String == "S" && tiff?["Artist"] as? String == "Maya")
    }

    @Test("JPEG's quality decides on the size, and grey stays near")
    func jpeg() throws {
        let pixels = (0..<64 * 64).map { index -> [UInt8] in
            let value = UInt8(truncatingIfNeeded: index * 37 + index / 64 * 11)
            return [value, value, value, 255]
        }
        let noise = try image(64, 64, pixels)
        let sizes = try [0.95, 0.1].map { try file(noise, "public.jpeg", [kCGImageDestinationLossyCompressionQuality: $0]).count }
        #expect(sizes[0] > 2 * sizes[1])
        let flat = try image(8, 8, Array(repeating: [120, 120, 120, 255], count: 64))
        let source = try #require(CGImageSourceCreateWithData(try file(flat, "public.jpeg") as CFData, nil))
        let bytes = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil)?.dataProvider?.data as Data?)
        #expect(bytes.enumerated().allSatisfy { $0.offset % 4 == 3 || abs(Int($0.element) - 120) <= 2 })
    }

    @Test("a thumbnail is as large as told, and upright where told")
    func thumbnails() throws {
        let wide = try image(4, 2, Array(repeating: [200, 0, 0, 255], count: 4) + Array(repeating: [0, 0, 100, 255], count: 4))
        let source = try #require(CGImageSourceCreateWithData(try file(wide, "public.png", [kCGImagePropertyOrientation: 6]) as CFData, nil))
        var options: [CFString: Any] = [kCGImageSourceThumbnailMaxPixelSize: 2]
        #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) == nil, "the file has none of its own")
        options[kCGImageSourceCreateThumbnailFromImageAlways] = true
        let small = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
        #expect(small.width == 2 && small.height == 1 && (small.dataProvider?.data as Data?)?.first == 100)
        options = [kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true]
        let upright = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
        #expect(upright.width == 2 && upright.height == 4, "a quarter clockwise: the bottom row is the left column")
        #expect(upright.dataProvider?.data.map { Array($0.prefix(8)) } == [0, 0, 100, 255, 200, 0, 0, 255])
    }

    @Test("what is broken or of another format has no pictures", arguments: ["", "GIF89a", "\u{FF}\u{D8}"])
    func unknown(text: String) throws {
        let source = try #require(CGImageSourceCreateWithData(Data(text.utf8) as CFData, nil))
        #expect(CGImageSourceGetCount(source) == 0 && CGImageSourceGetType(source) == nil && CGImageSourceGetStatus(source) == .statusUnknownType)
        #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
        #expect(CGImageDestinationCreateWithData(NSMutableData(), "public.heic", 1, nil) == nil)
    }

    @Test("a file cut off or changed anywhere is read or refused, and never ends the program", arguments: ["public.jpeg", "public.png"])
    func mutated(type: String) throws {
        let whole = try file(quarters, type, properties)
        var read = 0
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 0xFF
            for data in [changed, whole.prefix(place)] {
                let source = try #require(CGImageSourceCreateWithData(Data(data) as CFData, nil))
                if CGImageSourceCopyPropertiesAtIndex(source, 0, nil) != nil { read += 1 }
                _ = CGImageSourceCreateImageAtIndex(source, 0, nil)
            }
        }
        #expect(read > 0)
    }
}
