import AVFoundation
import Optics
import Pipeline
import Synchronization
import Testing

/// Pictures of 64 × 36 whose luma is 16 + 2x, with the disparity x / 64 and a face at the right edge and one in the middle.
private final class SlopeSource: FrameSource {
    let description = SourceDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30), frameCount: 4)
    private let next = Mutex(0)

    func nextFrame() throws -> Frame? {
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        guard index < 4 else { return nil }
        let frame = CountingSource.frame(index: index)
        for y in 0..<36 {
            let line = frame.image.plane(0).row(y, as: UInt8.self)
            for x in 0..<64 { line[x] = UInt8(16 + 2 * x) }
        }
        return frame
    }
}

/// Whatever lies there is at 9 1/m, in twice as many columns and rows.
private final class FlatUpsampler: DisparityUpsampler {
    func upsampled(_ map: DisparityMap, along picture: CVPixelBuffer) throws -> DisparityMap {
        let buffer = CVPixelBuffer(width: 2 * map.width, height: 2 * map.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<buffer.size.height { buffer.plane(0).row(y, as: Float.self).update(repeating: 9, count: buffer.size.width) }
        return DisparityMap(buffer: buffer, isMetric: map.isMetric)
    }
}

/// Gives the picture back and remembers the widths of the maps it was given.
private final class MapWidths: BokehRenderer {
    let all = Mutex<Set<Int>>([])

    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        _ = all.withLock { $0.insert(disparity.width) }
        return image
    }
}

private let middle = Detection(objectID: 1, kind: .face, bounds: CGRect(x: 0.4, y: 0.4, width: 0.2, height: 0.2))
private let edge = Detection(objectID: 2, kind: .face, bounds: CGRect(x: 0.9, y: 0.4, width: 0.1, height: 0.2))

@Suite("Pictures of the format's size")
struct FittingTests {
    /// A camera with the source's own format and one of another size; zoom up to 4.
    private func environment(
        width: Int, height: Int, found: Detection? = nil, upsampler: (any DisparityUpsampler)? = nil
    ) -> CaptureEnvironment {
        let source = SlopeSource()
        var profile = CameraProfile.footage(source.description, name: "slope")
        profile.formats[0].maxZoom = 4
        var other = profile.formats[0]
        (other.width, other.height) = (width, height)
        profile.formats.append(other)
        var environment = CaptureEnvironment(cameras: [profile], renderer: GlassRenderer()) { _ in
            CameraFeed(source: source, detector: ScriptedDetector(found: found) { _ in [middle, edge] }, upsampler: upsampler)
        }
        environment.clock = .lockStep
        return environment
    }

    private func luma(_ app: CameraApp) throws -> [UInt8] {
        let image = try #require(app.samples.last?.imageBuffer)
        let row = image.plane(0).row(image.size.height / 2, as: UInt8.self)
        return (0..<image.size.width).map { row[$0] }
    }

    @Test("the same shape is scaled whole", arguments: [(32, 18), (128, 72)])
    func scaled(width: Int, height: Int) throws {
        try inEnvironment(environment(width: width, height: height)) {
            let app = try CameraApp()
            app.configure { $0.activeFormat = $0.formats[1] }
            try app.run()
            #expect(app.errors.isEmpty)
            let values = try luma(app)
            #expect(values.count == width && values == values.sorted())
            // The luma of the place: 2 a source pixel, from its middle on.
            for x in [0, width / 3, width - 1] {
                let place = (Double(x) + 0.5) * 64 / Double(width) - 0.5
                #expect(abs(Double(values[x]) - 16 - 2 * min(max(place, 0), 63)) <= 1)
            }
            #expect(app.metadata.last?.map(\.bounds) == [middle.bounds, edge.bounds])
        }
    }

