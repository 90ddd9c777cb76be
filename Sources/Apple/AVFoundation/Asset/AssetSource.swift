import CoreMedia
import Foundation
import Pipeline
import Support

/// File behind an asset, opened when something of it is first asked for.
final class AssetSource: Sendable {
    let url: URL
    /// That in which the asset was made; nil where none was bound.
    let environment: CaptureEnvironment?
    private let file = MadeOnce<any MovieFile>()

    init(url: URL) {
        self.url = url
        environment = CaptureEnvironment.bound?.withoutDevices
    }

    /// The open file; throws what an app is told.
    func opened() throws -> any MovieFile { try file.get(open) }

    var isOpened: Bool { file.isMade }

    private func open() throws -> any MovieFile {
        guard url.isFileURL else {
            throw AVError(.operationNotSupportedForAsset, reason: "\(url.absoluteString.printable) is no file; assets are read from files alone")
        }
        guard let open = environment?.openAsset else { throw AVError(.unknown, reason: MovieReaderMissing().description) }
        do { return try open(url) } catch { throw AVError.reading(error, url) }
    }
}

/// Error of an environment that has no reader of movies.
struct MovieReaderMissing: Error, CustomStringConvertible {
    var description: String { "no movie reader: set CaptureEnvironment.openAsset, or let RackfocusKit make the environment" }
}

extension AVError {
    /// Error of an asset that cannot be read, as Apple's systems tell it; the adapter's error is beneath.
    static func reading(_ error: any Error, _ url: URL) -> any Error {
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

    init(_ code: Code, reason: String) { self.init(code, userInfo: [NSLocalizedDescriptionKey: reason]) }
}
