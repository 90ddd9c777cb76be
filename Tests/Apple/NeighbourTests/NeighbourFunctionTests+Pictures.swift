import CoreImage
import CoreMedia
import CoreVideo
import Foundation
import ImageIO
import Metal
import SwiftUI
import Testing
import UIKit
import UniformTypeIdentifiers
import VideoToolbox

extension NeighbourFunctionTests {
    @Test("make each filter under its name, with the defaults that it has by its name")
    func filters() throws {
        let made: [(CIFilter, String)] = [
            (CIFilter.colorPosterize(), "ColorPosterize"), (CIFilter.falseColor(), "FalseColor"),
            (CIFilter.highlightShadowAdjust(), "HighlightShadowAdjust"), (CIFilter.linearToSRGBToneCurve(), "LinearToSRGBToneCurve"),
            (CIFilter.noiseReduction(), "NoiseReduction"), (CIFilter.photoEffectChrome(), "PhotoEffectChrome"),
            (CIFilter.photoEffectInstant(), "PhotoEffectInstant"), (CIFilter.photoEffectProcess(), "PhotoEffectProcess"),
            (CIFilter.photoEffectTransfer(), "PhotoEffectTransfer"), (CIFilter.sharpenLuminance(), "SharpenLuminance"),
            (CIFilter.affineClamp(), "AffineClamp"), (CIFilter.colorBurnBlendMode(), "ColorBurnBlendMode"),
            (CIFilter.colorClamp(), "ColorClamp"), (CIFilter.colorCubeWithColorSpace(), "ColorCubeWithColorSpace"),
            (CIFilter.colorDodgeBlendMode(), "ColorDodgeBlendMode"), (CIFilter.colorThreshold(), "ColorThreshold"),
            (CIFilter.darkenBlendMode(), "DarkenBlendMode"), (CIFilter.differenceBlendMode(), "DifferenceBlendMode"),
            (CIFilter.dissolveTransition(), "DissolveTransition"), (CIFilter.exclusionBlendMode(), "ExclusionBlendMode"),
            (CIFilter.hardLightBlendMode(), "HardLightBlendMode"), (CIFilter.hueAdjust(), "HueAdjust"),
            (CIFilter.lightenBlendMode(), "LightenBlendMode"), (CIFilter.maskToAlpha(), "MaskToAlpha"),
            (CIFilter.maximumComponent(), "MaximumComponent"), (CIFilter.maximumCompositing(), "MaximumCompositing"),
            (CIFilter.minimumComponent(), "MinimumComponent"), (CIFilter.minimumCompositing(), "MinimumCompositing"),
            (CIFilter.multiplyBlendMode(), "MultiplyBlendMode"), (CIFilter.overlayBlendMode(), "OverlayBlendMode"),
            (CIFilter.perspectiveTransform(), "PerspectiveTransform"), (CIFilter.photoEffectMono(), "PhotoEffectMono"),
            (CIFilter.photoEffectNoir(), "PhotoEffectNoir"), (CIFilter.photoEffectTonal(), "PhotoEffectTonal"),
            (CIFilter.screenBlendMode(), "ScreenBlendMode"), (CIFilter.softLightBlendMode(), "SoftLightBlendMode"),
            (CIFilter.unsharpMask(), "UnsharpMask"), (CIFilter.whitePointAdjust(), "WhitePointAdjust"),
            (CIFilter.additionCompositing(), "AdditionCompositing"), (CIFilter.blendWithAlphaMask(), "BlendWithAlphaMask"),
            (CIFilter.boxBlur(), "BoxBlur"), (CIFilter.colorInvert(), "ColorInvert"), (CIFilter.colorMonochrome(), "ColorMonochrome"),
            (CIFilter.exposureAdjust(), "ExposureAdjust"), (CIFilter.gammaAdjust(), "GammaAdjust"),
            (CIFilter.multiplyCompositing(), "MultiplyCompositing"), (CIFilter.sepiaTone(), "SepiaTone"),
        ]
        for (filter, name) in made {
            #expect(filter.name == "CI" + name)
            let named = try #require(CIFilter(name: "CI" + name))
            #expect(filter.inputKeys == named.inputKeys && filter.outputKeys == [kCIOutputImageKey])
        }
        let exposure = CIFilter.exposureAdjust()
        #expect(exposure.ev == 0)
        exposure.ev = 2
        #expect((exposure.value(forKey: kCIInputEVKey) as? NSNumber)?.floatValue == 2)
        exposure.setDefaults()
        #expect(exposure.ev == 0)
    }

