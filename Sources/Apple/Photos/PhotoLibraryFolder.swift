import CoreLocation
import CoreVideo
import Foundation
import Synchronization
import UIKit

/// Folder that stands for the user's photo library, and the user's answer to the app's wish to use it; ours, for tests.
///
///     let library = PhotoLibraryFolder(at: folder, answer: .limited)
///     try await PhotoLibraryFolder.$current.withValue(library) { try await saver.save(photo) }
///
/// Bound about a test's phone, or about the app's making within it, the library is found from the app's own queues and from the delegates of its outputs, too. `install` binds one for the whole process, for all other code. Without either the library is restricted, and changes fail.
public final class PhotoLibraryFolder: Sendable {
    /// Library of this task and its children; nil for none.
    @TaskLocal public static var current: PhotoLibraryFolder?
    private static let installed = Mutex<PhotoLibraryFolder?>(nil)

    /// Binds the library of the process, or none: that of whatever has none of its task.
    public static func install(_ library: PhotoLibraryFolder?) { installed.withLock { $0 = library } }

    /// The task's library, else the process's; nil without either.
    static var bound: PhotoLibraryFolder? { current ?? installed.withLock { $0 } }

    /// File of an asset.
    struct File: Sendable {
        /// Name in the folder.
        let name: String
        /// Kind; nil for what is neither picture, movie nor sound.
        let type: PHAssetResourceType?
        /// Name that the app wished for; nil for that in the folder.
        var originalName: String?
        /// Identifier of the content's type that the app gave; nil for that of the name.
        var contentType: String?
    }

    /// Asset: the files that belong together.
    struct Asset: Sendable {
        let identifier: String
        /// The picture or movie first.
        let files: [File]
        var creationDate: Date?
        var location: CLLocation?
        var isFavorite = false
        /// The user's last edit; nil without one.
        var edit: Edit?

        private var kinds: [PHAssetMediaType] { files.map { PHAssetMediaType(fileName: $0.name) } }
        /// Kind, by the extension of its first file.
        var mediaType: PHAssetMediaType { kinds.first { $0 != .unknown } ?? .unknown }
        /// Files, that of the edit last.
        var allFiles: [File] { files + (edit.map { [$0.file] } ?? []) }
        /// Whether it is a picture with a movie.
        var isLivePhoto: Bool { mediaType == .image && kinds.contains(.video) }
    }

    /// Edit of an asset: the file it leaves beside the others, and what the app says of it.
    struct Edit: Sendable {
        let file: File
        let adjustment: PHAdjustmentData
    }

    /// Album of an app.
    struct Album: Sendable {
        let identifier: String
        let title: String
        var kind = PHAssetCollectionSubtype.albumRegular
        /// Identifiers of its assets.
        var members: [String] = []
    }

    private struct State: Sendable {
        var status = PHAuthorizationStatus.notDetermined
        var count = 0
        /// Assets that apps made, by identifier; other files of the folder are assets by their names.
        var made: [String: Asset] = [:]
        var albums: [Album] = []
    }

    /// Folder of the resources: `IMG_0001.HEIC` and so on, one number an asset.
    public let folder: URL
    /// The user's answer, when the app asks.
    public let answer: PHAuthorizationStatus
    private let state = Mutex(State())
    /// Whether movies are cinematic, by the names of their files, as long as these do not change: each has to be opened for it.
    private let cinematic = Mutex<[String: (modified: Date, isCinematic: Bool)]>([:])

    /// Makes a library of an existing folder, with the user's answer to come.
    public init(at folder: URL, answer: PHAuthorizationStatus = .authorized) {
        self.folder = folder
        self.answer = answer
        Self.followsCaptures
        Self.takesSavedPhotos
    }

