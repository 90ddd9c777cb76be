import AVFoundation
import Bokeh
import CameraApp
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Synchronization
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("The camera app with files")
struct CameraFilesTests {
    static let text = """
        scenario: Two people, and everything on file
        clip:   {source: synthetic, size: 320x180, fps: 30, length: 1s, seed: 7, detections: truth}
        device: {camera: dualWide, aperture: f/2, focalLength: 50mm}
        light:  180lx
        environment: {backdrop: street, wallDepth: 9m}
        subjects:
          maya: {kind: face, box: [0.31, 0.24, 0.105, 0.235], depth: 2.0m}
          ben:  {kind: face, box: [0.60, 0.17, 0.145, 0.325], depth: 1.3m}
        """

    private static func psnr(_ a: CVPixelBuffer, _ b: CVPixelBuffer) -> Double {
        var error = 0.0
        for y in 0..<180 {
            let (left, right) = (a.plane(0).row(y, as: UInt8.self), b.plane(0).row(y, as: UInt8.self))
            for x in 0..<320 { error += pow(Double(left[x]) - Double(right[x]), 2) }
        }
        return 10 * log10(255 * 255 * 320 * 180 / error)
    }

    private final class Photographer: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let photos = Mutex<[AVCapturePhoto]>([])
        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            photos.withLock { $0.append(photo) }
        }
    }

    @Test("the movie file is sharp while the shown frames and the photo are blurred, and all are of the same frames")
    func sharpMovie() throws {
        let scratch = try Scratch()
        let scenario = try ScenarioFile.parse(Self.text, path: "files.yaml")
        let feed = try CameraFeed.open(scenario)
        var environment = CaptureEnvironment(
            cameras: [scenario.camera(for: feed.source.description)], renderer: try VulkanBokehRenderer(), tuning: scenario.tuning
        ) { _ in feed }.writingFiles()
        environment.clock = .lockStep
        let (take, photographer) = (Take(), Photographer())
        let photoOutput = Mutex<AVCapturePhotoOutput?>(nil)
        let shots = Mutex<[CVPixelBuffer]>([])
        let url = scratch.url.appending(path: "take.mov")
        let camera = try CaptureEnvironment.$scoped.withValue(environment) {
            let camera = try CinematicCamera(aperture: 2, outputs: [.video, .movie])
            let output = AVCapturePhotoOutput()
            camera.session.addOutput(output)
            photoOutput.withLock { $0 = output }
            return camera
        }
        let end = camera.play { shot in
            let count = shots.withLock { shots in
                shots.append(CMSampleBufferGetImageBuffer(shot.sampleBuffer)!)
                return shots.count
            }
            if count == 5 { camera.movieOutput?.startRecording(to: url, recordingDelegate: take) }
            if count == 20 { photoOutput.withLock { $0 }?.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer) }
            if count == 25 { camera.movieOutput?.stopRecording() }
        }
        guard case .stopped = end else {
            Issue.record("the session ended with \(end)")
            return
        }
        #expect(take.end() && take.error == nil && take.start == CMTime(value: 5, timescale: 30))

        let (again, movie) = (try CameraFeed.open(scenario).source, try VideoFileSource(path: url.path))
        var (source, file): ([Frame], [Frame]) = ([], [])
        while let frame = try again.nextFrame() { source.append(frame) }
        while let frame = try movie.nextFrame() { file.append(frame) }
        #expect(file.map(\.presentationTime) == (0..<20).map { CMTime(value: $0, timescale: 30) })
        for frame in file {
            let sharp = Self.psnr(frame.image, source[frame.index + 5].image)
            let shown = Self.psnr(frame.image, shots.withLock { $0[frame.index + 5] })
            #expect(sharp > 36 && shown < sharp - 6, "frame \(frame.index): \(sharp) dB of the sharp picture, \(shown) dB of the shown one")
        }

        let photo = try #require(photographer.photos.withLock { $0.first })
        #expect(photo.timestamp == CMTime(value: 20, timescale: 30) && photo.pixelBuffer == nil)
        try #require(photo.fileDataRepresentation()).write(to: scratch.url.appending(path: "photo.jpg"))
        let jpeg = try PictureFile.read(scratch("photo.jpg"), as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let (blurred, sharp) = (Self.psnr(jpeg, shots.withLock { $0[20] }), Self.psnr(jpeg, source[20].image))
        #expect(blurred > 34 && sharp < blurred - 6, "\(blurred) dB of the shown picture, \(sharp) dB of the sharp one")
        let exif = photo.metadata["{Exif}"] as? [String: Any]
        #expect(exif?["FNumber"] as? Double == 2 && exif?["FocalLenIn35mmFilm"] as? Int == 50)
    }
}
