import CoreVideo
import Foundation

// vImage for pictures of 8 bits a component: scaling, turning, mirroring, components in another order, numbers. All real, in plain Swift.

/// Pixel of four components of 8 bits.
public typealias Pixel_8888 = (UInt8, UInt8, UInt8, UInt8)

/// Option: alpha stays as it is.
public let kvImageLeaveAlphaUnchanged: vImage_Flags = 1
/// Option: what lies beyond an edge is copied.
public let kvImageCopyInPlace: vImage_Flags = 2
/// Option: what lies beyond an edge has the background's colour.
public let kvImageBackgroundColorFill: vImage_Flags = 4
/// Option: the edge's pixels are repeated beyond it.
public let kvImageEdgeExtend: vImage_Flags = 8
/// Option: the size of a temporary buffer is returned, and nothing is done; it is 0 here.
public let kvImageGetTempBufferSize: vImage_Flags = 128
/// Option: a buffer is made without its memory.
public let kvImageNoAllocate: vImage_Flags = 512

/// Turn: none.
public let kRotate0DegreesClockwise: UInt8 = 0
/// Turn: a quarter, clockwise.
public let kRotate90DegreesClockwise: UInt8 = 3
/// Turn: a half.
public let kRotate180DegreesClockwise: UInt8 = 2
/// Turn: three quarters, clockwise.
public let kRotate270DegreesClockwise: UInt8 = 1
/// Turn: none.
public let kRotate0DegreesCounterClockwise: UInt8 = 0
/// Turn: a quarter, counter-clockwise.
public let kRotate90DegreesCounterClockwise: UInt8 = 1
/// Turn: a half.
public let kRotate180DegreesCounterClockwise: UInt8 = 2
/// Turn: three quarters, counter-clockwise.
public let kRotate270DegreesCounterClockwise: UInt8 = 3

/// Makes a picture with memory of `malloc`'s, which `free` gives back; rows begin at multiples of 64 bytes.
@discardableResult
public func vImageBuffer_Init(
    _ buf: UnsafeMutablePointer<vImage_Buffer>, _ height: vImagePixelCount, _ width: vImagePixelCount, _ pixelBits: UInt32, _ flags: vImage_Flags
) -> vImage_Error {
    let rowBytes = ((Int(width) * Int(pixelBits) + 7) / 8 + 63) & ~63
    let memory = flags & kvImageNoAllocate == 0 ? malloc(max(1, rowBytes * Int(height))) : nil
    buf.pointee = vImage_Buffer(data: memory, height: height, width: width, rowBytes: rowBytes)
    return memory == nil && flags & kvImageNoAllocate == 0 ? kvImageMemoryAllocationError : kvImageNoError
}

/// Scales a picture of one component to the size of another.
@discardableResult
public func vImageScale_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error { scale(src.pointee, dest.pointee, components: 1, flags) }

/// Scales a picture of four components to the size of another, each component by itself.
@discardableResult
public func vImageScale_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error { scale(src.pointee, dest.pointee, components: 4, flags) }

/// Turns a picture of one component by quarters; the other has its size, the sides changed where the quarters are odd.
@discardableResult
public func vImageRotate90_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ rotationConstant: UInt8, _ backColor: Pixel_8, _ flags: vImage_Flags
) -> vImage_Error { turn(src.pointee, dest.pointee, components: 1, rotationConstant) }

/// Turns a picture of four components by quarters; the other has its size, the sides changed where the quarters are odd.
@discardableResult
public func vImageRotate90_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ rotationConstant: UInt8, _ backColor: UnsafePointer<UInt8>,
    _ flags: vImage_Flags
) -> vImage_Error { turn(src.pointee, dest.pointee, components: 4, rotationConstant) }

/// Mirrors a picture of one component left to right.
@discardableResult
public func vImageHorizontalReflect_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { move(src.pointee, dest.pointee, components: 1) { x, y, width, _ in (width - 1 - x, y) } }

/// Mirrors a picture of four components left to right.
@discardableResult
public func vImageHorizontalReflect_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { move(src.pointee, dest.pointee, components: 4) { x, y, width, _ in (width - 1 - x, y) } }

/// Mirrors a picture of one component top to bottom.
@discardableResult
public func vImageVerticalReflect_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { move(src.pointee, dest.pointee, components: 1) { x, y, _, height in (x, height - 1 - y) } }

