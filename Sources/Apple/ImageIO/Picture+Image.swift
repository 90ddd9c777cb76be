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
        var pixels = bytes
        if components != 1 {
            pixels = Data(capacity: width * height * 4)
            for start in stride(from: 0, to: bytes.count, by: components) {
                let colour = components == 2 ? [0, 0, 0] : [0, 1, 2]
                for offset in colour { pixels.append(bytes[bytes.startIndex + start + offset]) }
                pixels.append(components % 2 == 0 ? bytes[bytes.startIndex + start + components - 1] : 255)
            }
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
        let places = isLittle ? order.map { 3 - $0 } : order
        let isMultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
        let (step, stride, width) = (image.bitsPerPixel / 8, image.bytesPerRow, image.width)
        var result = Data(capacity: width * image.height * places.count)
        bytes.withUnsafeBytes { bytes in
            for y in 0..<image.height {
                for x in 0..<width {
                    let start = y * stride + x * step
                    let alpha = isMultiplied ? Int(bytes[start + places[3]]) : 255
                    for (index, place) in places.enumerated() {
                        let value = Int(bytes[start + place])
                        // Files hold colours that alpha is not multiplied into.
                        result.append(UInt8(index < 3 && alpha > 0 ? min(255, (value * 255 + alpha / 2) / alpha) : value))
                    }
                }
            }
        }
        self.init(width: width, height: image.height, components: places.count, bytes: result)
    }

    /// The picture with its longer side at most `side` pixels, each the mean of those it replaces; itself where it is no larger.
    func reduced(to side: Int) -> Picture {
        let longer = max(width, height)
        guard side > 0, longer > side else { return self }
        let size = (max(1, (width * side + longer / 2) / longer), max(1, (height * side + longer / 2) / longer))
        var result = Data(capacity: size.0 * size.1 * components)
        bytes.withUnsafeBytes { bytes in
            for y in 0..<size.1 {
                let rows = y * height / size.1..<max((y + 1) * height / size.1, y * height / size.1 + 1)
                for x in 0..<size.0 {
                    let columns = x * width / size.0..<max((x + 1) * width / size.0, x * width / size.0 + 1)
                    for component in 0..<components {
                        var sum = 0
                        for row in rows { for column in columns { sum += Int(bytes[(row * width + column) * components + component]) } }
                        let count = rows.count * columns.count
                        result.append(UInt8((sum + count / 2) / count))
                    }
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
        var result = Data(capacity: bytes.count)
        bytes.withUnsafeBytes { bytes in
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let (column, row): (Int, Int) =
                        switch orientation {
                        case 2: (width - 1 - x, y)
                        case 3: (width - 1 - x, height - 1 - y)
                        case 4: (x, height - 1 - y)
                        case 5: (y, x)
                        case 6: (y, height - 1 - x)
                        case 7: (width - 1 - y, height - 1 - x)
                        default: (width - 1 - y, x)
                        }
                    let start = (row * width + column) * components
                    result.append(contentsOf: bytes[start..<start + components])
                }
            }
        }
        return Picture(width: size.0, height: size.1, components: components, bytes: result)
    }
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
