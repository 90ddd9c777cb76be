import AVFoundation
import Foundation
import Photos
import Testing
import UniformTypeIdentifiers

extension PhotoLibraryTests {
    private func input(of asset: PHAsset, goesOn: Bool = false) async throws -> PHContentEditingInput {
        let options = PHContentEditingInputRequestOptions()
        options.canHandleAdjustmentData = { goesOn && $0.formatIdentifier == "editor" }
        return try #require(
            await withCheckedContinuation { done in
                asset.requestContentEditingInput(with: options) { input, _ in done.resume(returning: input) }
            })
    }

    private func edit(_ asset: PHAsset, _ version: String = "1", writing data: Data?) async throws {
        let output = PHContentEditingOutput(contentEditingInput: try await input(of: asset))
        output.adjustmentData = version.isEmpty ? nil : PHAdjustmentData(formatIdentifier: "editor", formatVersion: version, data: Data([1]))
        try data?.write(to: output.renderedContentURL)
        defer { try? FileManager.default.removeItem(at: output.renderedContentURL) }
        try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
    }

    private func newest() throws -> PHAsset { try #require(PHAsset.fetchAssets(with: nil).firstObject) }

    private func size(of asset: PHAsset, _ version: PHImageRequestOptionsVersion) -> Int? {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.version = version
        var size: Int?
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, _, _, _ in size = data?.count }
        return size
    }

    @Test("keeps an edit beside the picture, shows it, replaces it by the next, and takes it away")
    func edits() async throws {
        try await withLibrary(.authorized) { folder in
            let (taken, edited, again) = (try picture(80, 40), try picture(20, 10), try picture(8, 4))
            try await PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: taken, options: nil)
            }
            let before = try newest()
            #expect(before.canPerform(.content) && !before.hasAdjustments)
            try await edit(before, writing: edited)
            let asset = try newest()
            #expect(asset.localIdentifier == before.localIdentifier && asset.hasAdjustments && PHAsset.fetchAssets(with: nil).count == 1)
            #expect(asset.pixelWidth == 20 && size(of: asset, .current) == edited.count && size(of: asset, .original) == taken.count)
            let resources = PHAssetResource.assetResources(for: asset)
            #expect(resources.map(\.type) == [.photo, .fullSizePhoto] && resources.map(\.originalFilename) == ["IMG_0001.JPG", "IMG_E0001.JPG"])

            // An app that knows the edit goes on from the picture before it, another from what it made.
            let (goesOn, others) = (try await input(of: asset, goesOn: true), try await input(of: asset))
            #expect(goesOn.adjustmentData?.formatVersion == "1" && goesOn.fullSizeImageURL?.lastPathComponent == "IMG_0001.JPG")
            #expect(others.adjustmentData == nil && others.fullSizeImageURL?.lastPathComponent == "IMG_E0001.JPG")

            try await edit(asset, "2", writing: again)
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: asset).isFavorite = true }
            #expect(try newest().pixelWidth == 8 && newest().isFavorite)
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
            #expect(try !newest().hasAdjustments && newest().pixelWidth == 80)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["IMG_0001.JPG"])
            try await edit(asset, writing: edited)
            try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("refuses an edit without its file or its description, and that of a Live Photo")
    func refusedEdits() async throws {
        try await withLibrary(.authorized) { _ in
            let jpeg = try picture(8, 4)
            try await PHPhotoLibrary.shared().performChanges {
                PHAssetCreationRequest.forAsset().addResource(with: .photo, data: jpeg, options: nil)
            }
            let asset = try newest()
            await #expect(throws: PHPhotosError.self) { try await edit(asset, writing: nil) }
            await #expect(throws: PHPhotosError.self) { try await edit(asset, writing: Data()) }
            await #expect(throws: PHPhotosError.self) { try await edit(asset, "", writing: jpeg) }
            #expect(try !newest().hasAdjustments)
            let output = PHContentEditingOutput(contentEditingInput: try await input(of: asset))
            #expect(output.defaultRenderedContentType == .jpeg && output.supportedRenderedContentTypes == [.jpeg, .heic])
            #expect(try output.renderedContentURL(for: .heic).pathExtension == "heic")
            #expect(throws: PHPhotosError.self) { try output.renderedContentURL(for: .png) }
        }
    }
}
