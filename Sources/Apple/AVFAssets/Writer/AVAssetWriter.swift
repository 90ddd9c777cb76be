import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization
import UniformTypeIdentifiers

/// Writer of a movie file from sample buffers: pictures, coded as H.264, HEVC or ProRes, and sound as AAC or PCM; coded samples as they come; and timed
/// metadata.
///
///     unknown ──startWriting──► writing ──finishWriting──► completed
///        │                        ├──error──► failed
///        └─────error──► failed    └──cancelWriting──► cancelled
///
///     let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
///     let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
///     writer.add(input)
///     writer.startWriting()
///     writer.startSession(atSourceTime: firstTime)
///     if input.isReadyForMoreMediaData { input.append(sample) }
///     input.markAsFinished()
///     await writer.finishWriting()
///
/// Coding runs on a queue of the writer's own; `append` only hands over. The file takes its name when it is complete, unless `movieFragmentInterval` is
/// set: then it can be played while it is written.
open class AVAssetWriter: _SendableObject, @unchecked Sendable {
    /// State of a writer.
    public enum Status: Int, Sendable {
        /// Writing has not begun.
        case unknown = 0
        /// Samples may be appended.
        case writing = 1
        /// The file is complete.
        case completed = 2
        /// Writing ended with an error.
        case failed = 3
        /// Writing was cancelled.
        case cancelled = 4
    }

    /// Location of the file.
    public let outputURL: URL
    /// Kind of the file.
    public let outputFileType: AVFileType
    /// Whether it hands segments to a delegate in place of a file.
    let isOfSegments: Bool
    let environment: CaptureEnvironment
    let queue = DispatchQueue(label: "rackfocus.asset-writer")
    let state = Mutex(State())

    struct State {
        var status = Status.unknown
        var error: (any Error)?
        var inputs: [AVAssetWriterInput] = []
        var metadata: [AVMetadataItem] = []
        var fragmentInterval = CMTime.invalid
        var optimizes = false
        var timescale: CMTimeScale = 0
        var hints = Hints()
        var segmenting = Segmenting()
        var session: (start: CMTime, end: CMTime)?
        var writing: AssetWriting?
        /// Whether the file is being completed.
        var isFinishing = false
    }

    /// Wishes that are kept.
    struct Hints {
        var directory: URL?
        var duration = CMTime.indefinite
        var firstFragment = CMTime.invalid
        var combines = false
    }

