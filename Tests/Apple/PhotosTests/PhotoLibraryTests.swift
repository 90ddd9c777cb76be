import Foundation
import Photos
import Synchronization
import Testing

@Suite("The photo library")
struct PhotoLibraryTests {
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])

    /// Runs `body` with a library over a folder of its own.
    private func withLibrary(_ answer: PHAuthorizationStatus, _ body: (URL) async throws -> Void)
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
}