/// Mirrors a picture of four components top to bottom.
@discardableResult
public func vImageVerticalReflect_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { move(src.pointee, dest.pointee, components: 4) { x, y, _, height in (x, height - 1 - y) } }

/// Puts components in another order: the map has, for each of the four, the place that it comes from.
@discardableResult
public func vImagePermuteChannels_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ permuteMap: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error {
    let places = (0..<4).map { Int(permuteMap[$0]) }
    return places.allSatisfy { $0 < 4 } ? pick(src.pointee, from: 4, dest.pointee, places) : kvImageInvalidParameter
}

/// Leaves out alpha, which is first.
@discardableResult
public func vImageConvert_ARGB8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { pick(src.pointee, from: 4, dest.pointee, [1, 2, 3]) }

/// Leaves out alpha, which is last.
@discardableResult
public func vImageConvert_RGBA8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { pick(src.pointee, from: 4, dest.pointee, [0, 1, 2]) }

/// Leaves out alpha, which is last, and puts red before green and blue.
@discardableResult
public func vImageConvert_BGRA8888toRGB888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { pick(src.pointee, from: 4, dest.pointee, [2, 1, 0]) }

/// Leaves out alpha, which is last, and keeps blue before green and red.
@discardableResult
public func vImageConvert_RGBA8888toBGR888(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error { pick(src.pointee, from: 4, dest.pointee, [2, 1, 0]) }

/// Makes numbers of bytes: 0 becomes the least, 255 the greatest.
@discardableResult
public func vImageConvert_Planar8toPlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F, _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
    let slope = (maxFloat - minFloat) / 255
    return rows(src.pointee, dest.pointee) { from, to, width in
        let numbers = to.assumingMemoryBound(to: Pixel_F.self)
        for x in 0..<width { numbers[x] = minFloat + Float(from.load(fromByteOffset: x, as: UInt8.self)) * slope }
    }
}

/// Makes 32-bit numbers of those of 16 bits.
@discardableResult
public func vImageConvert_Planar16FtoPlanarF(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    rows(src.pointee, dest.pointee) { from, to, width in
        for x in 0..<width { to.storeBytes(of: Float(from.load(fromByteOffset: 2 * x, as: Float16.self)), toByteOffset: 4 * x, as: Float.self) }
    }
}

/// Makes 16-bit numbers of those of 32 bits, to the nearest.
@discardableResult
public func vImageConvert_PlanarFtoPlanar16F(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    rows(src.pointee, dest.pointee) { from, to, width in
        for x in 0..<width { to.storeBytes(of: Float16(from.load(fromByteOffset: 4 * x, as: Float.self)), toByteOffset: 2 * x, as: Float16.self) }
    }
}

/// Exchanges the bytes of 16-bit numbers, also in place.
@discardableResult
public func vImageByteSwap_Planar16U(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ flags: vImage_Flags
) -> vImage_Error {
    rows(src.pointee, dest.pointee) { from, to, width in
        for x in 0..<width { to.storeBytes(of: from.load(fromByteOffset: 2 * x, as: UInt16.self).byteSwapped, toByteOffset: 2 * x, as: UInt16.self) }
    }
}

/// Makes bytes of numbers: the least becomes 0, the greatest 255, to the nearest.
@discardableResult
public func vImageConvert_PlanarFtoPlanar8(
    _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>, _ maxFloat: Pixel_F, _ minFloat: Pixel_F, _ flags: vImage_Flags
) -> vImage_Error {
    guard maxFloat != minFloat else { return kvImageInvalidParameter }
    let slope = 255 / (maxFloat - minFloat)
    return rows(src.pointee, dest.pointee) { from, to, width in
        let numbers = from.assumingMemoryBound(to: Pixel_F.self)
        for x in 0..<width { to.storeBytes(of: byte((numbers[x] - minFloat) * slope), toByteOffset: x, as: UInt8.self) }
    }
}

private func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.isNaN ? 0 : value.rounded()))) }

/// Calls for each row of two pictures; the second is not larger.
private func rows(
    _ source: vImage_Buffer, _ target: vImage_Buffer, _ row: (UnsafeRawPointer, UnsafeMutableRawPointer, _ width: Int) -> Void
) -> vImage_Error {
    guard let from = source.data, let to = target.data else { return kvImageInvalidParameter }
    guard target.width <= source.width, target.height <= source.height else { return kvImageBufferSizeMismatch }
    for y in 0..<Int(target.height) { row(from + y * source.rowBytes, to + y * target.rowBytes, Int(target.width)) }
    return kvImageNoError
}

