import Foundation
import Photos
import Synchronization
import Testing

@Suite("The photo library")
struct PhotoLibraryTests {
    static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])

    /// Runs `body` with a library over a folder of its own.
    func withLibrary(_ answer: PHAuthorizationStatus, _ body: (URL) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "photos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let result: Result<Void, any Error>
        do {
            let library = PhotoLibraryFolder(at: folder, answer: answer)
            result = .success(
                try await PhotoLibraryFolder.$current.withValue(library) { try await body(folder) })
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(at: folder)
        try result.get()
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("takes a photo's bytes and a movie's file, under one number an asset")
    func resources() async throws {
        try await withLibrary(.authorized) { folder in
            let movie = FileManager.default.temporaryDirectory.appendingPathComponent(
                "\(UUID().uuidString).mov")
            try Data([1, 2, 3]).write(to: movie)
            #expect(PHPhotoLibrary.authorizationStatus(for: .addOnly) == .notDetermined)
            #expect(await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized)
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetCreationRequest.forAsset()
                request.creationDate = Date(timeIntervalSince1970: 1000)
                request.addResource(with: .photo, data: Self.jpeg, options: nil)
                let options = PHAssetResourceCreationOptions()
                options.shouldMoveFile = true
                request.addResource(with: .pairedVideo, fileURL: movie, options: options)
            }
            let files = try names(folder)
            #expect(files == ["IMG_0001.JPG", "IMG_0001.MOV"])
            #expect(!FileManager.default.fileExists(atPath: movie.path))
            let photo = folder.appendingPathComponent("IMG_0001.JPG")
            #expect(try Data(contentsOf: photo) == Self.jpeg)
            let date =
                try FileManager.default.attributesOfItem(atPath: photo.path)[.modificationDate] as? Date
            #expect(date == Date(timeIntervalSince1970: 1000))
        }
    }

    @Test("takes what UIKit's functions save, once the user allows it")
    func savedByUIKit() async throws {
        let provider = try #require(CGDataProvider(data: Data(repeating: 90, count: 16 * 8 * 4) as CFData))
        let bitmap = try #require(
            CGImage(
                width: 16, height: 8, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 64, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent))
        try await withLibrary(.authorized) { folder in
            let movie = folder.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).mov")
            try Data([1, 2, 3]).write(to: movie)
            defer { try? FileManager.default.removeItem(at: movie) }
            let conditions = UIKitConditions()
            UIKitConditions.$scoped.withValue(conditions) {
                UIImageWriteToSavedPhotosAlbum(UIImage(cgImage: bitmap), nil, nil, nil)
                UISaveVideoAtPathToSavedPhotosAlbum(movie.path, nil, nil, nil)
                UISaveVideoAtPathToSavedPhotosAlbum(movie.path + "x", nil, nil, nil)
            }
            #expect(conditions.savedImages.map(\.size) == [CGSize(width: 16, height: 8)] && conditions.savedVideos.map(\.path) == [movie.path])
            #expect(try names(folder) == ["IMG_0001.JPG", "IMG_0002.MOV"])
        }
        try await withLibrary(.denied) { folder in
            UIImageWriteToSavedPhotosAlbum(UIImage(cgImage: bitmap), nil, nil, nil)
            let kept = try names(folder)
            #expect(kept.isEmpty)
        }
    }

    @Test("takes no picture that has no pixels, and no file without a byte: the change fails, and nothing is written", arguments: ["image", "data"])
    func pixelless(kind: String) async throws {
        try await withLibrary(.authorized) { folder in
            let image = UIImage(ciImage: CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 4, height: 4)))
            let conditions = UIKitConditions()
            UIKitConditions.$scoped.withValue(conditions) { UIImageWriteToSavedPhotosAlbum(image, nil, nil, nil) }
            #expect(conditions.savedImages.isEmpty)
            let answer = await withCheckedContinuation { done in
                PHPhotoLibrary.shared().performChanges {
                    if kind == "image" {
                        PHAssetChangeRequest.creationRequestForAsset(from: image)
                    } else {
                        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Data(), options: nil)
                    }
                } completionHandler: { isDone, error in
                    done.resume(returning: (isDone, (error as? PHPhotosError)?.code))
                }
            }
            #expect(!answer.0 && answer.1 == .invalidResource)
            let files = try names(folder)
            #expect(files.isEmpty)
        }
    }

    @Test("writes all files of a change or none")
    func atomicity() async throws {
        try await withLibrary(.limited) { folder in
            await #expect(throws: PHPhotosError.self) {
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: nil)
                    _ = PHAssetCreationRequest.forAsset()
                }
            }
            await #expect(throws: (any Error).self) {
                try await PHPhotoLibrary.shared().performChanges {
                    let request = PHAssetCreationRequest.forAsset()
                    request.addResource(with: .photo, data: Self.jpeg, options: nil)
                    request.addResource(
                        with: .video, fileURL: URL(fileURLWithPath: "/nowhere.mov"), options: nil)
                }
            }
            let files = try names(folder)
            #expect(files == [])
        }
    }

    @Test("keeps every file, where names that apps wish for are alike, and numbers of an earlier library")
    func names() async throws {
        try await withLibrary(.authorized) { folder in
            _ = await PHPhotoLibrary.requestAuthorization(for: .addOnly)
            try Self.jpeg.write(to: folder.appendingPathComponent("IMG_0001.JPG"))
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = "../photo.jpg"
            for _ in 0..<2 {
                try await PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: options)
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: nil)
                }
            }
            let files = try names(folder)
            #expect(files == ["IMG_0001.JPG", "IMG_0003.JPG", "IMG_0004-photo.jpg", "IMG_0005.JPG", "photo.jpg"])
        }
    }

    @Test("is closed to those whom the user refused, restricted without a folder, and open on the app's queues when it is the process's")
    func refusal() async throws {
        try await withLibrary(.denied) { folder in
            #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .denied)
            let answer = await withCheckedContinuation { continuation in
                PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: nil)
                } completionHandler: { isDone, error in
                    continuation.resume(returning: (isDone, (error as? PHPhotosError)?.code))
                }
            }
            #expect(answer.0 == false && answer.1 == .accessUserDenied)
            let files = try names(folder)
            #expect(files == [])
        }
        #expect(PHPhotoLibrary.authorizationStatus(for: .addOnly) == .restricted)
        #expect(throws: PHPhotosError.self) { try PHPhotoLibrary.shared().performChangesAndWait {} }
        try await withLibrary(.authorized) { folder in
            PhotoLibraryFolder.install(PhotoLibraryFolder(at: folder))
            defer { PhotoLibraryFolder.install(nil) }
            let isSaved = await withCheckedContinuation { saved in
                DispatchQueue(label: "photo.delegate").async {
                    let answer = Result {
                        try PHPhotoLibrary.shared().performChangesAndWait {
                            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: nil)
                        }
                    }
                    saved.resume(returning: (try? answer.get()) != nil)
                }
            }
            let files = try names(folder)
            #expect(isSaved && files == ["IMG_0001.JPG"])
        }
    }

    @Test("takes a movie of an older app, which asks with a handler and has a request made of the file")
    func changeRequests() async throws {
        try await withLibrary(.authorized) { folder in
            let movie = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
            try Data([1, 2, 3]).write(to: movie)
            let answer = await withCheckedContinuation { done in PHPhotoLibrary.requestAuthorization { done.resume(returning: $0) } }
            #expect(answer == .authorized && PHPhotoLibrary.authorizationStatus() == .authorized)
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: movie)
                request?.isFavorite = true
                #expect(request?.placeholderForCreatedAsset?.localIdentifier.isEmpty == false)
                #expect(PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: movie.appendingPathExtension("gone")) == nil)
            }
            #expect(try names(folder).count == 1 && FileManager.default.fileExists(atPath: movie.path))
            try FileManager.default.removeItem(at: movie)
        }
    }

    /// File of a JPEG picture, grey.
    func picture(_ width: Int, _ height: Int, orientation: Int = 1) throws -> Data {
        let context = try #require(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
        let file = NSMutableData()
        let destination = try #require(CGImageDestinationCreateWithData(file, "public.jpeg" as CFString, 1, nil))
        CGImageDestinationAddImage(destination, try #require(context.makeImage()), [kCGImagePropertyOrientation: orientation] as CFDictionary)
        #expect(CGImageDestinationFinalize(destination))
        return file as Data
    }

    @Test("gives back what an app made, by its placeholder, with place, favourite and the size as it is seen")
    func reading() async throws {
        try await withLibrary(.authorized) { folder in
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            let data = try picture(40, 20, orientation: 6)
            var placeholder: PHObjectPlaceholder?
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: data, options: nil)
                request.addResource(with: .pairedVideo, data: Data([1]), options: nil)
                request.location = CLLocation(latitude: 47, longitude: 8)
                request.creationDate = Date(timeIntervalSince1970: 1000)
                placeholder = request.placeholderForCreatedAsset
            }
            let identifier = try #require(placeholder).localIdentifier
            let asset = try #require(PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject)
            #expect(asset.mediaType == .image && asset.mediaSubtypes == .photoLive)
            #expect((asset.pixelWidth, asset.pixelHeight) == (20, 40))
            #expect(asset.creationDate == Date(timeIntervalSince1970: 1000) && asset.location?.coordinate.latitude == 47)

            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: asset).isFavorite = true }
            #expect(PHAsset.fetchAssets(with: nil).firstObject?.isFavorite == true)
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
            #expect(PHAsset.fetchAssets(with: nil).count == 0)
            #expect(try names(folder) == [])
        }
    }

    @Test("finds the files of the folder by kind, in the order and under the condition that an app asks for")
    func fetching() async throws {
        try await withLibrary(.authorized) { folder in
            for (index, name) in ["c.jpg", "a.png", "b.mov", "notes.txt"].enumerated() {
                let file = folder.appendingPathComponent(name)
                try Self.jpeg.write(to: file)
                let date = Date(timeIntervalSince1970: 1000 + Double(index))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            }
            try FileManager.default.createDirectory(at: folder.appendingPathComponent("d.mov"), withIntermediateDirectories: false)
            #expect(PHAsset.fetchAssets(with: nil).count == 0, "before the user said yes")
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            func found(_ options: PHFetchOptions?) -> [String] {
                var names: [String] = []
                PHAsset.fetchAssets(with: options).enumerateObjects { asset, _, _ in names.append(String(asset.localIdentifier.prefix { $0 != "/" }))
                }
                return names
            }
            #expect(found(nil) == ["c", "a", "b", "notes"])
            #expect(PHAsset.fetchAssets(with: nil).countOfAssets(with: .image) == 2)
            #expect(PHAsset.fetchAssets(with: .video, options: nil).firstObject?.mediaType == .video)
            let options = PHFetchOptions()
            options.sortDescriptors = [NSSortDescriptor(key: "mediaType", ascending: false), NSSortDescriptor(key: "creationDate", ascending: false)]
            #expect(found(options) == ["b", "a", "c", "notes"])
            options.fetchLimit = 2
            #expect(found(options) == ["b", "a"])
            options.fetchLimit = 0
            options.predicate = NSPredicate(format: "mediaType = %d AND creationDate > %@", 1, Date(timeIntervalSince1970: 1000.5))
            #expect(found(options) == ["a"])
            options.predicate = NSPredicate(format: "mediaType == %d || mediaType == %d", argumentArray: [1, 2])
            #expect(found(options) == ["b", "a", "c"])
            options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoLive.rawValue)
            #expect(found(options) == [])
            options.predicate = NSPredicate { object, _ in (object as? PHAsset)?.mediaType == .unknown }
            #expect(found(options) == ["notes"])
        }
    }

    @Test("keeps albums of an app by their titles")
    func albums() async throws {
        try await withLibrary(.authorized) { _ in
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Takes")
                PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Other")
            }
            let options = PHFetchOptions()
            options.predicate = NSPredicate(format: "title = %@", "Takes")
            func album() -> PHAssetCollection? {
                PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).firstObject
            }
            let takes = try #require(album())
            try await PHPhotoLibrary.shared().performChanges {
                let request = PHAssetCreationRequest.forAsset()
                request.addResource(with: .photo, data: Self.jpeg, options: nil)
                let placeholder = request.placeholderForCreatedAsset
                PHAssetCollectionChangeRequest(for: takes)?.addAssets([placeholder].compactMap { $0 } as NSArray)
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: Self.jpeg, options: nil)
            }
            #expect(album()?.estimatedAssetCount == 1)
            let members = PHAsset.fetchAssets(in: takes, options: nil)
            #expect(members.count == 1)
            let recents = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: nil).firstObject
            #expect(recents?.estimatedAssetCount == 2)
            let first = try #require(members.firstObject)
            try await PHPhotoLibrary.shared().performChanges { PHAssetCollectionChangeRequest(for: takes)?.removeAssets([first] as NSArray) }
            #expect(PHAsset.fetchAssets(in: takes, options: nil).count == 0 && PHAsset.fetchAssets(with: nil).count == 2)
        }
    }

    @Test("gives pictures upright in the size that fits or fills, and none of movies that cannot be read")
    func pictures() async throws {
        try await withLibrary(.authorized) { folder in
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            try picture(80, 40, orientation: 6).write(to: folder.appendingPathComponent("a.jpg"))
            try Self.jpeg.write(to: folder.appendingPathComponent("b.mov"))
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            let asset = try #require(PHAsset.fetchAssets(with: .image, options: nil).firstObject)
            var sizes: [CGSize?] = []
            for (size, mode) in [(CGSize(width: 20, height: 20), PHImageContentMode.aspectFit), (CGSize(width: 20, height: 20), .aspectFill)] {
                PHImageManager.default().requestImage(for: asset, targetSize: size, contentMode: mode, options: options) { image, _ in
                    sizes.append(image?.size)
                }
            }
            PHImageManager.default().requestImage(for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .default, options: options) {
                image, _ in sizes.append(image?.size)
            }
            #expect(sizes == [CGSize(width: 10, height: 20), CGSize(width: 20, height: 40), CGSize(width: 40, height: 80)])
            let orientation = await withCheckedContinuation { given in
                PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) { data, type, orientation, _ in
                    given.resume(returning: type == "public.jpeg" && data != nil ? orientation : nil)
                }
            }
            #expect(orientation == .right)
            let movie = try #require(PHAsset.fetchAssets(with: .video, options: nil).firstObject)
            var error: (any Error)?
            PHImageManager.default().requestImage(for: movie, targetSize: .init(width: 9, height: 9), contentMode: .default, options: options) {
                image, info in
                #expect(image == nil)
                error = info?[PHImageErrorKey] as? any Error
            }
            #expect(error is PHPhotosError)
        }
    }
}
