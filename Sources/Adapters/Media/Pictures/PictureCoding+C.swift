internal import CFFmpeg
import CoreVideo
import Foundation
import Pipeline

/// Coding of a clip's pictures as the pipeline keeps it: a pixel format of the lens, and colour tags.
struct PictureCoding: Equatable {
    /// `x420` for more than 8 bits a sample, `420f` for full range, else `420v`.
    let pixelFormat: OSType
    let colors: PictureColors
    /// Whether pictures are in the pipeline's own `420v` and BT.709's matrix.
    var isPipelines: Bool { pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange && colors.matrix == 1 && !colors.isHDR }

    /// BT.709 with ten bits, as tone mapping gives it.
    static let toneMapped = PictureCoding(pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, colors: .bt709)

    private init(pixelFormat: OSType, colors: PictureColors) { (self.pixelFormat, self.colors) = (pixelFormat, colors) }

    /// The coding with metadata of HDR where it has none.
    func withLight(display: AVMasteringDisplayMetadata?, light: AVContentLightMetadata?) -> PictureCoding {
        var colors = colors
        colors.masteringDisplay = colors.masteringDisplay ?? display.flatMap(PictureColors.MasteringDisplay.init)
        colors.lightLevel = colors.lightLevel ?? light.map(PictureColors.LightLevel.init)
        return PictureCoding(pixelFormat: pixelFormat, colors: colors)
    }

    /// Coding of a video stream, from its headers.
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        self.init(
            AVPixelFormat(parameters.format), isFullRange: parameters.color_range == AVCOL_RANGE_JPEG, primaries: parameters.color_primaries,
            transfer: parameters.color_trc, matrix: parameters.color_space,
            display: stream.sideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self),
            light: stream.sideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self))
    }

    /// Coding of a single picture, whose file may name its colours.
    init(_ picture: FFmpegFrame, _ mark: ColorMark?) {
        let coding = PictureCoding(picture)
        var colors = coding.colors
        switch mark {
        case .hdr(let named): self.init(pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, colors: named)
        case .codePoints(let primaries, _):
            colors.primaries = primaries
            self.init(pixelFormat: coding.pixelFormat, colors: colors)
        case .chromaticities, .profile, nil: self = coding
        }
    }

    private init(_ picture: FFmpegFrame) {
        let frame = picture.pointer.pointee
        self.init(
            AVPixelFormat(frame.format), isFullRange: frame.color_range == AVCOL_RANGE_JPEG, primaries: frame.color_primaries,
            transfer: frame.color_trc, matrix: frame.colorspace, display: nil, light: nil)
    }

    /// A matrix that the lens does not know, and RGB, become BT.709's; what has no tags is taken as BT.709 throughout.
    private init(
        _ format: AVPixelFormat, isFullRange: Bool, primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace,
        display: AVMasteringDisplayMetadata?, light: AVContentLightMetadata?
    ) {
        let description = av_pix_fmt_desc_get(format)?.pointee
        let isRGB = format.has(AV_PIX_FMT_FLAG_RGB) || (description?.nb_components ?? 3) < 3
        let isDeep = (description?.comp.0.depth ?? 8) > 8
        let isTagged = !isRGB && [AVCOL_SPC_BT709, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT2020_NCL].contains(matrix)
        func code(_ value: UInt32) -> Int { value == 2 && !isTagged ? 1 : Int(value) }
        var colors = PictureColors(
            primaries: code(primaries.rawValue), transfer: code(transfer.rawValue), matrix: isTagged ? Int(matrix.rawValue) : 1)
        if isRGB, !colors.isHDR { colors.transfer = 1 }
        colors.masteringDisplay = display.flatMap(PictureColors.MasteringDisplay.init)
        colors.lightLevel = light.map(PictureColors.LightLevel.init)
        self.colors = colors
        let isFull = isTagged && (isFullRange || PictureConverter.isJPEG(format))
        pixelFormat =
            isDeep || colors.isHDR
            ? kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
            : isFull ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }
}

extension PictureColors.MasteringDisplay {
    /// Nil where either half is missing.
    init?(_ display: AVMasteringDisplayMetadata) {
        guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
        func part(_ value: AVRational, _ unit: Double) -> Int { value.den == 0 ? 0 : Int((Double(value.num) / Double(value.den) * unit).rounded()) }
        let primaries = display.display_primaries
        let points = [primaries.0, primaries.1, primaries.2, display.white_point].flatMap { [$0.0, $0.1] }
        let (low, high) = (part(display.min_luminance, 10_000), part(display.max_luminance, 10_000))
        self.init(chromaticities: points.map { part($0, 50_000) }, luminance: low...max(low, high))
    }
}

extension PictureColors.LightLevel {
    init(_ light: AVContentLightMetadata) { self.init(maximum: Int(light.MaxCLL), maximumAverage: Int(light.MaxFALL)) }
}
