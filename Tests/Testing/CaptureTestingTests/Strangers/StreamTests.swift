import AVFoundation
import CaptureTesting
import Foundation
import Photos
import TestSupport
import Testing
import UIKit

@Suite("A camera of asynchronous streams")
@MainActor
struct StreamTests {
    @Test("a model shows the newest picture, pauses, changes the camera, and unpacks photos")
    func model() async throws {
        var stage = TestStage.mayaWithTone
        stage.paintsPictures = true
        try await withTestPhone(showing: stage) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            let model = StreamModel()
            #expect(await model.camera.start())
            try await phone.until(within: .seconds(1)) { model.shown >= 3 }
            // The first pictures are from before the connection was turned.
            let upright = try #require(model.viewfinder)
            #expect(upright.height > upright.width && model.camera.isRunning && !model.camera.isFront)
            model.camera.isPreviewPaused = true
            await phone.step(frames: 2)
            let shown = model.shown
            await phone.step(frames: 10)
            #expect(model.shown == shown)
            model.camera.takePhoto()
            try await phone.until(within: .seconds(1)) { model.photos.count == 1 }
            let photo = model.photos[0]
            #expect(photo.orientation == .right && photo.thumbnailSize == CGSize(width: photo.thumbnail.width, height: photo.thumbnail.height))
            let picture = try #require(UIImage(data: photo.data))
            // Turned by its orientation, the file's picture is as large as was resolved.
            #expect(picture.imageOrientation == .right && picture.size == CGSize(width: photo.size.height, height: photo.size.width))
            let scratch = try Scratch()
            let folder = scratch.url
            try await PhotoLibraryFolder.$current.withValue(PhotoLibraryFolder(at: folder)) {
                let identifier = try #require(try await model.save(photo))
                let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
                #expect(asset?.mediaType == .image && asset?.pixelWidth == Int(picture.size.width))
            }
            model.camera.isPreviewPaused = false
            model.camera.switchDevice()
            try await phone.until(within: .seconds(1)) { model.shown > shown + 2 && model.camera.isFront }
            model.camera.takePhoto()
            try await phone.until(within: .seconds(1)) { model.photos.count == 2 }
            model.camera.stop()
            try await phone.until(within: .zero) { !model.camera.isRunning }
            #expect(await model.camera.start())
            try await phone.until(within: .seconds(1)) { model.camera.isRunning }
            model.camera.stop()
            try await phone.until(within: .zero) { !model.camera.isRunning }
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a user's no leaves a queue that goes on, and no camera that runs")
    func denied() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            phone.conditions.setAnswer(false, for: .video)
            let model = StreamModel()
            #expect(await !model.camera.start())
            #expect(!model.camera.isRunning && phone.violations.isEmpty)
            phone.conditions.setAuthorization(.authorized, for: .video)
            #expect(await model.camera.start())
            try await phone.until(within: .seconds(1)) { model.shown > 0 }
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