    /// Makes a writer; nothing is written yet. Throws `AVError` for a URL that is no file's; raises for a kind of file that is not written.
    public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        (self.outputURL, self.outputFileType, isOfSegments) = (outputURL, outputFileType, false)
        environment = CaptureEnvironment.bound?.withoutDevices ?? CaptureEnvironment.current
        super.init()
        guard outputURL.isFileURL else { throw AVError(.unknown, reason: "\(outputURL.absoluteString.printable) is no file") }
        if Self.extensions[outputFileType] == nil {
            refuse(.invalidArgument, "initWithURL:fileType:error:", "Invalid file type UTI: \(outputFileType.rawValue.printable)")
        }
    }

    /// Makes a writer; as `init(outputURL:fileType:)`.
    public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(outputURL: outputURL, fileType: outputFileType)
    }

    /// Makes a writer of segments, which `delegate` gets in place of a file; raises for a kind of file that has none: it has to be MPEG-4 or QuickTime.
    public init(contentType outputContentType: UTType) {
        let fileType = AVFileType(rawValue: outputContentType.identifier)
        (outputURL, outputFileType, isOfSegments) = (URL(fileURLWithPath: "/dev/null"), fileType, true)
        environment = CaptureEnvironment.bound?.withoutDevices ?? CaptureEnvironment.current
        super.init()
        if Self.extensions[fileType] == nil {
            refuse(.invalidArgument, "initWithContentType:", "Invalid content type: \(outputContentType.identifier.printable)")
        }
    }

    deinit { state.withLock { $0.writing }?.cancel() }

    /// Extensions of the kinds of files that are written, the usual one first.
    private static let extensions: [AVFileType: [String]] = [
        .mov: ["mov", "qt"], .mp4: ["mp4", "m4v"], .m4v: ["m4v", "mp4"], .m4a: ["m4a", "mp4"],
    ]

    /// State; `writing` until the file is complete.
    open var status: Status { state.withLock { $0.status } }
    /// Error that writing ended with, `AVError`; nil unless it failed.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// Inputs in the order in which they were added.
    open var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }
    /// Kinds of media that the file holds: pictures, unless it is of sound alone, sound and, in MOV, timed metadata and the disparity of cinematic movies.
    open var availableMediaTypes: [AVMediaType] {
        switch outputFileType {
        case .m4a: [.audio]
        case .mov: [.video, .audio, .metadata, .auxiliaryPicture]
        default: [.video, .audio]
        }
    }

    /// Metadata of the file, of which those are kept that `AVMetadataItem` says are. Raises once writing has begun.
    open var metadata: [AVMetadataItem] {
        get { state.withLock { $0.metadata } }
        set { configure("setMetadata:") { $0.metadata = newValue } }
    }

    /// Time after which the part of the file so far can be played; `.invalid`, the default: only the complete file. Raises once writing has begun.
    open var movieFragmentInterval: CMTime {
        get { state.withLock { $0.fragmentInterval } }
        set { configure("setMovieFragmentInterval:") { $0.fragmentInterval = newValue } }
    }

    /// Whether the index lies ahead of the media; kept, as it always does. Raises once writing has begun.
    open var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.optimizes } }
        set { configure("setShouldOptimizeForNetworkUse:") { $0.optimizes = newValue } }
    }

    /// Ticks per second of lengths in the file's index; 0, the default, for a number that holds frames of all usual rates. Raises once writing has begun,
    /// and for less than 0.
    open var movieTimeScale: CMTimeScale {
        get { state.withLock { $0.timescale } }
        set {
            guard newValue >= 0 else { return refuse(.invalidArgument, "setMovieTimeScale:", "A timescale is 0 or more") }
            configure("setMovieTimeScale:") { $0.timescale = newValue }
        }
    }

    /// Directory for files that are made on the way; kept: they lie beside the movie. Raises once writing has begun.
    open var directoryForTemporaryFiles: URL? {
        get { state.withLock { $0.hints.directory } }
        set { configure("setDirectoryForTemporaryFiles:") { $0.hints.directory = newValue } }
    }

    /// Length that a movie in fragments is expected to have; kept. Raises once writing has begun.
    open var overallDurationHint: CMTime {
        get { state.withLock { $0.hints.duration } }
        set { configure("setOverallDurationHint:") { $0.hints.duration = newValue } }
    }

    /// Time after which the first part of the file can be played; kept: `movieFragmentInterval` says it. Raises once writing has begun.
    open var initialMovieFragmentInterval: CMTime {
        get { state.withLock { $0.hints.firstFragment } }
        set { configure("setInitialMovieFragmentInterval:") { $0.hints.firstFragment = newValue } }
    }

    /// Whether fragments of several files can be put together; kept. Raises once writing has begun.
    open var producesCombinableFragments: Bool {
        get { state.withLock { $0.hints.combines } }
        set { configure("setProducesCombinableFragments:") { $0.hints.combines = newValue } }
    }

    /// Whether an input with these settings can be written; nil, which passes coded samples through, in MOV alone without a hint of their format.
    open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        canWrite(outputSettings, mediaType, hint: nil)
    }

    private func canWrite(_ settings: [String: Any]?, _ mediaType: AVMediaType, hint: CMFormatDescription?) -> Bool {
        availableMediaTypes.contains(mediaType) && (try? AVAssetWriterInput.Settings(settings, mediaType, in: outputFileType, hint: hint)) != nil
    }

    /// Whether an input can be added: of a kind that the file holds, in no writer, before writing has begun. Of pictures and of sound one is encoded.
    open func canAdd(_ input: AVAssetWriterInput) -> Bool {
        status == .unknown && input.writer == nil && canWrite(input.outputSettings, input.mediaType, hint: input.sourceFormatHint)
            && (input.outputSettings == nil || !inputs.contains { $0.mediaType == input.mediaType && $0.outputSettings != nil })
    }

    /// Adds an input; raises for one that cannot be added.
    open func add(_ input: AVAssetWriterInput) {
        guard status == .unknown else { return refuseState("addInput:") }
        guard canAdd(input) else {
            return refuse(.invalidArgument, "addInput:", "Cannot add this input: \(input.refusal(by: self))")
        }
        state.withLock { state in
            input.join(self, at: state.inputs.count)
            state.inputs.append(input)
        }
    }

    /// Makes ready for samples. False where that fails, with the error in `error`; raises when called again.
    @discardableResult
    open func startWriting() -> Bool {
        guard status == .unknown else {
            refuseState("startWriting")
            return false
        }
        do {
            let plan = try plan()
            state.withLock { state in
                state.writing = AssetWriting(plan)
                state.status = .writing
            }
        } catch {
            fail(error)
            return false
        }
        for input in inputs { input.askForMedia() }
        return true
    }

    /// Time of the samples that is to be time zero of the movie. What comes ahead of it is left out, but the picture that is still shown then. Raises unless
    /// samples may be appended, and for a second session.
    open func startSession(atSourceTime startTime: CMTime) {
        guard startTime.isNumeric else {
            return refuse(.invalidArgument, "startSessionAtSourceTime:", "invalid parameter not satisfying: CMTIME_IS_NUMERIC(startTime)")
        }
        guard status == .writing, state.withLock({ $0.session == nil }) else { return refuseState("startSessionAtSourceTime:") }
        state.withLock { $0.session = (startTime, .positiveInfinity) }
        for input in inputs { input.askForMedia() }
    }

    /// Time of the samples at which the movie ends: the last picture is shown until then, and what is later is not, also where it was appended already.
    /// Raises without a session.
    open func endSession(atSourceTime endTime: CMTime) {
        guard endTime.isNumeric else {
            return refuse(.invalidArgument, "endSessionAtSourceTime:", "invalid parameter not satisfying: CMTIME_IS_NUMERIC(endTime)")
        }
        guard status == .writing, state.withLock({ $0.session != nil }) else { return refuseState("endSessionAtSourceTime:") }
        state.withLock { $0.session?.end = endTime }
    }

    /// Ends writing and leaves no file; a writer that has not begun is cancelled too, and one that has ended stays as it is.
    open func cancelWriting() {
        guard status == .writing else {
            if status == .unknown { state.withLock { $0.status = .cancelled } }
            return
        }
        let writing = state.withLock { state -> AssetWriting? in
            state.status = .cancelled
            defer { state.writing = nil }
            return state.writing
        }
        queue.sync { writing?.cancel() }
        for input in inputs { input.close() }
    }

    /// Completes the file and calls `handler`, on a queue of the writer's own; `status` then says how it went. Raises before writing has begun.
    @preconcurrency
    open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        let (status, isFirst, inputs) = state.withLock { state in
            defer { state.isFinishing = true }
            return (state.status, !state.isFinishing, state.inputs)
        }
        guard status == .writing, isFirst else {
            if status == .unknown || !isFirst { refuseState("finishWritingWithCompletionHandler:") }
            return DispatchQueue.global().async(execute: handler)
        }
        for input in inputs { input.close() }
        queue.async { [self] in
            perform { writing in
                let session = state.withLock { $0.session }
                try writing.finish(at: session.flatMap { $0.end.isNumeric ? $0.end - $0.start : nil })
                state.withLock { state in
                    guard state.status == .writing else { return }
                    (state.status, state.writing) = (.completed, nil)
                }
            }
            handler()
        }
    }

    /// Completes the file; `status` then says how it went. Raises before writing has begun.
    open func finishWriting() async {
        await withCheckedContinuation { continuation in finishWriting { continuation.resume() } }
    }
}

