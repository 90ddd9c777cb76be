import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Samples of one track on their way into an `AVAssetWriter`.
///
/// Pictures and sound are written side by side, so an input whose samples are far ahead of the other's is not ready for more until those come, or are
/// marked as finished.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
    /// Kind of media.
    public let mediaType: AVMediaType
    /// Coding in the file. Nil, which passes coded samples through, is not supported: `AVAssetWriter.canAdd(_:)` is false.
    public let outputSettings: [String: Any]?
    /// Format of the samples to come; kept.
    public let sourceFormatHint: CMFormatDescription?
    private let state = Mutex(State())

    private struct State {
        weak var writer: AVAssetWriter?
        var transform = CGAffineTransform.identity
        var isRealTime = false
        var metadata: [AVMetadataItem] = []
        var timeScale: CMTimeScale = 0
        /// Samples that the writer's queue has not taken yet, and pictures that wait for sound.
        var queued = 0
        var held = 0
        /// Seconds by which the sound is ahead of the pictures.
        var lead = 0.0
        var isFinished = false
        var request: (queue: DispatchQueue, block: @Sendable () -> Void)?
        var isAsking = false
        /// Whether something happened while the app was being asked.
        var hasChanged = false
    }

    /// Coding that the settings of an input ask for.
    enum Settings {
        case pictures(PictureSettings)
        case sound(SoundSettings)

        /// Throws `SettingsFault` for those that nothing can be written by.
        init(_ settings: [String: Any], _ mediaType: AVMediaType, in fileType: AVFileType) throws(SettingsFault) {
            switch mediaType {
            case .video:
                let pictures = try PictureSettings(settings)
                guard fileType == .mov || pictures.codec != .prores else { throw SettingsFault("asks for ProRes, for which only MOV has a place") }
                self = .pictures(pictures)
            case .audio:
                let sound = try SoundSettings(settings)
                if case .pcm = sound.track.coding, fileType != .mov { throw SettingsFault("asks for PCM, for which only MOV has a place") }
                self = .sound(sound)
            default: throw SettingsFault("are for media of the kind \(mediaType.rawValue.printable), which is not written")
            }
        }
    }

    /// Makes an input. Raises for settings that nothing can be written by.
    public init(mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?) {
        (self.mediaType, self.outputSettings, self.sourceFormatHint) = (mediaType, outputSettings, sourceFormatHint)
        super.init()
        guard let outputSettings, mediaType == .video || mediaType == .audio else { return }
        do { _ = try Settings(outputSettings, mediaType, in: .mov) } catch {
            CaptureEnvironment.current.raise(
                .invalidArgument, "-[AVAssetWriterInput initWithMediaType:outputSettings:sourceFormatHint:]",
                "Output settings dictionary \(error.reason)")
        }
    }

    /// Makes an input; as with a hint.
    public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
        self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
    }

    /// Whether samples come from a camera or a microphone as they happen, false at first: the writer then waits less for the other input. Raises once
    /// writing has begun.
    open var expectsMediaDataInRealTime: Bool {
        get { state.withLock { $0.isRealTime } }
        set { configure("setExpectsMediaDataInRealTime:") { $0.isRealTime = newValue } }
    }

    /// Map of the pictures as they are appended to upright ones, identity at first; quarter turns and mirrors. Raises once writing has begun.
    open var transform: CGAffineTransform {
        get { state.withLock { $0.transform } }
        set { configure("setTransform:") { $0.transform = newValue } }
    }

    /// Metadata of the track; kept, and not written. Raises once writing has begun.
    open var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set { configure("setMetadata:") { $0.metadata = newValue } }
    }

    /// Ticks per second of the track's times, 0 for the writer's choice, which holds times of all usual rates exactly; kept. Raises once writing has begun.
    open var mediaTimeScale: CMTimeScale {
        get { state.withLock { $0.timeScale } }
        set { configure("setMediaTimeScale:") { $0.timeScale = newValue } }
    }

    /// Samples of an input that the coder has not taken, at most.
    private static let longestQueue = 16
    /// Seconds by which sound may be ahead of the pictures.
    private static let longestLead = 2.0

    /// Whether a sample may be appended now. False before `startWriting()`, after `markAsFinished()`, while the coder is behind, and while the other
    /// input is.
    open var isReadyForMoreMediaData: Bool {
        guard writer?.status == .writing else { return false }
        return state.withLock { Self.isReady($0, mediaType) }
    }

    private static func isReady(_ state: State, _ mediaType: AVMediaType) -> Bool {
        guard !state.isFinished else { return false }
        return mediaType == .video ? state.queued + state.held < longestQueue : state.queued < 4 * longestQueue && state.lead < longestLead
    }

    /// Hands a sample to the writer. False where writing has ended, as by an error; raises where a sample cannot be appended.
    @discardableResult
    open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        let selector = "appendSampleBuffer:"
        guard let writer = ready(selector), writer.status == .writing else { return false }
        if mediaType == .video {
            guard let image = sampleBuffer.imageBuffer else {
                return refuse(.invalidArgument, selector, "Cannot append a sample buffer without pictures to an input of pictures")
            }
            return append(image, at: sampleBuffer.presentationTimeStamp, duration: sampleBuffer.duration, to: writer, selector)
        }
        guard let sound = Sound(sampleBuffer), sound.presentationTime.isNumeric else {
            return refuse(.invalidArgument, selector, "Input buffer must be in an uncompressed format when outputSettings is not nil")
        }
        hand(to: writer) { writing, session in
            var part = sound.cut(from: session.start, to: session.end)
            part.presentationTime = part.presentationTime - session.start
            if part.sampleCount > 0 { try writing.append(part) }
        }
        return true
    }

    func append(_ image: CVPixelBuffer, at time: CMTime, duration: CMTime, to writer: AVAssetWriter, _ selector: String) -> Bool {
        guard time.isNumeric else { return refuse(.invalidArgument, selector, "Cannot append a picture without a time") }
        hand(to: writer) { writing, session in
            guard time >= session.start, time < session.end else { return }
            try writing.append(image, at: time - session.start, duration: duration)
        }
        return true
    }

    /// The writer, where a sample may be appended now; raises where it may not, nil where writing has ended.
    func ready(_ selector: String) -> AVAssetWriter? {
        guard let writer else {
            _ = refuse(.internalInconsistency, selector, "Cannot append to an input that is in no AVAssetWriter")
            return nil
        }
        switch writer.status {
        case .unknown: _ = refuse(.internalInconsistency, selector, "Cannot call method when status is 0")
        case .completed, .failed, .cancelled: return nil
        case .writing:
            if writer.state.withLock({ $0.session == nil }) {
                _ = refuse(.internalInconsistency, selector, "Must start a session (using -[AVAssetWriter startSessionAtSourceTime:) first")
            } else if state.withLock({ $0.isFinished }) {
                _ = refuse(.internalInconsistency, selector, "A sample buffer cannot be appended after the input was marked as finished")
            } else if !isReadyForMoreMediaData {
                _ = refuse(
                    .internalInconsistency, selector, "A sample buffer cannot be appended when readyForMoreMediaData is NO.")
            } else {
                return writer
            }
        }
        return nil
    }

    private func hand(to writer: AVAssetWriter, _ step: @escaping @Sendable (AssetWriting, (start: CMTime, end: CMTime)) throws -> Void) {
        state.withLock { $0.queued += 1 }
        writer.run { [self] in
            let session = writer.state.withLock { $0.session }
            writer.perform { writing in if let session { try step(writing, session) } }
            state.withLock { $0.queued -= 1 }
            writer.updateInputs()
        }
    }

    /// Marks the track as complete; the other input no longer waits for it. Raises before writing has begun.
    open func markAsFinished() {
        guard let writer else { return refuseVoid("markAsFinished", "Cannot call method on an input that is in no AVAssetWriter") }
        guard writer.status != .unknown else { return refuseVoid("markAsFinished", "Cannot call method when status is 0") }
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        guard isFirst else { return }
        let isVideo = mediaType == .video
        writer.run {
            writer.perform { try $0.end(pictures: isVideo, sound: !isVideo) }
            writer.updateInputs()
        }
    }

    /// Calls `block` on `queue` whenever samples may be appended; it appends while `isReadyForMoreMediaData` and calls `markAsFinished()` at the end.
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        guard state.withLock({ $0.request == nil }) else {
            return refuseVoid("requestMediaDataWhenReadyOnQueue:usingBlock:", "cannot be called more than once")
        }
        state.withLock { $0.request = (queue, block) }
        askForMedia()
    }

    /// Asks the app for samples where it wants to be asked and they may be appended.
    func askForMedia() {
        let isWriting = writer?.status == .writing && writer?.state.withLock { $0.session != nil } ?? false
        let request = state.withLock { state -> (queue: DispatchQueue, block: @Sendable () -> Void)? in
            state.hasChanged = true
            guard isWriting, let request = state.request, !state.isAsking, Self.isReady(state, mediaType) else { return nil }
            (state.isAsking, state.hasChanged) = (true, false)
            return request
        }
        guard let request else { return }
        request.queue.async { [self] in
            request.block()
            let isToAskAgain = state.withLock { state in
                state.isAsking = false
                return state.hasChanged
            }
            if isToAskAgain { askForMedia() }
        }
    }
}

