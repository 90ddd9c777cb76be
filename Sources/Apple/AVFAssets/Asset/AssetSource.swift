import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Support

/// Source that an asset reads its tracks from: a file or a composition.
protocol AssetSource: AnyObject, Sendable {
    /// Environment in which the asset was made; nil where none was bound.
    var environment: CaptureEnvironment? { get }
    /// Whether nothing needs to be opened any more.
    var isOpened: Bool { get }
    /// The movie as it is now; throws what an app is told.
    func opened() throws -> any MovieFile
    /// The error that an app is told for one in reading.
    func told(_ error: any Error) -> any Error
}

/// File behind an asset, opened when something of it is first asked for.
final class AssetFile: AssetSource {
    let url: URL
    let environment: CaptureEnvironment?
    private let file = MadeOnce<any MovieFile>()

    init(url: URL) {
        self.url = url
        environment = CaptureEnvironment.bound?.withoutDevices
    }

    func opened() throws -> any MovieFile { try file.get(open) }

    var isOpened: Bool { file.isMade }

    private func open() throws -> any MovieFile {
        guard url.isFileURL else {
            throw AVError(.operationNotSupportedForAsset, reason: "\(url.absoluteString.printable) is no file; assets are read from files alone")
        }
        guard let open = environment?.openAsset else { throw AVError(.unknown, reason: MovieReaderMissing().description) }
        do { return try open(url) } catch { throw told(error) }
    }

    /// The error as Apple's systems tell it; the adapter's error is beneath.
    func told(_ error: any Error) -> any Error {
        if error is AVError { return error }
        switch (error as? any MediaFailure)?.kind {
        case .missingFile:
            return NSError(
                domain: NSURLErrorDomain, code: NSURLErrorFileDoesNotExist,
                userInfo: [NSURLErrorKey: url, NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: String(describing: error)])
        case .unknownFormat: return AVError(.fileFormatNotRecognized, underlying: error)
        case .missingDecoder: return AVError(.decoderNotFound, underlying: error)
        case .damaged: return AVError(.fileFailedToParse, underlying: error)
        case .unsupported: return AVError(.operationNotSupportedForAsset, underlying: error)
        case .outOfMemory: return AVError(.outOfMemory, underlying: error)
        case .missingEncoder, .other, nil: return AVError(.unknown, underlying: error)
        }
    }
}

/// Error of an environment that has no reader of movies.
struct MovieReaderMissing: Error, CustomStringConvertible {
    var description: String { "no movie reader: set CaptureEnvironment.openAsset, or let RackfocusKit make the environment" }
}
