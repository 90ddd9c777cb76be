import AVFoundation
import Foundation
import MovieSupport
import Photos
import Pipeline
import Synchronization
import Testing

extension PhotoLibraryTests {
    /// Movie of one grey picture for 1.5 seconds, 40 × 20 pixels as stored, shown turned by 90 degrees.
    private static func greyMovie() -> DrawnMovie {
        DrawnMovie(1, each: CMTime(value: 3, timescale: 2), width: 40, height: 20) { _, _ in
            let picture = CVPixelBuffer(width: 40, height: 20, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for plane in 0..<2 { memset(picture.plane(plane).base, 128, picture.plane(plane).bytesPerRow * (plane == 0 ? 20 : 10)) }
            return .picture(picture)
        }
    }

    /// Runs `body` with the library of an app that may use it, where movies can be read.
    private func withMovies(onOpen: @escaping @Sendable () -> Void = {}, _ body: (URL) async throws -> Void) async throws {
        var environment = CaptureEnvironment(cameras: [], renderer: nil) { _ in throw AVError(.unknown) }
        environment.openAsset = { _ in
            onOpen()
            return Self.greyMovie()
        }
        try await CaptureEnvironment.$scoped.withValue(environment) {
            try await withLibrary(.authorized) { folder in
                _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
                try await body(folder)
            }
        }
    }

    @Test("opens each movie once for the album of cinematic ones, until its file changes")
    func cinematicAlbum() async throws {
        let openings = Mutex(0)
        try await withMovies {
            openings.withLock { $0 += 1 }
        } _: { folder in
            let files = ["one.mov", "two.mov"].map { folder.appendingPathComponent($0) }
            for file in files { try Self.jpeg.write(to: file) }
            func album() -> PHAssetCollection? {
                PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumCinematic, options: nil).firstObject
            }
            for _ in 1...3 { #expect(album()?.estimatedAssetCount == 0) }
            #expect(openings.withLock { $0 } == 2)
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: files[0].path)
            for _ in 1...2 { #expect(album() != nil) }
            #expect(openings.withLock { $0 } == 3)
        }
    }

    @Test("opens movies: their size, length and first picture, and themselves to read, play and export")
    func movies() async throws {
        try await withMovies { folder in
            try Self.jpeg.write(to: folder.appendingPathComponent("take.mov"))
            try Self.jpeg.write(to: folder.appendingPathComponent("other.jpg"))
            let (manager, options) = (PHImageManager.default(), PHVideoRequestOptions())
            options.version = .original
            let asset = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
            #expect([asset.pixelWidth, asset.pixelHeight] == [20, 40] && asset.duration == 1.5 && asset.playbackStyle == .video)

            let synchronous = PHImageRequestOptions()
            synchronous.isSynchronous = true
            var images: [UIImage?] = []
            for size in [CGSize(width: 20, height: 20), PHImageManagerMaximumSize] {
                manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFit, options: synchronous) { image, _ in images.append(image) }
            }
            #expect(images.map { $0?.size } == [CGSize(width: 10, height: 20), CGSize(width: 20, height: 40)])

            let (file, mix) = await withCheckedContinuation { done in
                manager.requestAVAsset(forVideo: asset, options: options) { file, mix, _ in done.resume(returning: ((file as? AVURLAsset)?.url, mix))
                }
            }
            #expect(file?.lastPathComponent == "take.mov" && mix == nil)
            let item = await withCheckedContinuation { done in
                manager.requestPlayerItem(forVideo: asset, options: nil) { item, _ in done.resume(returning: item) }
            }
            #expect(item?.asset.duration.seconds == 1.5)
            for (preset, isThere) in [(AVAssetExportPresetHighestQuality, true), ("none", false)] {
                let session = await withCheckedContinuation { done in
                    manager.requestExportSession(forVideo: asset, options: options, exportPreset: preset) { session, info in
                        done.resume(returning: (session?.presetName, info?[PHImageErrorKey] is PHPhotosError))
                    }
                }
                #expect(session == (isThere ? preset : nil, !isThere))
            }
            let picture = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
            let none = await withCheckedContinuation { done in
                manager.requestAVAsset(forVideo: picture, options: options) {
                    done.resume(returning: ($0 == nil && $2?[PHImageErrorKey] is PHPhotosError))
                }
            }
            #expect(none && picture.duration == 0)
            let input = await withCheckedContinuation { done in
                asset.requestContentEditingInput(with: nil) { input, _ in done.resume(returning: input) }
            }
            #expect((input?.audiovisualAsset as? AVURLAsset)?.url == file && input?.fullSizeImageURL == nil)
        }
    }

