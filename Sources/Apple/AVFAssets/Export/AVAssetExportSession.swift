import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Export of an asset, or a part of it, to a file: pictures and sound coded anew or, with the preset for it, as they are stored.
///
///     let session = AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality)
///     session?.videoComposition = videoComposition
///     try await session?.export(to: url, as: .mov)
///
/// The first track of pictures and all sound, mixed, are exported; with a video composition the pictures are its own. Of a recording's ambisonics and the stereo
/// beside them only what the mix names is heard, by default the stereo. A part begins at zero in the file.
open class AVAssetExportSession: _SendableObject, @unchecked Sendable {
    /// State of an export.
    public enum Status: Int, Sendable {
        /// It has not begun.
        case unknown = 0
        /// It waits for another; never seen here.
        case waiting = 1
        /// It runs.
        case exporting = 2
        /// The file is complete.
        case completed = 3
        /// It ended with an error.
        case failed = 4
        /// It was cancelled.
        case cancelled = 5
    }

    /// Asset that is exported.
    public let asset: AVAsset
    /// Name of the preset.
    public let presetName: String
    private let preset: ExportPreset
    private let state = Mutex(Course())

    private struct Course {
        var (status, error, progress) = (Status.unknown, (any Error)?.none, Float(0))
        var (url, fileType): (URL?, AVFileType?)
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var videoComposition: AVVideoComposition?
        var audioMix: AVAudioMix?
        var metadata: [AVMetadataItem]?
        var optimizes = false
        var sizeLimit: Int64 = 0
        var pitch = AVAudioTimePitchAlgorithm.spectral
        var directory: URL?
        var copying: SampleCopying?
    }

