internal import CHEIF
import CoreVideo
import Foundation
import Pipeline

/// Reader of HEIF files (ISO/IEC 23008-12), the photos of phones, through libheif: the primary picture, upright, and its depth where the file has an
/// auxiliary picture of it, as portraits have. PQ and HLG, and more than 8 bits, stay so.
enum HEIFFile {
    /// Whether a file begins as HEIF does: a box `ftyp` of a HEIF brand.
    static func isHEIF(_ head: Data) -> Bool {
        let bytes = [UInt8](head.prefix(12))
        guard bytes.count == 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return false }
        return ["heic", "heix", "mif1", "heim", "heis", "msf1"].contains(String(decoding: bytes[8...], as: UTF8.self))
    }

    /// Reads a file; throws `MediaError`.
    static func read(_ path: String) throws(MediaError) -> Still {
        guard let context = heif_context_alloc() else { throw MediaError(code: .outOfMemory, path: path, reason: "no memory for a HEIF reader") }
        defer { heif_context_free(context) }
        try check(heif_context_read_from_file(context, path, nil), path, "cannot be read as HEIF")
        var handle: OpaquePointer?
        try check(heif_context_get_primary_image_handle(context, &handle), path, "has no primary picture")
        defer { heif_image_handle_release(handle) }
        let isWide = heif_image_handle_get_luma_bits_per_pixel(handle) > 8
        let picture = try decode(
            handle, heif_colorspace_RGB, isWide ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA, path)
        defer { heif_image_release(picture) }
        let mark = try mark(of: handle, path)
        let pixels = try isWide || mark?.isHDR == true ? widePixels(of: picture, isWide: isWide, path) : pixels(of: picture, path)
        mark?.attach(to: pixels)
        return Still(image: pixels, disparity: try disparity(of: handle, path))
    }

    private static func decode(
        _ handle: OpaquePointer?, _ space: heif_colorspace, _ chroma: heif_chroma, _ path: String
    ) throws(MediaError) -> OpaquePointer? {
        var image: OpaquePointer?
        try check(heif_decode_image(handle, &image, space, chroma, nil), path, "holds a picture that cannot be decoded")
        return image
    }

    private static func plane(
        _ image: OpaquePointer?, _ channel: heif_channel, _ path: String
    ) throws(MediaError) -> (bytes: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int) {
        var stride: Int32 = 0
        let (width, height) = (Int(heif_image_get_width(image, channel)), Int(heif_image_get_height(image, channel)))
        guard let bytes = heif_image_get_plane_readonly(image, channel, &stride), width > 0, height > 0 else {
            throw MediaError(code: .corrupt, path: path, reason: "holds a picture without pixels")
        }
        return (bytes, Int(stride), width, height)
    }

    private static func pixels(of image: OpaquePointer?, _ path: String) throws(MediaError) -> CVPixelBuffer {
        let (bytes, stride, width, height) = try plane(image, heif_channel_interleaved, path)
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<height {
            let (source, row) = (bytes + y * stride, buffer.plane(0).row(y, as: UInt8.self))
            for x in 0..<width {
                (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (
                    source[4 * x + 2], source[4 * x + 1], source[4 * x], source[4 * x + 3]
                )
            }
        }
        return buffer
    }

    /// Code points, or the profile, as phones have it; nil where the file says neither.
    private static func mark(of handle: OpaquePointer?, _ path: String) throws(MediaError) -> ColorMark? {
        var codes: UnsafeMutablePointer<heif_color_profile_nclx>?
        if heif_image_handle_get_nclx_color_profile(handle, &codes).code == heif_error_Ok, let codes {
            defer { heif_nclx_color_profile_free(codes) }
            let said = codes.pointee
            let mark = try ColorMark(
                primaries: Int(said.color_primaries.rawValue), transfer: Int(said.transfer_characteristics.rawValue), path: path)
            if let mark { return mark }
        }
        var profile = Data(count: heif_image_handle_get_raw_color_profile_size(handle))
        guard !profile.isEmpty else { return nil }
        let error = profile.withUnsafeMutableBytes { heif_image_handle_get_raw_color_profile(handle, $0.baseAddress) }
        try check(error, path, "holds a colour profile that cannot be read")
        return ICCProfile(profile).map(ColorMark.profile)
    }

    /// As `64RGBALE`, the highest code of the file 65535.
    private static func widePixels(of image: OpaquePointer?, isWide: Bool, _ path: String) throws(MediaError) -> CVPixelBuffer {
        let (bytes, stride, width, height) = try plane(image, heif_channel_interleaved, path)
        let highest = Float((1 << Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))) - 1)
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_64RGBALE)
        for y in 0..<height {
            let (source, row) = (UnsafeRawPointer(bytes + y * stride), buffer.plane(0).row(y, as: UInt16.self))
            for sample in 0..<4 * width {
                let code =
                    isWide
                    ? Float(source.load(fromByteOffset: 2 * sample, as: UInt16.self)) : Float(source.load(fromByteOffset: sample, as: UInt8.self))
                row[sample] = UInt16(min(code / highest, 1) * 65535 + 0.5)
            }
        }
        return buffer
    }

    /// Disparity of the auxiliary picture: in 1/m where the file says its range, else from 0 to 1; nil where there is none.
    private static func disparity(of handle: OpaquePointer?, _ path: String) throws(MediaError) -> DisparityMap? {
        var identifier: heif_item_id = 0
        guard heif_image_handle_get_list_of_depth_image_IDs(handle, &identifier, 1) == 1 else { return nil }
        var depth: OpaquePointer?
        try check(heif_image_handle_get_depth_image_handle(handle, identifier, &depth), path, "holds depth that cannot be read")
        defer { heif_image_handle_release(depth) }
        let range = try range(of: handle, identifier, path)
        let image = try decode(depth, heif_colorspace_monochrome, heif_chroma_monochrome, path)
        defer { heif_image_release(image) }
        let bits = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_Y))
        let (bytes, stride, width, height) = try plane(image, heif_channel_Y, path)
        let map = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        let (low, high) = (range ?? (0, 1))
        let scale = Float(high - low) / Float((1 << bits) - 1)
        for y in 0..<height {
            let (source, row) = (UnsafeRawPointer(bytes + y * stride), map.plane(0).row(y, as: Float.self))
            for x in 0..<width {
                let code =
                    bits > 8 ? Float(source.load(fromByteOffset: 2 * x, as: UInt16.self)) : Float(source.load(fromByteOffset: x, as: UInt8.self))
                row[x] = Float(low) + code * scale
            }
        }
        return DisparityMap(buffer: map, isMetric: range != nil)
    }

    /// Disparities of the lowest and the highest code, 1/m (depth representation information of H.265, G.14.2.3); nil where the file does not say.
    private static func range(
        of handle: OpaquePointer?, _ identifier: heif_item_id, _ path: String
    ) throws(MediaError) -> (low: Double, high: Double)? {
        var info: UnsafePointer<heif_depth_representation_info>?
        guard heif_image_handle_get_depth_image_representation_info(handle, identifier, &info) != 0, let info else { return nil }
        defer { heif_depth_representation_info_free(info) }
        let said = info.pointee
        switch said.depth_representation_type {
        case heif_depth_representation_type_uniform_disparity
        where said.has_d_min != 0 && said.has_d_max != 0 && said.d_max > max(said.d_min, 0) && said.d_max.isFinite:
            return (max(said.d_min, 0), said.d_max)
        case heif_depth_representation_type_uniform_inverse_Z
        where said.has_z_near != 0 && said.has_z_far != 0 && said.z_near > 0 && said.z_far > said.z_near && said.z_far.isFinite:
            return (1 / said.z_far, 1 / said.z_near)
        case heif_depth_representation_type_uniform_disparity, heif_depth_representation_type_uniform_inverse_Z:
            return nil
        default:
            throw MediaError(
                code: .unsupported, path: path,
                reason: "holds depth of representation \(said.depth_representation_type.rawValue); disparity (0 and 1) is read")
        }
    }

    private static func check(_ error: heif_error, _ path: String, _ what: String) throws(MediaError) {
        guard error.code != heif_error_Ok else { return }
        let words = error.message.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
        throw MediaError(code: .corrupt, path: path, reason: "\(what) (libheif: \(words))", underlying: Int32(error.subcode.rawValue))
    }
}
