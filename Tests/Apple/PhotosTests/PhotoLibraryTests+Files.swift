import Foundation
import Photos
import Synchronization
import Testing

extension PhotoLibraryTests {
    @Test("gives the files of an asset back, by kind and under the names that the app wished for")
    func assetFiles() async throws {
        try await withLibrary(.authorized) { folder in
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = "take.jpg"
            let movie = Data(repeating: 7, count: 1_500_000)
            for _ in 0..<2 {
                try await PHPhotoLibrary.shared().performChanges {
                    let request = PHAssetCreationRequest.forAsset()
                    request.addResource(with: .photo, data: Self.jpeg, options: options)
                    request.addResource(with: .pairedVideo, data: movie, options: nil)
                }
            }
            for name in ["found.jpg", "found.dng", "found.MOV", "notes.txt"] { try Self.jpeg.write(to: folder.appendingPathComponent(name)) }
            let assets = PHAsset.fetchAssets(with: nil)
            let all = (0..<assets.count).flatMap { PHAssetResource.assetResources(for: assets[$0]) }
            func resources(_ stem: String) -> [PHAssetResource] { all.filter { $0.originalFilename.hasPrefix(stem) } }
            let takes = resources("take")
            #expect(takes.map(\.originalFilename) == ["take.jpg", "take.jpg"] && takes.allSatisfy { $0.uniformTypeIdentifier == "public.jpeg" })
            #expect(Set(resources("found").map(\.type)) == [.photo, .alternatePhoto, .pairedVideo] && resources("notes").isEmpty)

            let resource = try #require(resources("IMG_").first)
            #expect(resource.type == .pairedVideo && resource.uniformTypeIdentifier == "com.apple.quicktime-movie")
            let manager = PHAssetResourceManager.default()
            let copy = folder.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).mov")
            defer { try? FileManager.default.removeItem(at: copy) }
            try await manager.writeData(for: resource, toFile: copy, options: nil)
            #expect(try Data(contentsOf: copy) == movie)
            let again = await withCheckedContinuation { done in
                manager.writeData(for: resource, toFile: copy, options: nil) { done.resume(returning: $0 != nil) }
            }
            #expect(again, "a file is there already")

            let pieces = Mutex<[Data]>([])
            func read(cancelling: Bool = false) async -> PHPhotosError.Code? {
                let number = Mutex(PHInvalidAssetResourceDataRequestID)
                let isNumbered = DispatchSemaphore(value: 0)
                return await withCheckedContinuation { done in
                    let request = manager.requestData(for: resource, options: nil) { piece in
                        pieces.withLock { $0.append(piece) }
                        guard cancelling else { return }
                        isNumbered.wait()
                        manager.cancelDataRequest(number.withLock { $0 })
                    } completionHandler: {
                        done.resume(returning: ($0 as? PHPhotosError)?.code)
                    }
                    number.withLock { $0 = request }
                    isNumbered.signal()
                }
            }
            #expect(await read() == nil)
            #expect(pieces.withLock { $0.count } == 2 && pieces.withLock { Data($0.joined()) } == movie)
            #expect(await read(cancelling: true) == .userCancelled)
            #expect(pieces.withLock { $0.count } == 3)
            let gone = assets.objects(at: IndexSet(0..<assets.count)) as NSArray
            try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets(gone) }
            #expect(await read() == .missingResource)
        }
    }
}
