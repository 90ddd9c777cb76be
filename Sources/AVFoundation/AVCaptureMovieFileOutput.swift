import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Records a movie file: the sharp picture, whatever the simulated aperture is, and the sound; the sound alone in a session without a camera.
public final class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    private let codec = Mutex<AVVideoCodecType?>(nil)
    private let fragmentInterval = Mutex(CMTime(value: 10, timescale: 1))
    /// Connections whose turns are to be recorded.
    private let turning = Mutex<Set<ObjectIdentifier>>([])
    private let items = Mutex<[AVMetadataItem]?>(nil)

    public init() { super.init(environment: .current) }

    override var mediaType: AVMediaType { .video }

    override var wishes: Recording.Wishes {
        let picture = connection(with: .video)
        var wishes = Recording.Wishes()
        wishes.codec = (codec.withLock { $0 } ?? availableVideoCodecTypes.first).flatMap(MovieDescription.Codec.init) ?? .h264
        wishes.pixelFormat = pixelFormat(for: wishes.codec)
        wishes.rotation = Int(picture?.videoRotationAngle ?? 0)
        wishes.isMirrored = picture?.isVideoMirrored ?? false
        wishes.fragmentInterval = movieFragmentInterval
        for item in metadata ?? [] {
            guard let (key, text) = item.quickTimeEntry else {
                environment.diagnose("a movie keeps no metadata item \(item.identifier?.rawValue ?? "without an identifier") of this value")
                continue
            }
            wishes.metadata[key] = text
        }
        return wishes
    }

    /// As the camera's format is, as far as the codec goes: ten bits want HEVC.
    private func pixelFormat(for codec: MovieDescription.Codec) -> OSType {
        let device = connection(with: .video)?.inputPorts.lazy.compactMap { ($0.input as? AVCaptureDeviceInput)?.device }.first
        let format = device?.activeFormat.formatDescription.mediaSubType.rawValue
        if format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange { return kCVPixelFormatType_420YpCbCr8BiPlanarFullRange }
        let isTenBit = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange && codec == .hevc
        return isTenBit ? kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }

    /// What the next recordings say of themselves: texts, numbers and dates under QuickTime's or common identifiers. Others are left out.
    public var metadata: [AVMetadataItem]? {
        get { items.withLock { $0 } }
        set { items.withLock { $0 = newValue } }
    }

    /// How often what is recorded becomes safe from the end of the process: 10 s. `.invalid`: only when the recording ends.
    ///
    /// The file of a running recording lies under its URL and can be played up to there. A change holds from the next recording on.
    public var movieFragmentInterval: CMTime {
        get { fragmentInterval.withLock { $0 } }
        set { fragmentInterval.withLock { $0 = newValue.isNumeric && newValue > .zero ? newValue : .invalid } }
    }

    /// What the movie can be compressed with, the default first; empty until the output is connected.
    public var availableVideoCodecTypes: [AVVideoCodecType] {
        environment.openMovie == nil || connection(with: .video) == nil ? [] : environment.movieCodecs.map(AVVideoCodecType.init)
    }

    public func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] { [AVVideoCodecKey] }

    /// The settings in force for the next recording.
    public func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        (codec.withLock { $0 } ?? availableVideoCodecTypes.first).map { [AVVideoCodecKey: $0] } ?? [:]
    }

    /// Chooses the codec of the next recording; nil leaves it to the output.
    public func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
        let selector = "-[AVCaptureMovieFileOutput setOutputSettings:forConnection:]"
        guard allows(connection, "setOutputSettings:forConnection:") else { return }
        let settings = outputSettings ?? [:]
        if let unknown = settings.keys.sorted().first(where: { $0 != AVVideoCodecKey }) {
            return environment.raise(
                .invalidArgument, selector, "outputSettings contains an unsupported key: \(unknown) - use supportedOutputSettingsKeysForConnection:")
        }
        guard let value = settings[AVVideoCodecKey] else { return codec.withLock { $0 = nil } }
        let chosen = (value as? AVVideoCodecType) ?? (value as? String).map(AVVideoCodecType.init(rawValue:))
        guard let chosen, availableVideoCodecTypes.contains(chosen) else {
            return environment.raise(.invalidArgument, selector, "Unsupported codec type \(value) - use availableVideoCodecTypes")
        }
        codec.withLock { $0 = chosen }
    }
}

extension AVCaptureMovieFileOutput {
    /// Whether turns and mirrorings of a connection in the middle of a recording should go into a track of their own; false at first.
    ///
    /// Kept: timed metadata is not written, the posture of a file is that of its start.
    public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for connection: AVCaptureConnection) -> Bool {
        allows(connection, "recordsVideoOrientationAndMirroringChangesAsMetadataTrackForConnection:")
            && turning.withLock { $0.contains(ObjectIdentifier(connection)) }
    }

    public func setRecordsVideoOrientationAndMirroringChanges(_ doRecordChanges: Bool, asMetadataTrackFor connection: AVCaptureConnection) {
        guard allows(connection, "setRecordsVideoOrientationAndMirroringChanges:asMetadataTrackForConnection:") else { return }
        turning.withLock { turning in
            if doRecordChanges { turning.insert(ObjectIdentifier(connection)) } else { turning.remove(ObjectIdentifier(connection)) }
        }
    }

    /// False, and raises, for another output's connection.
    private func allows(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        let isMine = connections.contains { $0 === connection }
        if !isMine { environment.raise(.invalidArgument, "-[AVCaptureMovieFileOutput \(method)]", "the connection is not one of the output's") }
        return isMine
    }
}

extension AVVideoCodecType {
    init(_ codec: MovieDescription.Codec) { self = codec == .hevc ? .hevc : .h264 }
}

extension MovieDescription.Codec {
    init?(_ type: AVVideoCodecType) {
        switch type {
        case .h264: self = .h264
        case .hevc: self = .hevc
        default: return nil
        }
    }
}

extension AVCaptureSession {
    /// Whether a file output of this session records, or is paused in a recording.
    var isRecording: Bool { outputs.contains { ($0 as? AVCaptureFileOutput)?.isRecording ?? false } }

    /// Ends every recording and every photo under way for one reason.
    func endCaptures(error: AVError) {
        for output in outputs {
            (output as? AVCaptureFileOutput)?.endRecording(error: error)
            (output as? AVCapturePhotoOutput)?.failWaiting(because: error)
        }
    }
}