extension AVAssetWriterInput {
    var writer: AVAssetWriter? { state.withLock { $0.writer } }
    func join(_ writer: AVAssetWriter) { state.withLock { $0.writer = writer } }
    /// Takes no more samples.
    func close() { state.withLock { $0.isFinished = true } }

    fileprivate func update(held: Int, lead: Double) {
        state.withLock { state in (state.held, state.lead) = (held, lead) }
        askForMedia()
    }

    /// Reason why a writer does not take it, in words.
    func refusal(by writer: AVAssetWriter) -> String {
        if self.writer != nil { return "it is in a writer already" }
        guard writer.availableMediaTypes.contains(mediaType) else { return "media of the kind \(mediaType.rawValue.printable) are not written" }
        guard let outputSettings else { return "without output settings coded samples would be passed through, which is not supported" }
        do { _ = try Settings(outputSettings, mediaType, in: writer.outputFileType) } catch { return "the output settings \(error.reason)" }
        return "there is an input of its kind already, and a file has one of each"
    }

    private func configure(_ selector: String, _ body: (inout State) -> Void) {
        guard writer.map({ $0.status == .unknown }) ?? true else {
            return refuseVoid(selector, "Cannot call method when status is \(writer?.status.rawValue ?? 0)")
        }
        state.withLock { body(&$0) }
    }

