import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Samples of one track on their way into an `AVAssetWriter`.
///
/// Without output settings samples come coded, as `AVAssetReaderTrackOutput` reads them without any, or are timed metadata, and are written as they are.
///
/// Pictures and sound are written side by side, so an input whose samples are far ahead of the other's is not ready for more until those come, or are
/// marked as finished.
open class AVAssetWriterInput: _SendableObject, @unchecked Sendable {
    /// Kind of media.
    public let mediaType: AVMediaType
    /// Coding in the file; nil passes coded samples through.
    public let outputSettings: [String: Any]?
    /// Format of the coded samples to come, which a file other than MOV and timed metadata want; nil: that of the first.
    public let sourceFormatHint: CMFormatDescription?
    private let state = Mutex(State())

    private struct State {
        weak var writer: AVAssetWriter?
        /// Place among the writer's inputs.
        var place = 0
        var transform = CGAffineTransform.identity
        var naturalSize = CGSize.zero
        var isRealTime = false
        var metadata: [AVMetadataItem] = []
        var timeScale: CMTimeScale = 0
        var wishes = Wishes()
        /// Samples that the writer's queue has not taken yet, and pictures that wait for sound.
        var queued = 0
        var held = 0
        /// Seconds by which it is ahead of the others.
        var lead = 0.0
        var isFinished = false
        /// Question for samples; gone when the input takes no more, as it may hold the input.
        var request: Request?
        var hasRequested = false
        var isAsking = false
        /// Whether something happened while the app was being asked.
        var hasChanged = false
    }

    /// Properties of the track that are kept.
    private struct Wishes {
        var language: String?
        var tag: String?
        var volume: Float = 0
        var isEnabled = true
        var chunkAlignment = 0
        var chunkDuration = CMTime.invalid
        var passes = false
    }

    private typealias Request = (queue: DispatchQueue, block: @Sendable () -> Void)

    /// Coding that the settings of an input ask for.
    enum Settings {
        case pictures(PictureSettings)
        case sound(SoundSettings)
        /// Samples as they come; the track where a hint tells it.
        case coded(MovieContents.Track?)

        /// Throws `SettingsFault` for those that nothing can be written by.
        init(
            _ settings: [String: Any]?, _ mediaType: AVMediaType, in fileType: AVFileType, hint: CMFormatDescription? = nil
        ) throws(SettingsFault) {
            guard let settings else {
                self = .coded(try Self.track(hint, mediaType, in: fileType))
                return
            }
            switch mediaType {
            case .video:
                let pictures = try PictureSettings(settings)
                guard fileType == .mov || pictures.codec != .prores else { throw SettingsFault("asks for ProRes, for which only MOV has a place") }
                self = .pictures(pictures)
            case .audio:
                let sound = try SoundSettings(settings)
                if case .pcm = sound.track.coding, fileType != .mov { throw SettingsFault("asks for PCM, for which only MOV has a place") }
                self = .sound(sound)
            default: throw SettingsFault("are for media of the kind \(mediaType.rawValue.printable), which is not encoded")
            }
        }

        private static func track(
            _ hint: CMFormatDescription?, _ mediaType: AVMediaType, in fileType: AVFileType
        ) throws(SettingsFault) -> MovieContents.Track? {
            guard let hint else {
                if fileType == .mov, mediaType != .metadata { return nil }
                throw SettingsFault("are nil, which passes coded samples through: that needs a sourceFormatHint, but of pictures and sound in MOV")
            }
            guard String(fourCharacterCode: hint.mediaType.rawValue) == mediaType.rawValue, let track = CodedSamples.track(of: hint) else {
                throw SettingsFault("are nil, and the sourceFormatHint is none of coded samples of the kind \(mediaType.rawValue.printable)")
            }
            return track
        }
    }

