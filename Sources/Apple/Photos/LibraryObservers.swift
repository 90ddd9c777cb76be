import Foundation
import Synchronization

/// Observers of all libraries, none of which it keeps alive.
enum LibraryObservers {
    private struct Registration: @unchecked Sendable {
        weak var observer: (any PHPhotoLibraryChangeObserver)?
        let library: PhotoLibraryFolder
    }

    private static let all = Mutex<[Registration]>([])
    private static let queue = DispatchQueue(label: "photo library changes")

    static func add(_ observer: any PHPhotoLibraryChangeObserver, of library: PhotoLibraryFolder) {
        let registration = Registration(observer: observer, library: library)
        all.withLock { $0 = $0.filter { $0.observer != nil } + [registration] }
    }

    static func remove(_ observer: any PHPhotoLibraryChangeObserver) {
        let identity = ObjectIdentifier(observer)
        all.withLock { $0.removeAll { $0.observer.map { ObjectIdentifier($0) == identity } ?? true } }
    }

    /// Tells the observers of a library that it has changed, one after the other, on a queue of its own.
    static func tell(of library: PhotoLibraryFolder) {
        let observing = all.withLock { $0.filter { $0.library === library } }
        guard !observing.isEmpty else { return }
        queue.async {
            PhotoLibraryFolder.$current.withValue(library) {
                for registration in observing { registration.observer?.photoLibraryDidChange(PHChange(of: library)) }
            }
        }
    }
}
