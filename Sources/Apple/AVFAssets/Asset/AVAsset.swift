import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Timed media of a file or a composition: tracks of pictures, sound and metadata. Its properties are loaded when they are asked for.
///
///     let asset = AVURLAsset(url: url)
///     let (duration, tracks) = try await asset.load(.duration, .tracks)
///     let pictures = try await asset.loadTracks(withMediaType: .video)
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    let source: any AssetSource
    private let made = Mutex<[AVAssetTrack]?>(nil)

    init(source: any AssetSource) { self.source = source }

    /// Contents of the open file.
    package func contents() throws -> MovieContents { try source.opened().contents }

    /// Opens the frames of a cinematic movie; `edited` are metadata in place of those recorded, a sample for each of its frames.
    package func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource {
        try source.opened().cinematicFrames(reading, edited: edited)
    }

    /// Tracks, made once.
    package func loadedTracks() throws -> [AVAssetTrack] {
        let contents = try contents()
        return made.withLock { made in
            if let made { return made }
            let tracks = contents.tracks.map { AVAssetTrack(track: $0, source: source, asset: self) }
            made = tracks
            return tracks
        }
    }

    /// Environment in which the asset was made; nil where none was bound.
    package var environment: CaptureEnvironment? { source.environment }

    /// Loads the track of a number; nil where there is none.
    open func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try loadedTracks().first { $0.trackID == trackID }
    }

    /// Loads the tracks of a kind, in the order of the file.
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try loadedTracks().filter { $0.mediaType == mediaType }
    }

    /// Loads the tracks that have a characteristic, in the order of the file.
    open func loadTracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) async throws -> [AVAssetTrack] {
        try loadedTracks().filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Loads the tracks of a kind and hands them to `completionHandler`, or nil and the error.
    @preconcurrency
    open func loadTracks(withMediaType mediaType: AVMediaType, completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void) {
        DispatchQueue.global().async { [self] in
            do { completionHandler(try loadedTracks().filter { $0.mediaType == mediaType }, nil) } catch { completionHandler(nil, error) }
        }
    }

    /// Loads the metadata of a format; empty for any but QuickTime's.
    open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        format == .quickTimeMetadata ? try items() : []
    }

    /// Metadata of the file, as QuickTime keeps it.
    func items() throws -> [AVMetadataItem] {
        try contents().metadata.filter { $0.key.hasPrefix("com.") }.sorted { $0.key < $1.key }.map { key, text in
            let item = AVMutableMetadataItem()
            (item.identifier, item.value) = (AVMetadataIdentifier("mdta/\(key)"), NSString(string: text))
            return item
        }
    }
}

/// Properties that wait for the file, as before they were loaded by name. What cannot be read is empty.
extension AVAsset {
    /// Length of the longest track; `.invalid` where the file cannot be read.
    public var duration: CMTime { (try? contents().duration) ?? .invalid }
    /// Metadata of the file; empty where it cannot be read.
    public var metadata: [AVMetadataItem] { (try? items()) ?? [] }
    /// Metadata that every format knows; empty where the file cannot be read.
    public var commonMetadata: [AVMetadataItem] { (try? items().compactMap(\.common)) ?? [] }
    /// Date of the recording as the file keeps it; nil for none, and where the file cannot be read.
    public var creationDate: AVMetadataItem? { try? items().first { $0.identifier == .quickTimeMetadataCreationDate } }
    /// Whether there is something to show or to hear.
    public var isPlayable: Bool { tracks.contains { $0.isPlayable } }
    /// Whether a reader can read something of it.
    public var isReadable: Bool { tracks.contains { $0.isPlayable } }
}

/// Properties by their names in texts, as before they had types.
extension AVAsset {
    /// Loads what the names need and then calls the handler, on a queue of the system's.
    @available(*, deprecated, message: "Use load(_:) instead")
    @preconcurrency
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
        DispatchQueue.global().async { [self] in
            _ = try? contents()
            handler?()
        }
    }

    /// State of a property: with one that cannot be read its error, through `outError`. Every name is that of a property.
    @available(*, deprecated, message: "Use status(of:) instead")
    public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        guard source.isOpened else { return .unknown }
        do { _ = try contents() } catch {
            outError?.pointee = error as NSError
            return .failed
        }
        return .loaded
    }
}

/// State of a property that is loaded by its name.
public enum AVKeyValueStatus: Int, Sendable {
    /// Nobody has asked for it yet.
    case unknown = 0
    /// It is being loaded; never seen here, where loading is one step.
    case loading = 1
    /// It is there.
    case loaded = 2
    /// It could not be loaded.
    case failed = 3
    /// Loading was cancelled; never seen here.
    case cancelled = 4
}

/// Tracks in the order of the file; those of a composition are its own kind.
extension _AssetLookup where Self: AVAsset {
    /// Tracks in the order of the file; empty where it cannot be read.
    public var tracks: [AVAssetTrack] { (try? loadedTracks()) ?? [] }
    /// Returns the tracks of a kind; empty where the file cannot be read.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] { tracks.filter { $0.mediaType == mediaType } }
    /// Returns the track of a number; nil where there is none, or the file cannot be read.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? { tracks.first { $0.trackID == trackID } }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    private static func property<Value>(_ read: @escaping (Root) throws -> Value) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(isLoaded: { $0.source.isOpened }, read)
    }

    /// Length of the longest track.
    public static var duration: AVAsyncProperty<Root, CMTime> { property { try $0.contents().duration } }
    /// Tracks in the order of the file.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { property { try $0.loadedTracks() } }
    /// Metadata of the file.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { property { try $0.items() } }
    /// Metadata that every format knows.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> { property { try $0.items().compactMap(\.common) } }
    /// Formats of the metadata.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property { try $0.items().isEmpty ? [] : [.quickTimeMetadata] }
    }
    /// Date of the recording as the file keeps it; nil for none.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        property { try $0.items().first { $0.identifier == .quickTimeMetadataCreationDate } }
    }
    /// Rate at which to play, always 1.
    public static var preferredRate: AVAsyncProperty<Root, Float> { property { _ in 1 } }
    /// Volume at which to play, always 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property { _ in 1 } }
    /// Map of the first picture track to the upright picture.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property { try $0.loadedTracks().first { $0.mediaType == .video }?.preferredTransform ?? .identity }
    }
    /// Whether times and durations are exact, which they always are.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> { property { _ in true } }
    /// Whether there is something to show or to hear.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property { try $0.loadedTracks().contains { $0.isPlayable } } }
    /// Whether a reader can read something of it.
    public static var isReadable: AVAsyncProperty<Root, Bool> { property { try $0.loadedTracks().contains { $0.isPlayable } } }
    /// Whether its tracks may be put into a composition: whether there is something to read.
    public static var isComposable: AVAsyncProperty<Root, Bool> { property { try !$0.loadedTracks().isEmpty } }
    /// Whether an export session may export it; always false, as there are none.
    public static var isExportable: AVAsyncProperty<Root, Bool> { property { _ in false } }
    /// Whether its content is protected, which it never is.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> { property { _ in false } }
}
