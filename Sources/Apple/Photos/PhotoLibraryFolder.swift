import Foundation
import Synchronization

/// Folder that stands for the user's photo library, and the user's answer to the app's wish to use it; ours, for tests.
///
///     let library = PhotoLibraryFolder(at: folder, answer: .limited)
///     try await PhotoLibraryFolder.$current.withValue(library) { try await saver.save(photo) }
///
/// `install` binds one for the whole process: code on the app's own queues, such as a photo's delegate, is in no task of the test's. Without either the
/// library is restricted, and changes fail.
public final class PhotoLibraryFolder: Sendable {
    /// Library of this task and its children; nil for none.
    @TaskLocal public static var current: PhotoLibraryFolder?
    private static let installed = Mutex<PhotoLibraryFolder?>(nil)

    /// Binds the library of the process, or none: that of whatever has none of its task.
    public static func install(_ library: PhotoLibraryFolder?) { installed.withLock { $0 = library } }

    /// The task's library, else the process's; nil without either.
    static var bound: PhotoLibraryFolder? { current ?? installed.withLock { $0 } }

    private struct State: Sendable {
        var status = PHAuthorizationStatus.notDetermined
        var count = 0
    }

    /// Folder of the resources: `IMG_0001.HEIC` and so on, one number an asset.
    public let folder: URL
    /// The user's answer, when the app asks.
    public let answer: PHAuthorizationStatus
    private let state = Mutex(State())

    /// Makes a library of an existing folder, with the user's answer to come.
    public init(at folder: URL, answer: PHAuthorizationStatus = .authorized) {
        self.folder = folder
        self.answer = answer
    }

    var status: PHAuthorizationStatus { state.withLock { $0.status } }

    func ask() -> PHAuthorizationStatus {
        state.withLock { state in
            if state.status == .notDetermined { state.status = answer }
            return state.status
        }
    }

    /// Number of the next asset, from 1: one that no file of the folder has.
    func takeNumber() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return state.withLock { state in
            repeat { state.count += 1 } while names.contains { $0.hasPrefix(Self.stem(state.count)) }
            return state.count
        }
    }

    /// Name of an asset's files before the dot.
    static func stem(_ number: Int) -> String {
        "IMG_" + String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
    }
}