    @Test("another shape is cut about the middle: pictures, objects, disparity and the focus plane agree")
    func cut() throws {
        let observer = ScriptedObserver()
        var environment = environment(width: 36, height: 36)
        environment.observer = observer
        try inEnvironment(environment) {
            let app = try CameraApp()
            app.configure { $0.activeFormat = $0.formats[1] }
            try app.run()
            let values = try luma(app)
            #expect(values.count == 36 && values.first == 16 + 2 * 14 && values.last == 16 + 2 * 49)
            let boxes = try #require(app.metadata.last).map(\.bounds)
            #expect(boxes.count == 1 && abs(boxes[0].midX - 0.5) < 1e-9 && abs(boxes[0].width - 0.2 * 64 / 36) < 1e-9)
            let frame = try #require(observer.all.last).frame
            #expect(frame.disparity?.width == 36 && frame.disparity?.row(20)[0] == Float(14.5 / 64))
            #expect(frame.image.size == (36, 36))
        }
    }

    @Test("the lens and whoever keeps maps have them enlarged; subjects and focus are measured on maps as they come")
    func upsampled() throws {
        let (renderer, observer) = (MapWidths(), ScriptedObserver())
        var environment = environment(width: 64, height: 36, upsampler: FlatUpsampler())
        (environment.renderer, environment.observer) = (renderer, observer)
        try inEnvironment(environment) {
            try CameraApp().run()
            #expect(renderer.all.withLock { $0 } == [128])
            let record = try #require(observer.all.last)
            #expect(record.frame.disparity?.width == 128)
            #expect(abs(try #require(record.detections.first?.disparity) - 0.5) < 0.05 && record.state.focusDisparity < 1)
        }
    }

    @Test("zoom cuts beyond 1, a point in the picture is one in what the source shows, and the lens gets longer")
    func zoom() throws {
        let (renderer, observer) = (GlassRenderer(), ScriptedObserver())
        let thing = Detection(objectID: 3, kind: .salientObject, bounds: CGRect(x: 0.6, y: 0.6, width: 0.05, height: 0.05))
        var environment = environment(width: 64, height: 36, found: thing)
        environment.cameras[0].formats[0].cinematic?.maxZoom = 4
        (environment.renderer, environment.observer) = (renderer, observer)
        try inEnvironment(environment) {
            let app = try CameraApp()
            app.configure {
                $0.videoZoomFactor = 2
                $0.setCinematicVideoTrackingFocus(at: CGPoint(x: 0.75, y: 0.75), focusMode: .strong)
            }
            try app.run()
            let values = try luma(app)
            #expect(values.count == 64 && values.first == 16 + 2 * 16 && values.last == 16 + 2 * 47 + 1)
            let objects = try #require(app.metadata.last)
            try #require(objects.map(\.type) == [.face, .salientObject])
            #expect(abs(objects[1].bounds.minX - 0.7) < 1e-9 && abs(objects[1].bounds.width - 0.1) < 1e-9)
            #expect(objects[1].cinematicVideoFocusMode == .strong)
            #expect(observer.all.last?.frame.disparity?.width == 32)
            let circle = try #require(renderer.circles.withLock { $0.last })
            let lens = Lens(focalLength: 26 * 2, fNumber: 2.8)
            #expect(
                circle.diameterPerDisparity == lens.circleOfConfusion(focusDisparity: circle.focusDisparity, pictureWidth: 64).diameterPerDisparity)
        }
    }

    @Test("footage has the sizes of the presets below its own")
    func footagePresets() throws {
        let source = SourceDescription(width: 1280, height: 720, frameDuration: CMTime(value: 1, timescale: 30))
        try inEnvironment(fakeEnvironment(cameras: [.footage(source, name: "clip")])) {
            let session = AVCaptureSession()
            let input = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video)))
            session.addInput(input)
            #expect(!session.canSetSessionPreset(.hd1920x1080))
            for (preset, width) in [
                (AVCaptureSession.Preset.high, 1280), (.photo, 1280), (.iFrame960x540, 960), (.vga640x480, 640), (.medium, 480), (.cif352x288, 352),
                (.low, 192),
            ] {
                session.sessionPreset = preset
                #expect(Int(input.device.activeFormat.formatDescription.dimensions.width) == width)
                #expect(input.isCinematicVideoCaptureSupported == (width == 1280))
            }
        }
    }
}