    /// Pixels of a picture from its lower left on, 0…1, not premultiplied away.
    private func pixels(_ image: CIImage, _ context: CIContext) -> [SIMD4<Float>] {
        var values = [SIMD4<Float>](repeating: .zero, count: Int(image.extent.width * image.extent.height))
        values.withUnsafeMutableBytes {
            context.render(
                image, toBitmap: $0.baseAddress!, rowBytes: Int(image.extent.width) * 16, bounds: image.extent, format: .RGBAf, colorSpace: nil)
        }
        return values
    }

    @Test("of pictures make them opaque within bounds, divide by alpha and multiply again, and turn them as EXIF says")
    func alpha() {
        let context = CIContext(options: [.workingColorSpace: NSNull()])
        let half = CIImage(color: CIColor(red: 0.5, green: 0.25, blue: 1, alpha: 0.5)).cropped(to: CGRect(x: 0, y: 0, width: 2, height: 1))
        let stored = pixels(half, context)[0]
        #expect(abs(stored.x - 0.25) < 1e-3 && abs(stored.w - 0.5) < 1e-3)
        let apart = pixels(half.unpremultiplyingAlpha(), context)[0]
        #expect(abs(apart.x - 0.5) < 1e-3 && abs(apart.y - 0.25) < 1e-3 && abs(apart.w - 0.5) < 1e-3)
        #expect(pixels(half.unpremultiplyingAlpha().premultiplyingAlpha(), context)[0] == stored)
        let opaque = half.settingAlphaOne(in: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(opaque.extent == CGRect(x: 0, y: 0, width: 1, height: 1) && pixels(opaque, context).allSatisfy { $0.w == 1 })
        #expect(half.samplingLinear().insertingIntermediate().extent == half.extent)
        #expect(half.settingProperties(["a": 1]).properties["a"] as? Int == 1)
        // A stored corner at the lower left of 4 by 2 pixels comes to these corners: TIFF 6.0, Orientation.
        let wide = CIImage(color: .white).cropped(to: CGRect(x: 10, y: 20, width: 4, height: 2))
        let corners: [CGPoint] = [(0, 0), (4, 0), (4, 2), (0, 2), (2, 4), (0, 4), (0, 0), (2, 0)].map { CGPoint(x: $0, y: $1) }
        for (number, corner) in corners.enumerated() {
            let orientation = CGImagePropertyOrientation(rawValue: UInt32(number + 1))!
            let start = number == 0 ? CGPoint(x: 10, y: 20) : corner
            #expect(CGPoint(x: 10, y: 20).applying(wide.orientationTransform(for: orientation)) == start, "\(number + 1)")
        }
    }

    @Test("write pictures to files of the kind that they are asked for")
    func written() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (context, space) = (CIContext(), CGColorSpaceCreateDeviceRGB())
        let image = CIImage(color: CIColor(red: 1, green: 0, blue: 0)).cropped(to: CGRect(x: 5, y: 5, width: 8, height: 4))
        let (jpeg, png) = (folder.appending(path: "a.jpg"), folder.appending(path: "a.png"))
        try context.writeJPEGRepresentation(of: image, to: jpeg, colorSpace: space, options: [:])
        try context.writePNGRepresentation(of: image, to: png, format: .RGBA8, colorSpace: space, options: [:])
        for (file, type) in [(jpeg, UTType.jpeg), (png, .png)] {
            let source = try #require(CGImageSourceCreateWithURL(file as CFURL, nil))
            #expect(CGImageSourceGetType(source) as String? == type.identifier)
            let read = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
            #expect(read.width == 8 && read.height == 4)
        }
        context.clearCaches()
        #expect(context.inputImageMaximumSize().width >= 4096 && context.outputImageMaximumSize().width >= 4096)
        var name = folder.appending(path: "b")
        name.appendPathExtension(for: .jpeg)
        name.appendPathExtension(for: .jpeg)
        #expect(name.lastPathComponent == "b.jpeg")
        #expect(!UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(png.path))
    }