    @Test("gives a Live Photo as a picture with its movie, in the albums that fill themselves, too")
    func livePhotos() async throws {
        try await withMovies { folder in
            let jpeg = try picture(80, 40, orientation: 6)
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: jpeg, options: nil)
                request.addResource(with: .pairedVideo, data: Data([1]), options: nil)
                request.isFavorite = true
                PHAssetCreationRequest.forAsset().addResource(with: .video, data: Data([2]), options: nil)
            }
            let albums = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular, options: nil)
            var counts: [PHAssetCollectionSubtype: Int] = [:]
            albums.enumerateObjects { album, _, _ in counts[album.assetCollectionSubtype] = PHAsset.fetchAssets(in: album, options: nil).count }
            #expect(
                counts == [
                    .smartAlbumUserLibrary: 2, .smartAlbumFavorites: 1, .smartAlbumVideos: 1, .smartAlbumLivePhotos: 1, .smartAlbumCinematic: 0,
                ])

            let asset = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
            #expect(asset.playbackStyle == .livePhoto && asset.canPerform(.delete) && !asset.canPerform(.content))
            let photo = await withCheckedContinuation { done in
                PHImageManager.default().requestLivePhoto(
                    for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: PHLivePhotoRequestOptions()
                ) { photo, _ in done.resume(returning: photo) }
            }
            #expect(photo?.size == CGSize(width: 40, height: 80))
            #expect(photo.map(PHAssetResource.assetResources(for:))?.map(\.type) == [.photo, .pairedVideo])
            let files = ["IMG_0001.JPG", "IMG_0001.MOV"].map { folder.appendingPathComponent($0) }
            for (files, isThere) in [(files, true), ([files[0]], false)] {
                let made = await withCheckedContinuation { done in
                    PHLivePhoto.request(withResourceFileURLs: files, placeholderImage: nil, targetSize: .zero, contentMode: .default) {
                        done.resume(returning: ($0?.size.height, $1[PHLivePhotoInfoErrorKey] != nil))
                    }
                }
                #expect(made == (isThere ? 80 : nil, !isThere))
            }
            let input = await withCheckedContinuation { done in
                asset.requestContentEditingInput(with: nil) { input, _ in done.resume(returning: input) }
            }
            #expect(input?.fullSizeImageURL?.lastPathComponent == "IMG_0001.JPG" && input?.fullSizeImageOrientation == 6)
            #expect(input?.displaySizeImage?.size == CGSize(width: 40, height: 80) && input?.livePhoto != nil)
        }
    }

    @Test("lists albums as collections, and knows albums that are in no library")
    func collections() async throws {
        try await withMovies { folder in
            for name in ["a.jpg", "b.jpg", "c.jpg"] { try Self.jpeg.write(to: folder.appendingPathComponent(name)) }
            let assets = PHAsset.fetchAssets(with: nil)
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Takes").addAssets(assets)
            }
            let albums = PHCollectionList.fetchTopLevelUserCollections(with: nil)
            let takes = try #require(albums.firstObject as? PHAssetCollection)
            #expect(albums.count == 1 && takes.localizedTitle == "Takes" && takes.canContainAssets && takes.estimatedAssetCount == 3)
            #expect(PHAssetCollection.fetchAssetCollectionsContaining(assets[0], with: .album, options: nil).firstObject == takes)
            let own = PHAssetCollection.transientAssetCollection(with: [assets[2], assets[1]], title: "Chosen")
            #expect(own.localizedTitle == "Chosen" && PHAsset.fetchAssets(in: own, options: nil).count == 2)
            var seen: [Int] = []
            assets.enumerateObjects(options: .reverse) { _, index, stop in
                seen.append(index)
                stop.pointee = ObjCBool(index == 1)
            }
            #expect(seen == [2, 1] && PHFetchResult<PHAsset>().count == 0 && PHAsset().mediaType == .unknown)
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([assets[0]] as NSArray) }
            #expect(PHAsset.fetchAssets(in: takes, options: nil).count == 2)
        }
    }
}
