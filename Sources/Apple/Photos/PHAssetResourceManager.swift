import Foundation
import Synchronization

/// Number of a request for bytes.
public typealias PHAssetResourceDataRequestID = Int32
/// Number of no request.
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID = 0
/// Closure that is told of a download, 0…1.
public typealias PHAssetResourceProgressHandler = (Double) -> Void

/// Wishes for bytes; kept without effect, as every file is there.
public final class PHAssetResourceRequestOptions: NSObject {
    /// Whether the file may be fetched from elsewhere.
    public var isNetworkAccessAllowed = false
    /// Closure that is told of the download; never called.
    public var progressHandler: PHAssetResourceProgressHandler?
}

/// Giver of the bytes of resources.
open class PHAssetResourceManager: NSObject, @unchecked Sendable {
    private struct Requests {
        var last: PHAssetResourceDataRequestID = 0
        var underWay: Set<PHAssetResourceDataRequestID> = []
    }

    private static let manager = PHAssetResourceManager()
    private let requests = Mutex(Requests())

    /// The shared manager.
    public class func `default`() -> PHAssetResourceManager { manager }

    /// Gives a file piece by piece, then nil or why it ended, on a queue of Dispatch's: `PHPhotosError`, or the error of the file system.
    @discardableResult
    open func requestData(
        for resource: PHAssetResource, options: PHAssetResourceRequestOptions?, dataReceivedHandler handler: @escaping (Data) -> Void,
        completionHandler: @escaping ((any Error)?) -> Void
    ) -> PHAssetResourceDataRequestID {
        let number = requests.withLock { requests in
            requests.last += 1
            requests.underWay.insert(requests.last)
            return requests.last
        }
        PhotoLibraryFolder.later {
            completionHandler(Self.error { try self.read(resource, number, handler) })
            self.cancelDataRequest(number)
        }
        return number
    }

    /// Ends a request, whose completion is told `userCancelled`; without effect for one that is over.
    open func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) { _ = requests.withLock { $0.underWay.remove(requestID) } }

    /// Copies a file to a place where none is, and tells a handler on a queue of Dispatch's.
    open func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        PhotoLibraryFolder.later { completionHandler(Self.error { try self.copy(resource, fileURL) }) }
    }

    /// Copies a file to a place where none is.
    ///
    /// - Throws: `PHPhotosError`, or the error of the file system.
    nonisolated(nonsending) open func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
    ) async throws {
        try copy(resource, fileURL)
    }

    private func read(_ resource: PHAssetResource, _ number: PHAssetResourceDataRequestID, _ handler: (Data) -> Void) throws {
        let file = try FileHandle(forReadingFrom: found(resource))
        defer { try? file.close() }
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            guard requests.withLock({ $0.underWay.contains(number) }) else { throw PHPhotosError(.userCancelled) }
            handler(piece)
        }
    }

    private func copy(_ resource: PHAssetResource, _ target: URL) throws { try FileManager.default.copyItem(at: found(resource), to: target) }

    private func found(_ resource: PHAssetResource) throws -> URL {
        guard FileManager.default.fileExists(atPath: resource.file.path) else { throw PHPhotosError(.missingResource) }
        return resource.file
    }

    private static func error(_ work: () throws -> Void) -> (any Error)? {
        do {
            try work()
            return nil
        } catch {
            return error
        }
    }
}