    /// Lets what UIKit's functions save come into the bound library, once the user allows it.
    private static let takesSavedPhotos: Void = {
        SavedPhotos.library = { item in
            guard let library = bound, [.authorized, .limited].contains(library.ask()) else { return }
            // An app without a selector is told nothing, neither here nor on a phone.
            try? PHPhotoLibrary.shared().performChangesAndWait {
                switch item {
                case .image(let image): PHAssetChangeRequest.creationRequestForAsset(from: image)
                case .video(let file): PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: file)
                }
            }
        }
    }()

    /// Lets bound libraries go where captures go.
    private static let followsCaptures: Void = CompanionScopes.add {
        guard let library = current else { return nil }
        return { body in $current.withValue(library, operation: body) }
    }

    var status: PHAuthorizationStatus { state.withLock { $0.status } }

    func ask() -> PHAuthorizationStatus {
        state.withLock { state in
            if state.status == .notDetermined { state.status = answer }
            return state.status
        }
    }

    /// The library that an app may read now; nil without one, and without permission.
    static var readable: PhotoLibraryFolder? { bound.flatMap { [.authorized, .limited].contains($0.status) ? $0 : nil } }

    /// Assets of the folder: what apps made as it was made, and other files, those of one name before the dot together.
    var assets: [Asset] {
        let names = self.names
        let made = state.withLock { $0.made.values.filter { $0.files.map(\.name).allSatisfy(names.contains) } }
        let found = Set(names).subtracting(made.flatMap(\.allFiles).map(\.name)).sorted()
        let stems = Dictionary(grouping: found) { URL(fileURLWithPath: "/" + $0).deletingPathExtension().lastPathComponent }
        return made
            + stems.map { stem, files in
                // A picture stands before its movie.
                let kinds = files.map { ($0, PHAssetMediaType(fileName: $0)) }
                let ordered = kinds.filter { $0.1 != .video } + kinds.filter { $0.1 == .video }
                var isPictureThere = false
                return Asset(
                    identifier: stem + "/L0/001",
                    files: ordered.map { name, kind in
                        defer { isPictureThere = isPictureThere || kind == .image }
                        return File(name: name, type: PHAssetResourceType(kind, besidePicture: isPictureThere))
                    })
            }
    }

    /// Names of the folder's files, in order.
    private var names: [String] {
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
        return (all ?? []).filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true }.map(\.lastPathComponent).sorted()
    }

    /// Albums of apps, oldest first, behind those that fill themselves.
    var albums: [Album] {
        let assets = assets
        func smart(_ title: String, _ kind: PHAssetCollectionSubtype, _ isMember: (Asset) -> Bool) -> Album {
            Album(identifier: "\(title.lowercased())/L0/040", title: title, kind: kind, members: assets.filter(isMember).map(\.identifier))
        }
        return [
            smart("Recents", .smartAlbumUserLibrary) { _ in true }, smart("Favorites", .smartAlbumFavorites, \.isFavorite),
            smart("Videos", .smartAlbumVideos) { $0.mediaType == .video }, smart("Live Photos", .smartAlbumLivePhotos, \.isLivePhoto),
            smart("Cinematic", .smartAlbumCinematic, isCinematic),
        ] + state.withLock { $0.albums }
    }

    private func isCinematic(_ asset: Asset) -> Bool {
        guard asset.mediaType == .video, let name = asset.files.first?.name else { return false }
        let asset = PHAsset(asset, in: folder)
        let known = cinematic.withLock { $0[name] }
        if let known, known.modified == asset.modificationDate { return known.isCinematic }
        let isCinematic = asset.mediaSubtypes.contains(.videoCinematic)
        // Without a reader nobody knows.
        if let modified = asset.modificationDate, CaptureEnvironment.bound?.openAsset != nil {
            cinematic.withLock { $0[name] = (modified, isCinematic) }
        }
        return isCinematic
    }

    func album(_ identifier: String) -> Album? { albums.first { $0.identifier == identifier } }

    /// Keeps what a request said of its files, and the edit of them.
    func keep(_ request: PHAssetChangeRequest, files: [File], edit: Edit? = nil) {
        let asset = Asset(
            identifier: request.identifier, files: files, creationDate: request.creationDate, location: request.location,
            isFavorite: request.isFavorite, edit: edit)
        state.withLock { $0.made[asset.identifier] = asset }
    }

    /// Carries out the requests of a change: new files first, all or none of them.
    func apply(_ requests: [PHPhotoLibrary.Change.Request]) throws {
        let created = requests.compactMap { if case .create(let request) = $0 { request } else { nil } }
        if !created.isEmpty { try PHAssetCreationRequest.write(created, to: self) }
        for request in requests {
            switch request {
            case .create: break
            case .change(let request):
                if let asset = assets.first(where: { $0.identifier == request.identifier }) {
                    keep(request, files: asset.files, edit: try edit(asset, as: request))
                }
            case .delete(let identifiers):
                for asset in assets where identifiers.contains(asset.identifier) {
                    for file in asset.allFiles { try FileManager.default.removeItem(at: folder.appendingPathComponent(file.name)) }
                    state.withLock { $0.made[asset.identifier] = nil }
                }
            case .makeAlbum(let identifier, let title): state.withLock { $0.albums.append(Album(identifier: identifier, title: title)) }
            case .deleteAlbums(let identifiers): state.withLock { $0.albums.removeAll { identifiers.contains($0.identifier) } }
            case .addMembers(let members, let album): edit(album) { $0.formUnion(members) }
            case .removeMembers(let members, let album): edit(album) { $0.subtract(members) }
            }
        }
    }

    /// Puts the file of a request's edit in place of an older one's, or takes that away; returns the edit that the asset has now.
    private func edit(_ asset: Asset, as request: PHAssetChangeRequest) throws -> Edit? {
        let old = asset.edit.map { folder.appendingPathComponent($0.file.name) }
        guard let output = request.contentEditingOutput else {
            guard request.isReverted, let old else { return asset.edit }
            try FileManager.default.removeItem(at: old)
            return nil
        }
        guard let rendered = output.rendered, let adjustment = output.adjustmentData, let first = asset.files.first, !asset.isLivePhoto else {
            throw PHPhotosError(.invalidResource)
        }
        let stem = URL(fileURLWithPath: "/" + first.name).deletingPathExtension().lastPathComponent
        // As a phone's camera roll names them: IMG_E0001.JPG beside IMG_0001.HEIC.
        let edited = stem.hasPrefix("IMG_") ? "IMG_E" + stem.dropFirst(4) : stem + "-edited"
        let name = edited + "." + rendered.pathExtension.uppercased()
        let target = folder.appendingPathComponent(name)
        if let old { try FileManager.default.removeItem(at: old) }
        try FileManager.default.copyItem(at: rendered, to: target)
        return Edit(file: File(name: name, type: asset.mediaType == .video ? .fullSizeVideo : .fullSizePhoto), adjustment: adjustment)
    }

    private func edit(_ album: String, _ change: (inout Set<String>) -> Void) {
        state.withLock { state in
            guard let index = state.albums.firstIndex(where: { $0.identifier == album }) else { return }
            var members = Set(state.albums[index].members)
            change(&members)
            state.albums[index].members = members.sorted()
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