    /// Makes an input. Raises for settings that nothing can be written by.
    public init(mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?) {
        (self.mediaType, self.outputSettings, self.sourceFormatHint) = (mediaType, outputSettings?.bridged, sourceFormatHint)
        super.init()
        let selector = "-[AVAssetWriterInput initWithMediaType:outputSettings:sourceFormatHint:]"
        if mediaType == .metadata, sourceFormatHint == nil {
            CaptureEnvironment.current.raise(.invalidArgument, selector, "An input of timed metadata needs a sourceFormatHint")
        }
        guard let outputSettings, mediaType == .video || mediaType == .audio else { return }
        do { _ = try Settings(outputSettings, mediaType, in: .mov) } catch {
            CaptureEnvironment.current.raise(
                .invalidArgument, selector, "Output settings dictionary \(error.reason)")
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

    /// Size at which the track is to be shown; default zero, that of its pictures. Kept, and not written. Raises once writing has begun.
    open var naturalSize: CGSize {
        get { state.withLock { $0.naturalSize } }
        set { configure("setNaturalSize:") { $0.naturalSize = newValue } }
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

    /// Language of the track by ISO 639-2; kept, and not written. Raises once writing has begun.
    open var languageCode: String? {
        get { state.withLock { $0.wishes.language } }
        set { configure("setLanguageCode:") { $0.wishes.language = newValue } }
    }

    /// Language of the track by BCP 47; kept, and not written. Raises once writing has begun.
    open var extendedLanguageTag: String? {
        get { state.withLock { $0.wishes.tag } }
        set { configure("setExtendedLanguageTag:") { $0.wishes.tag = newValue } }
    }

    /// Volume at which the track is to be played; kept, and not written. Raises once writing has begun.
    open var preferredVolume: Float {
        get { state.withLock { $0.wishes.volume } }
        set { configure("setPreferredVolume:") { $0.wishes.volume = newValue } }
    }

    /// Whether players show the track; kept: all are enabled. Raises once writing has begun.
    open var marksOutputTrackAsEnabled: Bool {
        get { state.withLock { $0.wishes.isEnabled } }
        set { configure("setMarksOutputTrackAsEnabled:") { $0.wishes.isEnabled = newValue } }
    }

    /// Multiple of bytes at which chunks of samples begin; kept. Raises once writing has begun.
    open var preferredMediaChunkAlignment: Int {
        get { state.withLock { $0.wishes.chunkAlignment } }
        set { configure("setPreferredMediaChunkAlignment:") { $0.wishes.chunkAlignment = newValue } }
    }

    /// Length of chunks of samples; kept. Raises once writing has begun.
    open var preferredMediaChunkDuration: CMTime {
        get { state.withLock { $0.wishes.chunkDuration } }
        set { configure("setPreferredMediaChunkDuration:") { $0.wishes.chunkDuration = newValue } }
    }

    /// Whether samples may be asked for again for a better coding; kept: one pass is made. Raises once writing has begun.
    open var performsMultiPassEncodingIfSupported: Bool {
        get { state.withLock { $0.wishes.passes } }
        set { configure("setPerformsMultiPassEncodingIfSupported:") { $0.wishes.passes = newValue } }
    }

    /// Whether samples are asked for again: never.
    open var canPerformMultiplePasses: Bool { false }

    /// Marks the track as complete, as there is one pass.
    open func markCurrentPassAsFinished() { markAsFinished() }

    /// Whether the track can name another one before writing begins: one of metadata the pictures that it describes, as every one in a file does.
    open func canAddTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) -> Bool {
        mediaType == .metadata && input.mediaType == .video && trackAssociationType == AVAssetTrack.AssociationType.metadataReferent.rawValue
    }

    /// Names another track. Raises once writing has begun, and where the track cannot name it.
    open func addTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) {
        let selector = "addTrackAssociationWithTrackOfInput:type:"
        configure(selector) { _ in }
        if canAddTrackAssociation(withTrackOf: input, type: trackAssociationType) { return }
        _ = refuse(.invalidArgument, selector, "Not supported - use canAddTrackAssociationWithTrackOfInput:type:")
    }

    /// Samples of an input that the coder has not taken, at most.
    private static let longestQueue = 16
    /// Seconds by which sound may be ahead of the pictures.
    private static let longestLead = 2.0

    /// Whether a sample may be appended now. False before `startWriting()`, after `markAsFinished()`, while the coder is behind, and while the other
    /// input is.
    open var isReadyForMoreMediaData: Bool {
        guard writer?.status == .writing else { return false }
        return state.withLock { isReady($0) }
    }

    private func isReady(_ state: State) -> Bool {
        guard !state.isFinished else { return false }
        let isEncoded = mediaType == .video && outputSettings != nil
        return isEncoded
            ? state.queued + state.held < Self.longestQueue : state.queued < 4 * Self.longestQueue && state.lead < Self.longestLead
    }

    /// Hands a sample to the writer. False where writing has ended, as by an error; raises where a sample cannot be appended.
    @discardableResult
    open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
        let selector = "appendSampleBuffer:"
        guard let writer = ready(selector), writer.status == .writing else { return false }
        guard outputSettings != nil else { return appendCoded(sampleBuffer, to: writer, selector) }
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
            if part.sampleCount > 0 { try writing.append(part, to: self.place) }
        }
        return true
    }

    private func appendCoded(_ sampleBuffer: CMSampleBuffer, to writer: AVAssetWriter, _ selector: String) -> Bool {
        guard sampleBuffer.imageBuffer == nil, let data = try? sampleBuffer.dataBuffer?.dataBytes(), let format = sampleBuffer.formatDescription,
            String(fourCharacterCode: format.mediaType.rawValue) == mediaType.rawValue
        else {
            return refuse(
                .invalidArgument, selector, "Input buffer must be in a compressed format, and of the input's kind, when outputSettings is nil")
        }
        guard sampleBuffer.presentationTimeStamp.isNumeric else {
            return refuse(.invalidArgument, selector, "Cannot append a sample without a time")
        }
        let isSync = sampleBuffer.sampleAttachments.first?[.notSync] as? Bool != true
        var sample = MovieSample(
            time: sampleBuffer.presentationTimeStamp, duration: sampleBuffer.duration, content: .data(data, isSync: isSync))
        sample.decodeTime = sampleBuffer.decodeTimeStamp
        return append(sample, in: format, to: writer)
    }

    /// Hands over a coded sample in a format; nil is that of the hint.
    func append(_ sample: MovieSample, in format: CMFormatDescription?, to writer: AVAssetWriter) -> Bool {
        hand(to: writer) { writing, session in
            guard sample.time < session.end else { return }
            var sample = sample
            sample.time = sample.time - session.start
            if sample.decodeTime.isNumeric { sample.decodeTime = sample.decodeTime - session.start }
            if self.sourceFormatHint?.isCinematicMetadata == true, session.start != .zero, case .data(let data, let isSync) = sample.content {
                sample.content = .data(try CinematicSample(data).moved(by: (.zero - session.start).nanoseconds).data, isSync: isSync)
            }
            try writing.append(sample, in: format, to: self.place)
        }
        return true
    }

    func append(_ image: CVPixelBuffer, at time: CMTime, duration: CMTime, to writer: AVAssetWriter, _ selector: String) -> Bool {
        guard time.isNumeric else { return refuse(.invalidArgument, selector, "Cannot append a picture without a time") }
        hand(to: writer) { writing, session in
            guard time < session.end else { return }
            try writing.append(image, at: time - session.start, duration: duration, to: self.place)
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

    private var place: Int { state.withLock { $0.place } }

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
        guard close() else { return }
        writer.run { [place] in
            writer.perform { try $0.end(place) }
            writer.updateInputs()
        }
    }

    /// Calls `block` on `queue` whenever samples may be appended; it appends while `isReadyForMoreMediaData` and calls `markAsFinished()` at the end.
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.hasRequested = true }
            guard !state.hasRequested else { return false }
            if !state.isFinished { state.request = (queue, block) }
            return true
        }
        guard isFirst else { return refuseVoid("requestMediaDataWhenReadyOnQueue:usingBlock:", "cannot be called more than once") }
        askForMedia()
    }

    /// Asks the app for samples where it wants to be asked and they may be appended.
    func askForMedia() {
        let isWriting = writer?.status == .writing && writer?.state.withLock { $0.session != nil } ?? false
        let request = state.withLock { state -> Request? in
            state.hasChanged = true
            guard isWriting, let request = state.request, !state.isAsking, isReady(state) else { return nil }
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
    func join(_ writer: AVAssetWriter, at place: Int) { state.withLock { ($0.writer, $0.place) = (writer, place) } }
    /// Takes no more samples; false where it did not before.
    @discardableResult
    func close() -> Bool {
        let (isFirst, request) = state.withLock { state in
            defer { (state.isFinished, state.request) = (true, nil) }
            return (!state.isFinished, state.request)
        }
        // Content of the app's block goes outside of the lock.
        return withExtendedLifetime(request) { isFirst }
    }

    fileprivate func update(held: Int, lead: Double) {
        state.withLock { state in (state.held, state.lead) = (held, lead) }
        askForMedia()
    }

    /// Reason why a writer does not take it, in words.
    func refusal(by writer: AVAssetWriter) -> String {
        if self.writer != nil { return "it is in a writer already" }
        guard writer.availableMediaTypes.contains(mediaType) else { return "media of the kind \(mediaType.rawValue.printable) are not written" }
        do { _ = try Settings(outputSettings, mediaType, in: writer.outputFileType, hint: sourceFormatHint) } catch {
            return "the output settings \(error.reason)"
        }
        return "there is an input of its kind already, and a file has one of each that is encoded"
    }

    private func configure(_ selector: String, _ body: (inout State) -> Void) {
        guard writer.map({ $0.status == .unknown }) ?? true else {
            return refuseVoid(selector, "Cannot call method when status is \(writer?.status.rawValue ?? 0)")
        }
        state.withLock { body(&$0) }
    }

    private func refuseVoid(_ selector: String, _ reason: String) { _ = refuse(.internalInconsistency, selector, reason) }

    func refuse(_ name: CaptureEnvironment.Violation.Name, _ selector: String, _ reason: String, of type: String = "AVAssetWriterInput") -> Bool {
        (writer?.environment ?? CaptureEnvironment.current).raise(name, "-[\(type) \(selector)]", reason)
        return false
    }
}

extension AVAssetWriter {
    /// Tells the inputs how far they are, on the writer's queue.
    func updateInputs() {
        guard let writing = state.withLock({ $0.writing }) else { return }
        for (place, input) in inputs.enumerated() {
            input.update(held: input.mediaType == .video ? writing.waiting : 0, lead: input.mediaType == .metadata ? 0 : writing.lead(of: place))
        }
    }
}
