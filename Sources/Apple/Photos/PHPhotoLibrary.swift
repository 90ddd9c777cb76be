import Foundation
import Synchronization

/// App's permission to use the photo library.
public enum PHAuthorizationStatus: Int, Sendable {
    /// The user was not asked yet.
    case notDetermined = 0
    /// The app cannot use it, whatever the user says; so it is without a `PhotoLibraryFolder`.
    case restricted = 1
    /// The user said no.
    case denied = 2
    /// The user said yes.
    case authorized = 3
    /// The user chose some photos; the app may add others.
    case limited = 4
}

/// Use that an app makes of the photo library.
public enum PHAccessLevel: Int, Sendable {
    /// It only adds photos.
    case addOnly = 1
    /// It reads and changes photos.
    case readWrite = 2
}

/// Failure of a change of the library.
public struct PHPhotosError: Error, Equatable, Sendable {
    /// Kind of failure.
    public enum Code: Int, Sendable {
        /// The app may not use the library.
        case accessUserDenied = 3311
        /// There is no library: no `PhotoLibraryFolder` is set.
        case accessRestricted = 3310
        /// The resources of an asset do not make one: none, two of a kind, or one without a byte.
        case invalidResource = 3302
        /// The file of a resource is not there any more.
        case missingResource = 3303
        /// The app cancelled its request.
        case userCancelled = 3072
    }

    /// Kind of failure.
    public let code: Code
    init(_ code: Code) { self.code = code }
}

/// The user's photo library, over the folder of a `PhotoLibraryFolder`.
public final class PHPhotoLibrary: NSObject, Sendable {
    private static let library = PHPhotoLibrary()
    /// Requests of the change under way on this thread's task.
    @TaskLocal static var change: Change?

    /// Requests of one change, in order.
    final class Change: Sendable {
        enum Request: Sendable {
            case create(PHAssetCreationRequest)
            case change(PHAssetChangeRequest)
            case delete([String])
            case makeAlbum(String, String)
            case deleteAlbums([String])
            case addMembers([String], String)
            case removeMembers([String], String)
        }

        private let all = Mutex<[Request]>([])
        var requests: [Request] { all.withLock { $0 } }
        func add(_ request: Request) { all.withLock { $0.append(request) } }
    }

    private override init() {}

    /// Returns the library.
    public class func shared() -> PHPhotoLibrary { library }

    /// The app's permission now, the same for both uses.
    public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        PhotoLibraryFolder.bound?.status ?? .restricted
    }

    /// The app's permission to read and change photos.
    public class func authorizationStatus() -> PHAuthorizationStatus { authorizationStatus(for: .readWrite) }

    /// Asks the user to let the app read and change photos, and hands over the answer on a queue of Dispatch's.
    public class func requestAuthorization(_ handler: @escaping (PHAuthorizationStatus) -> Void) {
        requestAuthorization(for: .readWrite, handler: handler)
    }

    /// Asks the user, and returns the answer, now and ever after the same.
    public class func requestAuthorization(for accessLevel: PHAccessLevel) async
        -> PHAuthorizationStatus
    {
        PhotoLibraryFolder.bound?.ask() ?? .restricted
    }

    /// Asks the user, and hands over the answer on a queue of the library's own.
    public class func requestAuthorization(
        for accessLevel: PHAccessLevel, handler: @escaping (PHAuthorizationStatus) -> Void
    ) {
        let answer = PhotoLibraryFolder.bound?.ask() ?? .restricted
        PhotoLibraryFolder.later { handler(answer) }
    }

    /// Runs a block that makes requests, on the caller's actor, and writes all their files or none.
    ///
    /// - Throws: `PHPhotosError`, or the error of the file system.
    nonisolated(nonsending) public func performChanges(_ changeBlock: @escaping () -> Void) async throws {
        try performChangesAndWait(changeBlock)
    }

    /// Runs a block that makes requests, and writes all their files or none; returns when they are there.
    public func performChangesAndWait(_ changeBlock: () -> Void) throws {
        guard let folder = PhotoLibraryFolder.bound else { throw PHPhotosError(.accessRestricted) }
        guard [.authorized, .limited].contains(folder.ask()) else {
            throw PHPhotosError(.accessUserDenied)
        }
        let change = Change()
        Self.$change.withValue(change, operation: changeBlock)
        try folder.apply(change.requests)
        if !change.requests.isEmpty { LibraryObservers.tell(of: folder) }
    }

    /// Lets an observer know of changes that apps make from now on, for as long as it lives. Nothing changes in a restricted library.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        if let folder = PhotoLibraryFolder.bound { LibraryObservers.add(observer, of: folder) }
    }

    /// Lets an observer know of nothing more.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) { LibraryObservers.remove(observer) }

    /// Runs a block that makes requests, and tells a handler, on a queue of the library's own.
    public func performChanges(
        _ changeBlock: @escaping () -> Void, completionHandler: ((Bool, (any Error)?) -> Void)?
    ) {
        PhotoLibraryFolder.later {
            do {
                try self.performChangesAndWait(changeBlock)
                completionHandler?(true, nil)
            } catch {
                completionHandler?(false, error)
            }
        }
    }
}

extension PhotoLibraryFolder {
    /// Box that carries an app's closure to a queue: Photos asks no `Sendable` of it.
    private struct Carried: @unchecked Sendable {
        let work: () -> Void
    }

    /// Runs work on a queue of Dispatch's, with the caller's library.
    static func later(_ work: @escaping () -> Void) {
        let (folder, carried) = (bound, Carried(work: work))
        DispatchQueue.global().async { $current.withValue(folder) { carried.work() } }
    }
}
