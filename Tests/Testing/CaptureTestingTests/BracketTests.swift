import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing

@Suite("A bracket")
struct BracketTests {
    private final class Keeper: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let words = Mutex<[String]>([])
        let photos = Mutex<[AVCapturePhoto]>([])

        func photoOutput(_ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings) {
            words.withLock { $0.append("begin \(resolvedSettings.expectedPhotoCount)") }
        }
        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            words.withLock { $0.append("photo") }
            photos.withLock { $0.append(photo) }
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) {
            words.withLock { $0.append("end") }
        }
    }

    private final class Camera {
        let session = AVCaptureSession()
        let output = AVCapturePhotoOutput()
        let device: AVCaptureDevice

        init() throws {
            device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.sessionPreset = .low
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            session.startRunning()
        }
    }

    private func bracket(_ biases: [Float]) -> AVCapturePhotoBracketSettings {
        let steps = biases.map(AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias:))
        return AVCapturePhotoBracketSettings(rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: steps)
    }

    /// Light that a photo let in: seconds times ISO.
    private func light(_ photo: AVCapturePhoto) throws -> Double {
        let exif = try #require(photo.metadata["{Exif}"] as? [String: Any])
        return try #require(exif["ExposureTime"] as? Double) * Double(try #require((exif["ISOSpeedRatings"] as? [Int])?.first))
    }

    @Test("whose connection or port is switched off meanwhile ends with an error", arguments: [true, false])
    func switchedOff(isPort: Bool) async throws {
        try await withTestPhone { phone in
            let (camera, keeper) = (try Camera(), Keeper())
            await phone.step(frames: 2)
            camera.output.capturePhoto(with: bracket([-1, 0, 1]), delegate: keeper)
            await phone.step()
            let connection = try #require(camera.output.connection(with: .video))
            if isPort { connection.inputPorts[0].isEnabled = false } else { connection.isEnabled = false }
            try await phone.until(within: .zero) { keeper.words.withLock { $0.last } == "end" }
            #expect(keeper.photos.withLock { $0 }.map(\.pixelBuffer) == [nil])
            await phone.step(frames: 3)
            #expect(keeper.words.withLock { $0 }.count == 3, "nothing comes after the end")
            #expect(camera.output.captureReadiness == .ready)
        }
    }

    @Test("exposes consecutive frames a stop apart, and leaves the camera as it was")
    func biases() async throws {
        try await withTestPhone { phone in
            let (camera, keeper) = (try Camera(), Keeper())
            await phone.step(frames: 2)
            let before = (camera.device.iso, camera.device.exposureDuration)
            #expect(camera.output.maxBracketedCapturePhotoCount == 3)
            camera.output.capturePhoto(with: bracket([-1, 0, 1]), delegate: keeper)
            await phone.step(frames: 2)
            #expect(camera.output.captureReadiness == .notReadyWaitingForCapture && keeper.photos.withLock { $0.isEmpty })
            await phone.step(frames: 2)
            #expect(keeper.words.withLock { $0 } == ["begin 3", "photo", "photo", "photo", "end"])
            let photos = keeper.photos.withLock { $0 }
            try #require(photos.count == 3)
            #expect(photos.map(\.sequenceCount) == [1, 2, 3] && photos.map(\.photoCount) == [1, 2, 3])
            #expect(photos.map { ($0.bracketSettings as? AVCaptureAutoExposureBracketedStillImageSettings)?.exposureTargetBias } == [-1, 0, 1])
            let lights = try photos.map(light)
            // ISO is rounded in EXIF.
            #expect(abs(lights[1] / lights[0] - 2) < 0.05 && abs(lights[2] / lights[1] - 2) < 0.05)
            #expect(photos[2].timestamp - photos[0].timestamp == CMTime(value: 2, timescale: 30))
            #expect(before == (camera.device.iso, camera.device.exposureDuration) && camera.output.captureReadiness == .ready)
        }
    }

    @Test("takes exposures by hand, and a single photo beside it keeps the camera's")
    func manual() async throws {
        try await withTestPhone { phone in
            let (camera, keeper, single) = (try Camera(), Keeper(), Keeper())
            let steps = [100, 200].map { iso in
                AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                    exposureDuration: CMTime(value: 1, timescale: 500), iso: iso)
            }
            let settings = AVCapturePhotoBracketSettings(rawPixelFormatType: 0, processedFormat: nil, bracketedSettings: steps)
            camera.output.capturePhoto(with: settings, delegate: keeper)
            camera.output.capturePhoto(with: AVCapturePhotoSettings(), delegate: single)
            await phone.step(frames: 4)
            #expect(try keeper.photos.withLock { $0 }.map(light) == [0.2, 0.4])
            let photo = try #require(single.photos.withLock { $0.first })
            #expect(photo.sequenceCount == 0 && photo.photoCount == 1 && photo.bracketSettings == nil)
            #expect(photo.timestamp == CMTime(value: 2, timescale: 30))
        }
    }

    @Test(
        "raises for what no camera takes",
        arguments: ["must not be empty", "maxBracketedCapturePhotoCount", "same class", "exposure ranges", "lensStab"]
    )
    func refusals(reason: String) async throws {
        try await withTestPhone { phone in
            let camera = try Camera()
            let settings =
                switch reason {
                case "must not be empty": bracket([])
                case "maxBracketedCapturePhotoCount": bracket([0, 0, 0, 0])
                case "same class":
                    AVCapturePhotoBracketSettings(
                        rawPixelFormatType: 0, processedFormat: nil,
                        bracketedSettings: [
                            AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: 0),
                            AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                                exposureDuration: AVCaptureDevice.currentExposureDuration, iso: AVCaptureDevice.currentISO),
                        ])
                case "exposure ranges": bracket([9])
                default: bracket([0])
                }
            settings.isLensStabilizationEnabled = reason == "lensStab"
            try await phone.expectViolation(.invalidArgument, reason) { camera.output.capturePhoto(with: settings, delegate: Keeper()) }
        }
    }
}
