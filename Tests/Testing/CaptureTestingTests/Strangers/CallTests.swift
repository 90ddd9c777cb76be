import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing
import UIKit

@Suite("A camera as a video call writes it")
struct CallTests {
    private func camera(_ position: AVCaptureDevice.Position) throws -> AVCaptureDevice {
        try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position))
    }

    @Test("a call takes the camera from the app's own preview, and gives it back")
    func call() async throws {
        let conditions = UIKitConditions()
        try await UIKitConditions.$scoped.withValue(conditions) {
            try await withTestPhone(showing: .mayaWithTone) { phone in
                let preview = AVCaptureSession()
                preview.addInput(try AVCaptureDeviceInput(device: camera(.back)))
                preview.startRunning()
                await phone.step(frames: 2)
                let call = CallCapturer()
                let events = Mutex<[CallCapturer.Event]>([])
                let frames = Mutex<[CallFrame]>([])
                call.onEvent = { event in events.withLock { $0.append(event) } }
                call.onFrame = { frame in frames.withLock { $0.append(frame) } }
                let front = try #require(CallCapturer.cameras.first { $0.position == .front })
                let fit = try #require(CallCapturer.fit(1280, 720, fps: 24, of: front))
                #expect(fit.format.formatDescription.dimensions.width == 1280 && fit.fps == 24)
                let isStarted = Mutex(false)
                call.start(with: front, format: fit.format, fps: fit.fps) { error in isStarted.withLock { $0 = error == nil } }
                try await phone.until(within: .seconds(1)) { isStarted.withLock { $0 } }
                #expect(preview.isInterrupted && !preview.isRunning)
                await phone.step(for: .seconds(1))
                let first = frames.withLock { $0 }
                #expect((23...25).contains(first.count) && first.allSatisfy { $0.rotation == 90 })
                await conditions.turn(to: .landscapeLeft)
                try await phone.until(within: .seconds(1)) { frames.withLock { $0.last?.rotation } == 180 }
                phone.conditions.fail(.mediaServicesWereReset)
                try await phone.until(within: .seconds(1)) { events.withLock { $0.contains(.retried) } }
                try await phone.until(within: .seconds(1)) { call.session.isRunning }
                // The preview waited for the camera: it was reset, too, and has nobody who starts it again.
                #expect(!preview.isRunning && !preview.isInterrupted)
                preview.startRunning()
                #expect(preview.isRunning && call.session.isInterrupted)
                preview.stopRunning()
                #expect(call.session.isRunning)
                phone.conditions.interrupt(.videoDeviceNotAvailableInBackground)
                phone.conditions.endInterruption()
                let isOver = Mutex(false)
                call.stop { isOver.withLock { $0 = true } }
                try await phone.until(within: .seconds(1)) { isOver.withLock { $0 } }
                #expect(!call.session.isRunning)
                let told = events.withLock { $0 }
                #expect(told.count { $0 == .interrupted(.videoDeviceNotAvailableInBackground) } == 1)
                #expect(told.count { $0 == .interrupted(.videoDeviceInUseByAnotherClient) } == 1)
                #expect(told.contains(.failed(AVError.mediaServicesWereReset.rawValue)))
                #expect(phone.violations.isEmpty)
            }
        }
    }
}
