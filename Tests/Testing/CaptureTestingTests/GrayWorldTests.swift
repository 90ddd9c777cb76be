import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing

@Suite("White balance by a grey world")
struct GrayWorldTests {
    /// The smallest camera, and the mean linear light of its last picture: red, green and blue.
    private final class Viewer: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let session = AVCaptureSession()
        let device: AVCaptureDevice
        private let output = AVCaptureVideoDataOutput()
        private let last = Mutex<[Double]>([])

        override init() {
            device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back)!
            super.init()
            session.sessionPreset = .vga640x480
            session.addInput(try! AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "viewer"))
            session.startRunning()
        }

        var light: [Double] { last.withLock { $0 } }
        var gains: [Float] {
            let gains = device.grayWorldDeviceWhiteBalanceGains
            return [gains.redGain, gains.greenGain, gains.blueGain]
        }

        func lock(_ gains: [Float]) throws {
            try device.lockForConfiguration()
            device.setWhiteBalanceModeLocked(with: .init(redGain: gains[0], greenGain: gains[1], blueGain: gains[2]))
            device.unlockForConfiguration()
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            guard let image = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
            CVPixelBufferLockBaseAddress(image, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(image, .readOnly) }
            let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
            var sum = [0.0, 0.0, 0.0]
            for y in stride(from: 0, to: height, by: 4) {
                let row = CVPixelBufferGetBaseAddress(image)!.advanced(by: y * CVPixelBufferGetBytesPerRow(image)).assumingMemoryBound(to: UInt8.self)
                for x in stride(from: 0, to: width, by: 4) {
                    for channel in 0..<3 { sum[channel] += pow(Double(row[4 * x + 2 - channel]) / 255, 2.2) }
                }
            }
            last.withLock { $0 = sum }
        }
    }

    private func stage(isPainted: Bool) -> TestStage {
        var stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 1.5))
        stage.paintsPictures = isPainted
        return stage
    }

    @Test("gains make the mean of the picture grey, whatever gains are in use, and follow the scene")
    func scene() async throws {
        try await withTestPhone(showing: stage(isPainted: true)) { phone in
            let viewer = Viewer()
            #expect(viewer.gains == [1, 1, 1], "before the first picture")
            await phone.step(frames: 2)
            let gains = viewer.gains
            let light = viewer.light
            #expect(gains.min() == 1 && gains.max()! > 1.05, "\(gains)")
            for channel in 0..<3 { #expect(abs(Double(gains[channel]) * light[channel] / light.max()! - 1) < 0.05, "\(gains) for \(light)") }
            try viewer.lock([1, 1.5, 1.25])
            await phone.step(frames: 2)
            #expect(zip(viewer.gains, gains).allSatisfy { abs($0 / $1 - 1) < 0.06 }, "\(viewer.gains) after \(gains)")
            try viewer.lock(gains)
            await phone.step(frames: 2)
            #expect(viewer.light.min()! / viewer.light.max()! > 0.92, "\(viewer.light) is grey")
            // At dusk a scene is bluer.
            phone.setLight(5)
            await phone.step(frames: 2)
            #expect(viewer.gains[0] / viewer.gains[2] > gains[0] / gains[2] * 1.2, "\(viewer.gains) after \(gains)")
            let dusk = viewer.gains
            viewer.session.stopRunning()
            #expect(viewer.gains == dusk, "those of the last picture stay")
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a picture that shows nothing is grey already, and so is a black one", arguments: [true, false])
    func nothing(isCovered: Bool) async throws {
        try await withTestPhone(showing: stage(isPainted: isCovered)) { phone in
            let viewer = Viewer()
            if isCovered { phone.cover(for: .seconds(1)) }
            try viewer.lock([1, 2, 3])
            await phone.step(frames: 2)
            #expect(viewer.gains == [1, 1, 1])
            viewer.session.stopRunning()
        }
    }
}
