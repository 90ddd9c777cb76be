import AVFoundation
import CaptureTesting
import Foundation
import Testing
import UIKit

@Suite("A camera of portraits as a stranger writes it")
struct PortraitTests {
    private var stage: TestStage {
        var stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 1.25))
        // Small pictures, which are quickly blurred.
        for index in stage.cameras.indices { stage.cameras[index].formats.removeAll { $0.width != 640 } }
        return stage
    }

    @Test("blurs the background of the viewfinder, and keeps the depth of a photo for later", arguments: [AVCaptureDevice.Position.back, .front])
    func portrait(position: AVCaptureDevice.Position) async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = PortraitCamera()
            try await camera.start(at: position)
            try await phone.until(within: .seconds(1)) { camera.counts.shown >= 3 }
            #expect(abs(camera.distance - 1.25) < 0.05 && camera.counts.lost == 0)
            let picture = try #require(camera.viewfinder)
            #expect(picture.height > picture.width)
            #expect(camera.supports == (true, false, false))
            let portrait = try await phone.result { try await camera.shoot() }
            #expect(!portrait.hasMatte && portrait.orientation == .right && portrait.focalLengthInPixels ?? 0 > 100)
            let disparity = try #require(portrait.disparity)
            #expect(disparity.depthDataType == kCVPixelFormatType_DisparityFloat32 && disparity.depthDataAccuracy == .absolute)
            let map = disparity.depthDataMap
            // Upright as the picture.
            #expect(CVPixelBufferGetHeight(map) > CVPixelBufferGetWidth(map))
            let (face, wall) = (PortraitCamera.value(map, at: CGPoint(x: 0.5, y: 0.5)), PortraitCamera.value(map, at: CGPoint(x: 0.05, y: 0.05)))
            #expect(abs(face - 0.8) < 0.02 && wall < 0.5)
            let developed = try #require(camera.developed(portrait, focus: CGPoint(x: 0.5, y: 0.5), aperture: 8, width: 240))
            #expect(developed.height > developed.width)
            camera.stop()
            #expect(!camera.session.isRunning)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("changes to the other side, and says where there is no camera of depth")
    func sides() async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = PortraitCamera()
            try await camera.start(at: .back)
            try await phone.until(within: .seconds(1)) { camera.counts.shown >= 1 }
            try await camera.start(at: .front)
            let before = camera.counts.shown
            try await phone.until(within: .seconds(1)) { camera.counts.shown >= before + 2 }
            #expect(try await phone.result { try await camera.shoot() }.disparity != nil)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
        var plain = stage
        plain.cameras.removeAll { $0.deviceType.contains("DualWide") || $0.deviceType.contains("TrueDepth") }
        _ = try await withTestPhone(showing: plain) { _ in
            await #expect(throws: PortraitCamera.Setup.self) { try await PortraitCamera().start(at: .back) }
        }
    }
}