extension AVAssetWriter {
    func configure(_ selector: String, _ body: (inout State) -> Void) {
        guard status == .unknown else { return refuseState(selector) }
        state.withLock { body(&$0) }
    }

    func refuseState(_ selector: String) {
        refuse(.internalInconsistency, selector, "Cannot call method when status is \(status.rawValue)")
    }

    func refuse(_ name: CaptureEnvironment.Violation.Name, _ selector: String, _ reason: String) {
        environment.raise(name, "-[AVAssetWriter \(selector)]", reason)
    }

    /// Properties of the file; throws `AVError` where it cannot be written.
    private func plan() throws -> AssetWriting.Plan {
        let state = state.withLock { $0 }
        guard let open = environment.openMovie else { throw AVError(.unknown, reason: MovieWriterMissing().description) }
        var plan = AssetWriting.Plan(url: try location(), open: open)
        plan.segments = try openSegments()
        plan.media = state.inputs.map(\.mediaType)
        for (place, input) in state.inputs.enumerated() {
            switch try? AVAssetWriterInput.Settings(input.outputSettings, input.mediaType, in: outputFileType, hint: input.sourceFormatHint) {
            case .pictures(let settings):
                plan.pictures = settings
                plan.isRealTime = input.expectsMediaDataInRealTime
            case .sound(let settings): plan.sound = settings.track
            case .coded(let track): plan.coded[place] = .some(track)
            case nil: throw AVError(.unsupportedOutputSettings)
            }
            guard input.mediaType == .video else { continue }
            guard let posture = input.transform.posture else {
                throw AVError(.unsupportedOutputSettings, reason: "a movie is turned by quarter turns alone; the transform of its input is another")
            }
            (plan.rotation, plan.isMirrored) = posture
        }
        plan.timescale = state.timescale > 0 ? state.timescale : 240_000
        guard !state.inputs.isEmpty else { throw AVError(.unknown, reason: "a writer without inputs has nothing to write") }
        plan.metadata = Dictionary(state.metadata.compactMap(\.quickTimeEntry)) { _, last in last }
        if plan.segments == nil, state.fragmentInterval.isNumeric { plan.fragments = .every(state.fragmentInterval) }
        return plan
    }