    /// Makes an export; nil for a preset that is not known.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset(named: presetName) else { return nil }
        (self.asset, self.presetName, self.preset) = (asset, presetName, preset)
        super.init()
    }

    /// Names of all presets but `AVAssetExportPresetPassthrough`, as on a phone.
    open class func allExportPresets() -> [String] { ExportPreset.all.filter { !$0.isPassthrough }.map(\.name) }

    /// Names of the presets that an asset can be exported with, `AVAssetExportPresetPassthrough` left out: for sound alone where it has no pictures.
    open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        let hasPictures = asset.tracks.contains { $0.mediaType == .video }
        return ExportPreset.all.filter { $0.isSoundAlone || hasPictures && !$0.isPassthrough }.map(\.name)
    }

    /// Whether an asset can be exported with a preset to a kind of file; nil for any kind.
    open class func compatibility(ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?) async -> Bool {
        guard let session = AVAssetExportSession(asset: asset, presetName: presetName) else { return false }
        let isFit = session.preset.isPassthrough || exportPresets(compatibleWith: asset).contains(presetName)
        return isFit && outputFileType.map(session.supportedFileTypes.contains) ?? true
    }

    /// Kinds of files that the preset makes.
    open var supportedFileTypes: [AVFileType] { preset.isSoundAlone ? [.m4a] : [.mov, .mp4, .m4v] }

    /// State.
    open var status: Status { state.withLock { $0.status } }
    /// Error that the export ended with; nil unless it failed.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// Part that is done, 0 to 1.
    open var progress: Float { state.withLock { $0.progress } }
    /// Location of the file; there must be none yet.
    open var outputURL: URL? {
        get { state.withLock { $0.url } }
        set { configure("setOutputURL:") { $0.url = newValue } }
    }
    /// Kind of the file, one of `supportedFileTypes`.
    open var outputFileType: AVFileType? {
        get { state.withLock { $0.fileType } }
        set { configure("setOutputFileType:") { $0.fileType = newValue } }
    }
    /// Part of the asset; by default all of it.
    open var timeRange: CMTimeRange {
        get { state.withLock { $0.timeRange } }
        set { configure("setTimeRange:") { $0.timeRange = newValue } }
    }
    /// Composition that makes the pictures; nil exports the first track's.
    open var videoComposition: AVVideoComposition? {
        get { state.withLock { $0.videoComposition } }
        set { configure("setVideoComposition:") { $0.videoComposition = newValue } }
    }
    /// Way to mix the sound; nil leaves all tracks as loud as recorded.
    open var audioMix: AVAudioMix? {
        get { state.withLock { $0.audioMix } }
        set { configure("setAudioMix:") { $0.audioMix = newValue } }
    }
    /// Metadata of the file; nil keeps the asset's.
    open var metadata: [AVMetadataItem]? {
        get { state.withLock { $0.metadata } }
        set { configure("setMetadata:") { $0.metadata = newValue } }
    }
    /// Whether the index lies ahead of the media; kept, as it always does.
    open var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.optimizes } }
        set { configure("setShouldOptimizeForNetworkUse:") { $0.optimizes = newValue } }
    }

    /// Bytes that the file should have at most; kept: the preset alone says how large it is. Default 0 for any number.
    open var fileLengthLimit: Int64 {
        get { state.withLock { $0.sizeLimit } }
        set { configure("setFileLengthLimit:") { $0.sizeLimit = newValue } }
    }
    /// Way of sounding at another speed; kept: sound of another length is resampled.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { state.withLock { $0.pitch } }
        set { configure("setAudioTimePitchAlgorithm:") { $0.pitch = newValue } }
    }
    /// Directory for files that are made on the way; kept: they lie beside the movie.
    open var directoryForTemporaryFiles: URL? {
        get { state.withLock { $0.directory } }
        set { configure("setDirectoryForTemporaryFiles:") { $0.directory = newValue } }
    }

    /// Tells whether an asset can be exported with a preset to a kind of file; nil for any kind.
    @preconcurrency
    open class func determineCompatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?,
        completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        Task { handler(await compatibility(ofExportPreset: presetName, with: asset, outputFileType: outputFileType)) }
    }
    /// Tells the kinds of files that the preset makes.
    @preconcurrency
    open func determineCompatibleFileTypes(completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void) { handler(supportedFileTypes) }
    /// Kinds of files that the preset makes.
    open var compatibleFileTypes: [AVFileType] { get async { supportedFileTypes } }

    private func configure(_ selector: String, _ change: (inout Course) -> Void) {
        let isOpen = state.withLock { state in
            if state.status == .unknown { change(&state) }
            return state.status == .unknown
        }
        guard !isOpen else { return }
        (asset.environment ?? CaptureEnvironment.current).raise(
            .internalInconsistency, "-[AVAssetExportSession \(selector)]", "Cannot be called once the export has begun")
    }

    /// Exports to `outputURL`, and calls `handler` when that has ended; see `status` and `error`.
    @preconcurrency
    open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { [self] in
            run()
            handler()
        }
    }

    /// Exports to `outputURL`; see `status` and `error`.
    open func export() async {
        await withCheckedContinuation { continuation in exportAsynchronously { continuation.resume() } }
    }

    /// Exports to a file of a kind. Throws `AVError`, or `CancellationError` where it was cancelled.
    public final func export(to url: URL, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation) async throws {
        let isFirst = state.withLock { state in
            guard state.status == .unknown else { return state.status == .cancelled }
            (state.url, state.fileType) = (url, fileType)
            return true
        }
        guard isFirst else { throw AVError(.operationNotAllowed, reason: "an export session exports once") }
        await withTaskCancellationHandler {
            await export()
        } onCancel: {
            cancelExport()
        }
        if let error { throw error }
        if status == .cancelled { throw CancellationError() }
    }

    /// Ends the export; nothing is left of the file.
    open func cancelExport() {
        let copying = state.withLock { state in
            if state.status == .unknown || state.status == .exporting { state.status = .cancelled }
            return state.copying
        }
        copying?.cancel()
    }

    private func run() {
        let begun = state.withLock { state -> Course? in
            guard state.status == .unknown else { return nil }
            state.status = .exporting
            return state
        }
        guard let begun else { return }
        do {
            let copying = try copying(begun)
            let isWanted = state.withLock { state in
                state.copying = copying
                return state.status == .exporting
            }
            if isWanted { try copying.run { [weak self] done in self?.state.withLock { $0.progress = max($0.progress, done) } } }
            state.withLock { state in
                if state.status == .exporting { (state.status, state.progress) = (.completed, 1) }
                state.copying = nil
            }
        } catch {
            state.withLock { state in
                if state.status == .exporting { (state.status, state.error) = (.failed, error) }
                state.copying = nil
            }
        }
    }

    /// The reader and the writer of the export.
    private func copying(_ state: Course) throws -> SampleCopying {
        guard let url = state.url, let fileType = state.fileType, supportedFileTypes.contains(fileType) else {
            throw AVError(
                .unsupportedOutputSettings,
                reason: "set outputURL, and outputFileType to one of \(supportedFileTypes.map(\.rawValue).joined(separator: ", "))")
        }
        let whole = CMTimeRange(start: .zero, duration: try asset.contents().duration)
        let range = state.timeRange.intersection(whole)
        guard range.duration > .zero else { throw AVError(.noDataCaptured, reason: "nothing of the asset is in the timeRange") }
        let (reader, writer) = (try AVAssetReader(asset: asset), try AVAssetWriter(outputURL: url, fileType: fileType))
        reader.timeRange = range
        writer.metadata = try state.metadata ?? asset.items()
        writer.shouldOptimizeForNetworkUse = state.optimizes
        var pairs: [(AVAssetReaderOutput, AVAssetWriterInput)] = []
        for pair in try preset.pairs(asset, state.videoComposition, state.audioMix) {
            // Left out is that for which a kind of file has no place.
            guard writer.canAdd(pair.input) else {
                let reason = pair.input.refusal(by: writer)
                writer.environment.diagnose("the export leaves out a track of \(pair.input.mediaType.rawValue): \(reason)")
                continue
            }
            reader.add(pair.output)
            writer.add(pair.input)
            pairs.append(pair)
        }
        guard !pairs.isEmpty else {
            throw AVError(.operationNotSupportedForAsset, reason: "\(presetName) exports nothing of this asset to \(fileType.rawValue)")
        }
        return SampleCopying(reader, writer, pairs, range)
    }
}
