import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Output of movie files: the sharp picture, whatever the simulated aperture is, and the sound; sound alone without a camera.
///
/// While cinematic capture is enabled a MOV file is a cinematic movie: disparity and the focus decisions go along, frame by frame. What a connected
/// `AVCaptureMetadataInput` is given makes a track of its own, in MOV, too.
open class AVCaptureMovieFileOutput: AVCaptureFileOutput, @unchecked Sendable {
    private let codec = Mutex<AVVideoCodecType?>(nil)
    /// Nil until a client asks for one.
    private let fragmentInterval = Mutex<CMTime?>(nil)
    /// Connections whose rotations are to be recorded.
    private let orientationRecorders = Mutex<Set<ObjectIdentifier>>([])
    private let items = Mutex<[AVMetadataItem]?>(nil)

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .video }

    override func takes(_ port: AVCaptureInput.Port) -> Bool { super.takes(port) || port.input is AVCaptureMetadataInput }

    override func wishes(for url: URL) -> Recording.Wishes {
        let picture = connection(with: .video)
        var wishes = Recording.Wishes()
        wishes.codec = (codec.withLock { $0 } ?? availableVideoCodecTypes.first).flatMap(MovieDescription.Codec.init) ?? .h264
        wishes.pixelFormat = pixelFormat(for: wishes.codec)
        wishes.rotation = Int(picture?.videoRotationAngle ?? 0)
        wishes.isMirrored = picture?.isVideoMirrored ?? false
        wishes.fragments = fragmentInterval.withLock { $0.map { .every($0) } ?? .all }
        for item in metadata ?? [] {
            guard let (key, text) = item.quickTimeEntry else {
                environment.diagnose("a movie keeps no metadata item \(item.identifier?.rawValue ?? "without an identifier") of this value")
                continue
            }
            wishes.metadata[key] = text
        }
        wishes.timedMetadata = connections.filter(\.isOpen).flatMap(\.inputPorts).filter { $0.input is AVCaptureMetadataInput }
        if !wishes.timedMetadata.isEmpty, !Recording.isQuickTime(url) {
            environment.diagnose("\(url.lastPathComponent) keeps no timed metadata: they need a MOV file; name the movie .mov")
            wishes.timedMetadata = []
        }
        return wishes
    }

    /// Pixel format of the file: that of the camera as far as the codec goes; ten bits want HEVC.
    private func pixelFormat(for codec: MovieDescription.Codec) -> OSType {
        let device = connection(with: .video)?.inputPorts.lazy.compactMap { ($0.input as? AVCaptureDeviceInput)?.device }.first
        let format = device?.activeFormat.formatDescription.mediaSubType.rawValue
        if format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange { return kCVPixelFormatType_420YpCbCr8BiPlanarFullRange }
        let isTenBit = format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange && codec == .hevc
        return isTenBit ? kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    }

    /// Metadata of the next recordings: texts, numbers and dates under QuickTime's or common identifiers; others are left out. Nil for none.
    open var metadata: [AVMetadataItem]? {
        get { items.withLock { $0 } }
        set { items.withLock { $0 = newValue } }
    }

    /// Interval at which a recording under way is shown to players: 10 s. `.invalid`: only when the recording ends.
    ///
    /// The file of a running recording lies under its URL. It can be played up to the last whole interval that a client set and, where none
    /// was set, up to 0.3 s ago. Whatever the interval, the end of the process costs 0.3 s of each track at most: `rackfocus recover` finds the
    /// rest. A change holds from the next recording on.
    open var movieFragmentInterval: CMTime {
        get { fragmentInterval.withLock { $0 } ?? CMTime(value: 10, timescale: 1) }
        set { fragmentInterval.withLock { $0 = newValue.isNumeric && newValue > .zero ? newValue : .invalid } }
    }

    /// Codecs that a movie can be written with, the default first; empty until the output is connected.
    open var availableVideoCodecTypes: [AVVideoCodecType] {
        environment.openMovie == nil || connection(with: .video) == nil ? [] : environment.movieCodecs.map(AVVideoCodecType.init)
    }

    /// Keys that output settings may have: the codec only.
    open func supportedOutputSettingsKeys(for connection: AVCaptureConnection) -> [String] { [AVVideoCodecKey] }

    /// Settings of the next recording; empty where no codec is available.
    open func outputSettings(for connection: AVCaptureConnection) -> [String: Any] {
        (codec.withLock { $0 } ?? availableVideoCodecTypes.first).map { [AVVideoCodecKey: $0].bridged } ?? [:]
    }

    /// Chooses the codec of the next recording; nil leaves it to the output. Raises for other keys, codecs and connections.
    open func setOutputSettings(_ outputSettings: [String: Any]?, for connection: AVCaptureConnection) {
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
    /// Whether rotations and mirrorings of a connection during a recording should go into a track of their own; false at first.
    ///
    /// Kept without effect: a file has the rotation of its start. Raises for another output's connection.
    public func recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for connection: AVCaptureConnection) -> Bool {
        allows(connection, "recordsVideoOrientationAndMirroringChangesAsMetadataTrackForConnection:")
            && orientationRecorders.withLock { $0.contains(ObjectIdentifier(connection)) }
    }

    /// Sets whether changes of a connection should go into a track; kept without effect. Raises for another output's connection.
    public func setRecordsVideoOrientationAndMirroringChanges(_ doRecordChanges: Bool, asMetadataTrackFor connection: AVCaptureConnection) {
        guard allows(connection, "setRecordsVideoOrientationAndMirroringChanges:asMetadataTrackForConnection:") else { return }
        orientationRecorders.withLock { recorders in
            if doRecordChanges { recorders.insert(ObjectIdentifier(connection)) } else { recorders.remove(ObjectIdentifier(connection)) }
        }
    }

    /// Whether the connection is the output's; raises when not.
    private func allows(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        let isMine = connections.contains { $0 === connection }
        if !isMine { environment.raise(.invalidArgument, "-[AVCaptureMovieFileOutput \(method)]", "the connection is not one of the output's") }
        return isMine
    }
}

extension AVVideoCodecType {
    init(_ codec: MovieDescription.Codec) {
        switch codec {
        case .hevc: self = .hevc
        case .prores: self = .proRes422
        case .h264, .ffv1: self = .h264
        }
    }
}

extension MovieDescription.Codec {
    init?(_ type: AVVideoCodecType) {
        switch type {
        case .h264: self = .h264
        case .hevc: self = .hevc
        case .proRes422: self = .prores
        default: return nil
        }
    }
}

extension AVCaptureSession {
    /// Whether a file output of this session records, or is paused in a recording.
    var isRecording: Bool { outputs.contains { ($0 as? AVCaptureFileOutput)?.isRecording ?? false } }

    /// Ends every recording and every photo under way for one reason, of some outputs or of all.
    func endCaptures(of outputs: [AVCaptureOutput]? = nil, error: AVError) {
        for output in outputs ?? self.outputs {
            (output as? AVCaptureFileOutput)?.endRecording(error: error)
            (output as? AVCapturePhotoOutput)?.failWaiting(because: error)
        }
    }
}
