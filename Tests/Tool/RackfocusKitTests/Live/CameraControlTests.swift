import AVFoundation
import CV4L2
import Foundation
import Pipeline
import Stage
import Synchronization
import TestSupport
import Testing
import VideoDevice

@testable import RackfocusKit

/// A camera in memory whose hardware can be set, in the hands of an app.
@Suite("Settings of a camera by an app", .serialized)
struct CameraControlTests {
    private final class Counter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let count = Mutex(0)

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            count.withLock { $0 += 1 }
        }
    }

    private func system(_ controls: [UInt32: (name: String, range: ClosedRange<Int32>, standard: Int32)]) -> LoopedCameras {
        var camera = LoopedCameras.Camera(width: 64, height: 36, rate: 30, pictures: [[UInt8](repeating: 120, count: 64 * 36 * 3 / 2)])
        camera.controls = controls
        return LoopedCameras([camera])
    }

    private func withDevice(of system: LoopedCameras, _ body: (AVCaptureDevice, _ settle: () -> Void) throws -> Void) throws {
        let rigs = LiveRig.all(of: VideoCamera.all(in: system))
        let environment = CaptureEnvironment.cameras(rigs, in: system, renderer: nil, detector: TruthDetector())
        try CaptureEnvironment.$scoped.withValue(environment) {
            let device = try #require(AVCaptureDevice.default(.external, for: .video, position: .unspecified))
            let (session, output, counter) = (AVCaptureSession(), AVCaptureVideoDataOutput(), Counter())
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "pictures"))
            session.startRunning()
            defer { session.stopRunning() }
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            // Frames of before do not count.
            try body(device) {
                let count = counter.count.withLock { $0 }
                #expect(eventually { counter.count.withLock { $0 } >= count + 8 })
            }
        }
    }

    @Test("reach its hardware in the units of V4L2: zoom, focus, exposure, white balance and torch; and are as before afterwards")
    func all() throws {
        let system = system([
            RF_CID_ZOOM_ABSOLUTE: ("zoom", 100...400, 100), RF_CID_FOCUS_AUTO: ("autofocus", 0...1, 1),
            RF_CID_FOCUS_ABSOLUTE: ("focus", 0...250, 20), RF_CID_EXPOSURE_AUTO: ("automatics", 0...3, 3),
            RF_CID_EXPOSURE_ABSOLUTE: ("time", 1...5000, 156), RF_CID_GAIN: ("gain", 0...64, 0),
            RF_CID_AUTO_WHITE_BALANCE: ("balance", 0...1, 1), RF_CID_WHITE_BALANCE_TEMPERATURE: ("kelvin", 2800...6500, 4600),
            RF_CID_FLASH_LED_MODE: ("led", 0...2, 0),
        ])
        func value(_ control: UInt32) -> Int32? { system.value(of: control, at: "/dev/video0") }
        try withDevice(of: system) { device, settle in
            #expect(device.maxAvailableVideoZoomFactor == 4)
            device.videoZoomFactor = 2
            device.setFocusModeLocked(lensPosition: 0.2)
            device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 400)
            device.setWhiteBalanceModeLocked(with: device.deviceWhiteBalanceGains(for: .init(temperature: 4300, tint: 0)))
            device.torchMode = .on
            settle()
            #expect(value(RF_CID_ZOOM_ABSOLUTE) == 200)
            #expect(value(RF_CID_FOCUS_AUTO) == 0 && value(RF_CID_FOCUS_ABSOLUTE) == 200)
            #expect(value(RF_CID_EXPOSURE_AUTO) == 1 && value(RF_CID_EXPOSURE_ABSOLUTE) == 100 && value(RF_CID_GAIN) == 32)
            #expect(value(RF_CID_AUTO_WHITE_BALANCE) == 0)
            #expect(value(RF_CID_WHITE_BALANCE_TEMPERATURE).map { abs($0 - 4300) < 30 } == true)
            #expect(value(RF_CID_FLASH_LED_MODE) == 2)
            device.ramp(toVideoZoomFactor: 4, withRate: 8)
            settle()
            settle()
            #expect(device.videoZoomFactor == 4 && value(RF_CID_ZOOM_ABSOLUTE) == 400)
        }
        // The source lets go of the camera when the last thread of the session does; exposure, which was set first, is put back last.
        #expect(eventually { value(RF_CID_EXPOSURE_AUTO) == 3 && value(RF_CID_ZOOM_ABSOLUTE) == 100 && value(RF_CID_FOCUS_AUTO) == 1 })
        #expect(eventually { value(RF_CID_AUTO_WHITE_BALANCE) == 1 })
        #expect(value(RF_CID_ZOOM_ABSOLUTE) == 100 && value(RF_CID_FOCUS_AUTO) == 1 && value(RF_CID_FOCUS_ABSOLUTE) == 20)
        #expect(value(RF_CID_EXPOSURE_AUTO) == 3 && value(RF_CID_EXPOSURE_ABSOLUTE) == 156 && value(RF_CID_GAIN) == 0)
        #expect(value(RF_CID_AUTO_WHITE_BALANCE) == 1 && value(RF_CID_WHITE_BALANCE_TEMPERATURE) == 4600 && value(RF_CID_FLASH_LED_MODE) == 0)
    }

    @Test("that it lacks are not supported")
    func none() throws {
        try withDevice(of: system([:])) { device, _ in
            #expect(device.minAvailableVideoZoomFactor == 1 && device.maxAvailableVideoZoomFactor == 1)
            #expect(device.isFocusModeSupported(.locked) && !device.isFocusModeSupported(.continuousAutoFocus))
            #expect(!device.isLockingFocusWithCustomLensPositionSupported)
            #expect(device.isExposureModeSupported(.continuousAutoExposure))
            #expect(![.locked, .autoExpose, .custom].contains { device.isExposureModeSupported($0) })
            #expect(device.minExposureTargetBias == 0 && device.maxExposureTargetBias == 0)
            #expect(!device.isWhiteBalanceModeSupported(.locked) && !device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
            #expect(!device.hasTorch && !device.hasFlash && !device.isTorchModeSupported(.on))
        }
    }
}