    /// Location of the file, as yet free; for segments its name alone. Throws `AVError`.
    private func location() throws -> URL {
        let allowed = Self.extensions[outputFileType] ?? []
        guard !isOfSegments else { return URL(fileURLWithPath: "segments.\(allowed.first ?? "mp4")") }
        guard !FileManager.default.fileExists(atPath: outputURL.path) else {
            throw AVError(.fileAlreadyExists, reason: "\(outputURL.path.printable) exists already; remove it first")
        }
        guard allowed.contains(outputURL.pathExtension.lowercased()) else {
            throw AVError(
                .invalidOutputURLPathExtension,
                reason: "\(outputURL.lastPathComponent.printable) does not end as a file of its kind does: .\(allowed.first ?? "mov")")
        }
        return outputURL
    }

    /// Runs work on the writer's queue, beside the app while time passes; in virtual time the app waits, so that no picture is ever late.
    func run(_ work: @escaping @Sendable () -> Void) {
        if environment.isWallClock { queue.async(execute: work) } else { queue.sync(execute: work) }
    }

    /// Runs a step on the media, on the writer's queue; an error ends writing.
    func perform(_ step: (AssetWriting) throws -> Void) {
        guard let writing = state.withLock({ $0.status == .writing ? $0.writing : nil }) else { return }
        do { try step(writing) } catch { fail(error) }
    }

    func fail(_ error: any Error) {
        let writing = state.withLock { state -> AssetWriting? in
            guard state.status == .unknown || state.status == .writing else { return nil }
            (state.status, state.error) = (.failed, AVError(writingFailure: error))
            defer { state.writing = nil }
            return state.writing
        }
        writing?.cancel()
        for input in inputs { input.close() }
    }
}

extension AVError {
    /// Error of a movie that cannot be written; the adapter's error is beneath.
    init(writingFailure error: any Error) {
        switch (error as? any MediaFailure)?.kind {
        case .missingEncoder: self.init(.encoderNotFound, underlying: error)
        case .unsupported: self.init(.unsupportedOutputSettings, underlying: error)
        case .outOfMemory: self.init(.outOfMemory, underlying: error)
        default: self = error as? AVError ?? AVError(recordingFailure: error)
        }
    }
}