/// Copies components of each pixel, also in place.
private func pick(_ source: vImage_Buffer, from count: Int, _ target: vImage_Buffer, _ places: [Int]) -> vImage_Error {
    var pixel = [UInt8](repeating: 0, count: count)
    return rows(source, target) { from, to, width in
        for x in 0..<width {
            for component in 0..<count { pixel[component] = from.load(fromByteOffset: x * count + component, as: UInt8.self) }
            for (component, place) in places.enumerated() {
                to.storeBytes(of: pixel[place], toByteOffset: x * places.count + component, as: UInt8.self)
            }
        }
    }
}

/// Copies pixels from places given by those of the target; `width` and `height` are the source's.
private func move(
    _ source: vImage_Buffer, _ target: vImage_Buffer, components: Int, _ place: (_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int)
) -> vImage_Error {
    guard let from = source.data, let to = target.data else { return kvImageInvalidParameter }
    let (width, height) = (Int(source.width), Int(source.height))
    // A picture may be mirrored in place: its pixels are read before any is written.
    let pixels = (0..<height).flatMap { y in Array(UnsafeRawBufferPointer(start: from + y * source.rowBytes, count: width * components)) }
    for y in 0..<Int(target.height) {
        for x in 0..<Int(target.width) {
            let (column, row) = place(x, y, width, height)
            guard (0..<width).contains(column), (0..<height).contains(row) else { return kvImageBufferSizeMismatch }
            let first = (row * width + column) * components
            for component in 0..<components {
                to.storeBytes(of: pixels[first + component], toByteOffset: y * target.rowBytes + x * components + component, as: UInt8.self)
            }
        }
    }
    return kvImageNoError
}

private func turn(_ source: vImage_Buffer, _ target: vImage_Buffer, components: Int, _ quarters: UInt8) -> vImage_Error {
    guard quarters < 4 else { return kvImageInvalidParameter }
    let isOdd = quarters % 2 == 1
    guard target.width == (isOdd ? source.height : source.width), target.height == (isOdd ? source.width : source.height) else {
        return kvImageBufferSizeMismatch
    }
    return move(source, target, components: components) { x, y, width, height in
        switch quarters {
        case 1: (width - 1 - y, x)
        case 2: (width - 1 - x, height - 1 - y)
        case 3: (y, height - 1 - x)
        default: (x, y)
        }
    }
}

/// Scales by Lanczos' window of three lobes, of five with high quality; edges are repeated.
private func scale(_ source: vImage_Buffer, _ target: vImage_Buffer, components: Int, _ flags: vImage_Flags) -> vImage_Error {
    if flags & kvImageGetTempBufferSize != 0 { return 0 }
    guard let from = source.data, let to = target.data else { return kvImageInvalidParameter }
    let (width, height, newWidth, newHeight) = (Int(source.width), Int(source.height), Int(target.width), Int(target.height))
    guard width > 0, height > 0, newWidth > 0, newHeight > 0 else { return kvImageInvalidParameter }
    let lobes = flags & kvImageHighQualityResampling == 0 ? 3.0 : 5.0
    let columns = Taps.lanczos(0..<newWidth, scale: Double(newWidth) / Double(width), lobes: lobes)
    let rows = Taps.lanczos(0..<newHeight, scale: Double(newHeight) / Double(height), lobes: lobes)
    var across = [Float](repeating: 0, count: newWidth * height * components)
    for y in 0..<height {
        let line = UnsafeRawBufferPointer(start: from + y * source.rowBytes, count: width * components)
        for (x, taps) in columns.enumerated() {
            for (index, weight) in taps.weights.enumerated() {
                let column = max(0, min(width - 1, taps.start + index))
                for component in 0..<components {
                    across[(y * newWidth + x) * components + component] += weight * Float(line[column * components + component])
                }
            }
        }
    }
    for (y, taps) in rows.enumerated() {
        let line = to + y * target.rowBytes
        for place in 0..<newWidth * components {
            var sum: Float = 0
            for (index, weight) in taps.weights.enumerated() {
                sum += weight * across[max(0, min(height - 1, taps.start + index)) * newWidth * components + place]
            }
            line.storeBytes(of: byte(sum), toByteOffset: place, as: UInt8.self)
        }
    }
    return kvImageNoError
}
