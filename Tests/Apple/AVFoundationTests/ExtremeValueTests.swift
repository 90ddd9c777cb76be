import AVFoundation
import CoreMedia
import Pipeline
import Synchronization
import Testing

@Suite("Values at the ends of what an app can give")
struct ExtremeValueTests {
    private let whole = CGRect(x: 0, y: 0, width: 1, height: 1)

    @Test("a slider without a finite range raises and stays at 0; steps by the billion cost nothing")
    func sliders() {
        inEnvironment(phoneEnvironment()) {
            let raised = CaptureEnvironment.violations {
                #expect(AVCaptureSlider("A", symbolName: "a", in: 0...Float.infinity, step: 1).value == 0)
                #expect(AVCaptureSlider("B", symbolName: "b", in: -Float.infinity...0).value == 0)
                #expect(AVCaptureSlider("C", symbolName: "c", values: [1, .nan]).value == 0)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            let fine = AVCaptureSlider("D", symbolName: "d", in: 0...1e9, step: 0.5)
            fine.value = 3.3
            #expect(fine.value == 3.5)
            let uneven = AVCaptureSlider("E", symbolName: "e", in: 1...2, step: 0.3)
            uneven.value = 2
            #expect(abs(uneven.value - 1.9) < 1e-6, "the last step lies below the upper bound")
            let still = AVCaptureSlider("F", symbolName: "f", in: 1...2, step: .nan)
            still.value = 2
            #expect(still.value == 1)
        }
    }

    @Test("a camera of fixed focus has the mode that it is in, and no other")
    func focusModes() throws {
        try inEnvironment(phoneEnvironment()) {
            let fixed = try #require(AVCaptureDevice.default(.builtInUltraWideCamera, for: .video, position: .back))
            let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            let microphone = try #require(AVCaptureDevice.default(for: .audio))
            let modes: [AVCaptureDevice.FocusMode] = [.locked, .autoFocus, .continuousAutoFocus]
            #expect(modes.map(fixed.isFocusModeSupported) == [true, false, false] && fixed.focusMode == .locked)
            #expect(modes.allSatisfy(wide.isFocusModeSupported) && !modes.contains(where: microphone.isFocusModeSupported))
            #expect(fixed.minimumFocusDistance == -1 && !fixed.isLockingFocusWithCustomLensPositionSupported)
            try fixed.lockForConfiguration()
            let raised = CaptureEnvironment.violations {
                fixed.focusMode = .locked
                fixed.focusMode = .autoFocus
                fixed.setFocusModeLocked(lensPosition: 0.5)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument])
        }
    }

    @Test("a lock of the frame duration that is taken away frees the durations; without a lock nothing changes")
    func frameDurations() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            let input = try AVCaptureDeviceInput(device: device)
            let free = (device.activeVideoMinFrameDuration, device.activeVideoMaxFrameDuration)
            let (chosen, locked) = (CMTime(value: 1, timescale: 25), CMTime(value: 1, timescale: 24))
            try device.lockForConfiguration()
            device.activeVideoMinFrameDuration = chosen
            input.activeLockedVideoFrameDuration = .invalid
            #expect(device.activeVideoMinFrameDuration == chosen)
            input.activeLockedVideoFrameDuration = locked
            input.activeLockedVideoFrameDuration = .invalid
            #expect(device.activeVideoMinFrameDuration == free.0 && device.activeVideoMaxFrameDuration == free.1)
        }
    }

    @Test("rectangles are those of the buffers as they are delivered: by the settings, then by the buffers themselves")
    func smallBuffers() throws {
        try inEnvironment(phoneEnvironment()) {
            let (session, output) = (AVCaptureSession(), AVCaptureVideoDataOutput())
            let device = try #require(AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            let sized = [kCVPixelBufferWidthKey as String: 960, kCVPixelBufferHeightKey as String: 540]
            output.videoSettings = sized
            #expect(output.outputRectConverted(fromMetadataOutputRect: whole) == CGRect(x: 0, y: 0, width: 960, height: 540))
            #expect(output.metadataOutputRectConverted(fromOutputRect: CGRect(x: 480, y: 0, width: 480, height: 540)).minX == 0.5)
            // The size no longer fits, and is not applied.
            try #require(output.connection(with: .video)).videoRotationAngle = 90
            #expect(output.outputRectConverted(fromMetadataOutputRect: whole).size == CGSize(width: 1080, height: 1920))
        }
        let app = try inEnvironment(fakeEnvironment(source: CountingSource(count: 2), cameras: CameraProfile.iPhone14)) {
            let app = try CameraApp(isCinematic: false)
            try app.run()
            return app
        }
        let sample = try #require(app.seen.withLock { $0.samples.first }).buffer
        let delivered = try #require(sample.imageBuffer)
        let size = CGSize(width: CVPixelBufferGetWidth(delivered), height: CVPixelBufferGetHeight(delivered))
        #expect(app.videoOutput.outputRectConverted(fromMetadataOutputRect: whole).size == size)
    }
}
