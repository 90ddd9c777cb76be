import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support

/// Decoding that the settings of a track output ask for, and the buffers made by it.
struct SampleDecoding {
    let coding: MovieSample.Coding
    private let track: AVAssetTrack
    /// Format of the samples as stored.
    private let storedFormat: CMFormatDescription?
    private var disparityFormat = kCVPixelFormatType_DisparityFloat32
    private var sound: PCMFormat?

    /// Throws `AVError` for settings that nothing can be decoded to.
    init(_ settings: [String: Any]?, of track: AVAssetTrack) throws(AVError) {
        (self.track, storedFormat) = (track, track.descriptions.first)
        guard let settings else {
            coding = .stored
            return
        }
        switch track.track.kind {
        case .picture:
            let format = PixelFormatSetting.format(in: settings) ?? track.track.pixelFormat
            guard Self.formats(of: track).contains(format) else {
                throw AVError(
                    .unsupportedOutputSettings,
                    reason: "pictures are read as 420v, 420f, x420 or BGRA, not as \(PixelFormatSetting.name(format))")
            }
            coding = .pictures(format)
        case .disparity:
            disparityFormat = PixelFormatSetting.format(in: settings) ?? kCVPixelFormatType_DisparityFloat16
            guard Self.formats(of: track).contains(disparityFormat) else {
                throw AVError(
                    .unsupportedOutputSettings,
                    reason: "disparity is read as hdis or fdis, not as \(PixelFormatSetting.name(disparityFormat))")
            }
            coding = .pictures(kCVPixelFormatType_DisparityFloat32)
        case .sound:
            let format = try PCMFormat(settings, channels: track.track.channels, sampleRate: track.track.sampleRate)
            (sound, coding) = (format, .sound(SoundReading(sampleRate: format.sampleRate)))
        case .metadata, .foreignMetadata, .timecode, .other:
            throw AVError(.unsupportedOutputSettings, reason: "metadata are read as stored; give no output settings")
        }
    }

    /// Pixel formats that a track can be decoded to, its own first; none without pictures.
    static func formats(of track: AVAssetTrack) -> [OSType] {
        switch track.track.kind {
        case .picture:
            [
                track.track.pixelFormat, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
                kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
            ]
        case .disparity: [kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32]
        case .sound, .metadata, .foreignMetadata, .timecode, .other: []
        }
    }

    /// Buffer of a sample; throws `AVError` where none can be made of it.
    func buffer(of sample: MovieSample) throws -> CMSampleBuffer {
        var timing = CMSampleTimingInfo(duration: sample.duration, presentationTimeStamp: sample.time, decodeTimeStamp: sample.decodeTime)
        switch sample.content {
        case .picture(let stored):
            let picture = track.track.kind == .disparity ? DepthConverter.convert(stored, to: disparityFormat) : stored
            return CMSampleBuffer(imageBuffer: picture, formatDescription: CMFormatDescription(of: picture), timing: timing)
        case .sound(let heard):
            guard let sound else { throw AVError(.decodeFailed) }
            return try sound.buffer(of: heard)
        case .cinematic: throw AVError(.decodeFailed)
        case .data(let data, let isSync):
            let bytes = try CMBlockBuffer(length: data.count)
            try bytes.replaceDataBytes(with: data)
            // Of linear PCM every frame is a sample; other codings have no frames of one size.
            let frame = Int(storedFormat?.audioStreamBasicDescription?.mBytesPerFrame ?? 0)
            let count = frame > 0 ? data.count / frame : 1
            if count > 1 { timing.duration = CMTime(value: 1, timescale: CMTimeScale(track.track.sampleRate)) }
            var buffer: CMSampleBuffer?
            CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: bytes, formatDescription: storedFormat, sampleCount: count, sampleTimingEntryCount: 1,
                sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &buffer)
            guard let buffer else { throw AVError(.decodeFailed) }
            if !isSync { buffer.sampleAttachments.first?[.notSync] = true }
            return buffer
        }
    }
}

/// Pixel format in a settings dictionary.
enum PixelFormatSetting {
    /// The format under `kCVPixelBufferPixelFormatTypeKey`, the first where there is a list; nil without one.
    static func format(in settings: [String: Any]) -> OSType? { formats(in: settings).first }

    /// All formats under the key, in their order.
    static func formats(in settings: [String: Any]) -> [OSType] {
        let value = settings[kCVPixelBufferPixelFormatTypeKey as String]
        return (value as? [Any] ?? [value as Any]).compactMap { value in
            switch value {
            case let format as OSType: format
            case let format as Int: OSType(exactly: format)
            case let format as Int32: OSType(bitPattern: format)
            case let format as NSNumber: format.uint32Value
            default: nil
            }
        }
    }

    /// Four-character code as text.
    static func name(_ format: OSType) -> String { String(fourCharacterCode: format).printable }
}