    private func refuseVoid(_ selector: String, _ reason: String) { _ = refuse(.internalInconsistency, selector, reason) }

    private func refuse(_ name: CaptureEnvironment.Violation.Name, _ selector: String, _ reason: String) -> Bool {
        (writer?.environment ?? CaptureEnvironment.current).raise(name, "-[AVAssetWriterInput \(selector)]", reason)
        return false
    }
}

extension AVAssetWriter {
    /// Tells the inputs how far they are, on the writer's queue.
    func updateInputs() {
        guard let writing = state.withLock({ $0.writing }) else { return }
        let hasPictures = inputs.contains { $0.mediaType == .video && !$0.isOver }
        let lead = hasPictures && writing.soundEnd.isNumeric ? (writing.soundEnd - max(writing.pictureEnd, .zero)).seconds : 0
        for input in inputs { input.update(held: input.mediaType == .video ? writing.waiting : 0, lead: lead) }
    }
}

extension AVAssetWriterInput {
    /// Whether no more samples come.
    fileprivate var isOver: Bool { state.withLock { $0.isFinished } }
}

/// Pixel buffers on their way into an `AVAssetWriterInput`, and a pool of such buffers.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
    /// Input that takes the buffers.
    public let assetWriterInput: AVAssetWriterInput
    /// Pixel format and size of the pool's buffers, by the keys `kCVPixelBuffer…Key`; nil for no pool.
    public let sourcePixelBufferAttributes: [String: Any]?
    private let pool = Mutex<CVPixelBufferPool?>(nil)

    /// Makes an adaptor of an input of pictures; raises for another.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
        super.init()
        guard input.mediaType != .video else { return }
        CaptureEnvironment.current.raise(
            .invalidArgument, "-[AVAssetWriterInputPixelBufferAdaptor initWithAssetWriterInput:sourcePixelBufferAttributes:]",
            "The input is not of pictures")
    }

    /// Pool of buffers of these attributes, at the size of the file where they name none; nil until writing has begun, without attributes, and
    /// for sides outside of 1…16384.
    open var pixelBufferPool: CVPixelBufferPool? {
        guard let attributes = sourcePixelBufferAttributes, assetWriterInput.writer?.status == .writing else { return nil }
        return pool.withLock { pool in
            if let pool { return pool }
            let settings = try? PictureSettings(assetWriterInput.outputSettings ?? [:])
            func side(_ key: CFString, _ own: Int?) -> Int { NumberSetting.number(attributes[key]).map { Int(exactly: $0) ?? 0 } ?? own ?? 0 }
            let (width, height) = (side(kCVPixelBufferWidthKey, settings?.width), side(kCVPixelBufferHeightKey, settings?.height))
            guard (1...16_384).contains(width), (1...16_384).contains(height) else { return nil }
            pool = CVPixelBufferPool(
                width: width, height: height,
                pixelFormat: PixelFormatSetting.format(in: attributes) ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            return pool
        }
    }

    /// Hands a picture to the writer, not to be changed any more. False where writing has ended; raises where a sample cannot be appended.
    @discardableResult
    open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        let selector = "appendPixelBuffer:withPresentationTime:"
        guard let writer = assetWriterInput.ready(selector) else { return false }
        return assetWriterInput.append(pixelBuffer, at: presentationTime, duration: .invalid, to: writer, selector)
    }
}
