import CPixelLoops
import CoreVideo
import Foundation
import JPEGFiles
import Support

extension Picture {
    /// The picture without alpha, laid over black as far as it is transparent.
    var withoutAlpha: Picture {
        guard components % 2 == 0 else { return self }
        let kept = components - 1
        var result = Data(capacity: width * height * kept)
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: components) {
                let alpha = Int(bytes[start + kept])
                for index in start..<start + kept { result.append(UInt8((Int(bytes[index]) * alpha + 127) / 255)) }
            }
        }
        return Picture(width: width, height: height, components: kept, bytes: result)
    }

    /// Bitmap of the picture: grey, or four bytes a pixel with alpha last.
    var image: CGImage? {
        let pixels =
            switch components {
            case 2: bytes.arranged(step: 2, [0, 0, 0, 1])
            case 3: bytes.arranged(step: 3, [0, 1, 2, -1])
            default: bytes
            }
        let depth = components == 1 ? 1 : 4
        let alpha: CGImageAlphaInfo = components == 1 ? .none : components == 3 ? .noneSkipLast : .last
        let space = components == 1 ? CGColorSpaceCreateDeviceGray() : CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()
        guard let provider = CGDataProvider(data: pixels as CFData) else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 8 * depth, bytesPerRow: width * depth, space: space,
            bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue), provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }

    /// Copies a bitmap of 8 bits a component: grey, RGB, or four bytes a pixel in either byte order; nil for another.
    package init?(_ image: CGImage) {
        guard image.bitsPerComponent == 8, !image.bitmapInfo.contains(.floatComponents), let bytes = image.dataProvider?.data as Data? else {
            return nil
        }
        let alpha = image.alphaInfo
        let order: [Int]
        switch (image.colorSpace?.model, image.bitsPerPixel, alpha) {
        case (.monochrome, 8, .none): order = [0]
        case (.rgb, 24, .none): order = [0, 1, 2]
        case (.rgb, 32, .first), (.rgb, 32, .premultipliedFirst): order = [1, 2, 3, 0]
        case (.rgb, 32, .noneSkipFirst): order = [1, 2, 3]
        case (.rgb, 32, .last), (.rgb, 32, .premultipliedLast): order = [0, 1, 2, 3]
        case (.rgb, 32, .noneSkipLast): order = [0, 1, 2]
        default: return nil
        }
        let isLittle = image.byteOrderInfo == .order32Little && image.bitsPerPixel == 32
        guard isLittle || image.byteOrderInfo == .orderDefault || image.byteOrderInfo == .order32Big else { return nil }
        let places = order.map { Int8(isLittle ? 3 - $0 : $0) }
        let isMultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
        let (step, stride, width) = (image.bitsPerPixel / 8, image.bytesPerRow, image.width)
        var result = Data(capacity: width * image.height * places.count)
        for y in 0..<image.height {
            let start = bytes.startIndex + y * stride
            result += bytes[start..<start + width * step].arranged(step: step, places)
        }
        if isMultiplied { result.divideByAlpha() }
        self.init(width: width, height: image.height, components: places.count, bytes: result)
    }

    /// The picture with its longer side at most `side` pixels, each the mean of those it replaces; itself where it is no larger.
    func reduced(to side: Int) -> Picture {
        let longer = max(width, height)
        guard side > 0, longer > side else { return self }
        let size = (max(1, (width * side + longer / 2) / longer), max(1, (height * side + longer / 2) / longer))
        var result = Data(count: size.0 * size.1 * components)
        result.withUnsafeMutableBytes { result in
            bytes.withUnsafeBytes { bytes in
                for y in 0..<size.1 {
                    let rows = y * height / size.1..<max((y + 1) * height / size.1, y * height / size.1 + 1)
                    let (source, target) = (bytes.bytes + rows.lowerBound * width * components, result.bytes + y * size.0 * components)
                    CPixelLoops_mean(source, width, rows.count, Int32(components), target, size.0)
                }
            }
        }
        return Picture(width: size.0, height: size.1, components: components, bytes: result)
    }

    /// The picture turned upright, as EXIF numbers orientations: 1…8; itself for another number.
    func upright(from orientation: Int) -> Picture {
        guard (2...8).contains(orientation) else { return self }
        let isSideways = orientation >= 5
        let size = isSideways ? (height, width) : (width, height)
        var result = Data(count: bytes.count)
        result.withUnsafeMutableBytes { result in
            bytes.withUnsafeBytes { bytes in
                for y in 0..<size.1 {
                    // Start of the row, and the distance of its pixels.
                    let (column, row, step): (Int, Int, Int) =
                        switch orientation {
                        case 2: (width - 1, y, -1)
                        case 3: (width - 1, height - 1 - y, -1)
                        case 4: (0, height - 1 - y, 1)
                        case 5: (y, 0, width)
                        case 6: (y, height - 1, -width)
                        case 7: (width - 1 - y, height - 1, -width)
                        default: (width - 1 - y, 0, width)
                        }
                    CPixelLoops_gather(
                        bytes.bytes + (row * width + column) * components, step, result.bytes + y * size.0 * components, size.0, Int32(components))
                }
            }
        }
        return Picture(width: size.0, height: size.1, components: components, bytes: result)
    }
}

extension Data {
    /// Bytes of each pixel of `step` bytes at `places`, in this order; 255 for a place below 0.
    fileprivate func arranged(step: Int, _ places: [Int8]) -> Data {
        guard !isEmpty else { return self }
        var result = Data(count: count / step * places.count)
        result.withUnsafeMutableBytes { result in
            withUnsafeBytes { CPixelLoops_arrange($0.bytes, step, places, Int32(places.count), result.bytes, $0.count / step) }
        }
        return result
    }

    /// Divides colours by their alpha, four bytes a pixel: files hold colours that alpha is not multiplied into.
    fileprivate mutating func divideByAlpha() {
        withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 4) {
                let alpha = Int(bytes[start + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for index in start..<start + 3 { bytes[index] = UInt8(Swift.min(255, (Int(bytes[index]) * 255 + alpha / 2) / alpha)) }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var bytes: UnsafeMutablePointer<UInt8> { baseAddress!.assumingMemoryBound(to: UInt8.self) }
}

extension CGImage {
    /// Decodes a JPEG file; nil for another. `decode` is ignored.
    public convenience init?(
        jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) { self.init(.jpeg, source, shouldInterpolate, intent) }

    /// Decodes a PNG file; nil for another. `decode` is ignored.
    public convenience init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) { self.init(.png, source, shouldInterpolate, intent) }

    private convenience init?(
        _ format: PictureFileFormat, _ source: CGDataProvider, _ shouldInterpolate: Bool, _ intent: CGColorRenderingIntent
    ) {
        guard let file = source.data as Data?, PictureFileFormat(file) == format, let image = (try? Picture(file, format))?.image,
            let space = image.colorSpace, let pixels = image.dataProvider
        else { return nil }
        self.init(
            width: image.width, height: image.height, bitsPerComponent: image.bitsPerComponent, bitsPerPixel: image.bitsPerPixel,
            bytesPerRow: image.bytesPerRow, space: space, bitmapInfo: image.bitmapInfo, provider: pixels, decode: nil,
            shouldInterpolate: shouldInterpolate, intent: intent)
    }
}