    @Test("prepare thumbnails within a size, in the shape of the picture")
    func thumbnails() async throws {
        let image = UIGraphicsImageRenderer(size: CGSize(width: 40, height: 20)).image { $0.fill(CGRect(x: 0, y: 0, width: 40, height: 20)) }
        let small = try #require(await image.byPreparingThumbnail(ofSize: CGSize(width: 10, height: 10)))
        #expect(small.size == CGSize(width: 10, height: 5) && small.scale == image.scale)
        let handed = await withCheckedContinuation { continuation in
            image.prepareThumbnail(of: CGSize(width: 20, height: 20)) { continuation.resume(returning: $0?.size) }
        }
        #expect(handed == CGSize(width: 20, height: 10))
        #expect(await image.byPreparingForDisplay()?.size == image.size && image.preparingForDisplay() === image)
        #expect(await UIImage().byPreparingThumbnail(ofSize: CGSize(width: 10, height: 10)) == nil)
    }

    @Test("of Core Foundation, Metal and Video Toolbox make values, and say what there is not")
    func values() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let data = try #require(CFDataCreate(nil, bytes, 3))
        #expect(CFDataGetLength(data) == 3 && (0..<3).map { CFDataGetBytePtr(data)[$0] } == bytes)
        let more = try #require(CFDataCreateMutable(nil, 0))
        more.append(Data([7, 8]))
        CFDataGetMutableBytePtr(more)[1] = 9
        #expect(CFDataGetLength(more) == 2 && CFDataGetBytePtr(more)[1] == 9)
        let (size, origin, color) = (MTLSizeMake(1, 2, 3), MTLOriginMake(4, 5, 6), MTLClearColorMake(0.1, 0.2, 0.3, 0.4))
        #expect((size.width, size.height, size.depth) == (1, 2, 3) && (origin.x, origin.y, origin.z) == (4, 5, 6))
        #expect((color.red, color.green, color.blue, color.alpha) == (0.1, 0.2, 0.3, 0.4))
        var transfer: VTPixelTransferSession?
        #expect(VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &transfer) == kVTPixelTransferNotSupportedErr)
        #expect(transfer == nil && !VTIsHardwareDecodeSupported(kCMVideoCodecType_HEVC))
        let metadata = CGImageMetadataCreateMutable()
        CGImageMetadataSetValueMatchingImageProperty(
            metadata, kCGImagePropertyExifDictionary, kCGImagePropertyExifUserComment, "a comment" as NSString)
        let picture = try #require(UIGraphicsImageRenderer(size: CGSize(width: 2, height: 2)).image { _ in }.cgImage)
        let file = NSMutableData()
        let destination = try #require(CGImageDestinationCreateWithData(file, UTType.jpeg.identifier as CFString, 1, nil))
        CGImageDestinationAddImageAndMetadata(destination, picture, metadata, nil)
        #expect(CGImageDestinationFinalize(destination))
        let source = try #require(CGImageSourceCreateWithData(file, nil))
        let exif = (CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any])?["{Exif}"] as? [String: Any]
        #expect(exif?["UserComment"] as? String == "a comment")
        #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity) == nil)
    }
}
