import AVFoundation
import Pipeline
import Testing

@Suite("From the viewfinder to the picture and back")
struct GeometryTests {
    struct Posture: Sendable, CustomTestStringConvertible {
        var gravity: AVLayerVideoGravity
        var rotation: Double
        var isMirrored: Bool
        var testDescription: String { "\(gravity.rawValue.dropFirst(19)) \(Int(rotation))°\(isMirrored ? " mirrored" : "")" }
    }

    static let postures = [AVLayerVideoGravity.resize, .resizeAspect, .resizeAspectFill].flatMap { gravity in
        [0.0, 90, 180, 270].flatMap { rotation in [false, true].map { Posture(gravity: gravity, rotation: rotation, isMirrored: $0) } }
    }

    /// A 1920 × 1080 picture in a layer of 400 × 500 points.
    private func layer(_ posture: Posture) throws -> AVCaptureVideoPreviewLayer {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            let layer = AVCaptureVideoPreviewLayer(session: session)
            layer.frame = CGRect(x: 10, y: 20, width: 400, height: 500)
            layer.videoGravity = posture.gravity
            let connection = try #require(layer.connection)
            connection.videoRotationAngle = posture.rotation
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = posture.isMirrored
            return layer
        }
    }

    private func isClose(_ a: CGPoint, _ b: CGPoint) -> Bool { abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9 }

    @Test("there and back again is where it began", arguments: postures)
    func roundTrip(posture: Posture) throws {
        let layer = try layer(posture)
        for point in [CGPoint(x: 0, y: 0), CGPoint(x: 0.25, y: 0.75), CGPoint(x: 1, y: 0.5), CGPoint(x: 0.1, y: 0.9)] {
            let inLayer = layer.layerPointConverted(fromCaptureDevicePoint: point)
            #expect(isClose(layer.captureDevicePointConverted(fromLayerPoint: inLayer), point))
        }
        let rect = CGRect(x: 0.2, y: 0.3, width: 0.4, height: 0.1)
        let back = layer.metadataOutputRectConverted(fromLayerRect: layer.layerRectConverted(fromMetadataOutputRect: rect))
        #expect(isClose(back.origin, rect.origin) && abs(back.width - 0.4) < 1e-9 && abs(back.height - 0.1) < 1e-9)
    }

    @Test("an empty rectangle keeps its place", arguments: postures)
    func emptyRect(posture: Posture) throws {
        let layer = try layer(posture)
        let tap = CGPoint(x: 123, y: 45)
        let rect = layer.metadataOutputRectConverted(fromLayerRect: CGRect(origin: tap, size: .zero))
        #expect(isClose(rect.origin, layer.captureDevicePointConverted(fromLayerPoint: tap)) && rect.width == 0 && rect.height == 0)
    }

    @Test(
        "the picture's top left corner lies where the posture puts it",
        arguments: [
            (Posture(gravity: .resize, rotation: 0, isMirrored: false), CGPoint(x: 0, y: 0)),
            (Posture(gravity: .resize, rotation: 90, isMirrored: false), CGPoint(x: 400, y: 0)),
            (Posture(gravity: .resize, rotation: 180, isMirrored: false), CGPoint(x: 400, y: 500)),
            (Posture(gravity: .resize, rotation: 270, isMirrored: false), CGPoint(x: 0, y: 500)),
            (Posture(gravity: .resize, rotation: 90, isMirrored: true), CGPoint(x: 0, y: 0)),
            // 400 points across 1920 pixels: 225 high, bars of 137.5
            (Posture(gravity: .resizeAspect, rotation: 0, isMirrored: false), CGPoint(x: 0, y: 137.5)),
            // 500 points down 1920 pixels: 281.25 across, bars of 59.375
            (Posture(gravity: .resizeAspect, rotation: 90, isMirrored: false), CGPoint(x: 340.625, y: 0)),
            // 500 points down 1080 pixels: 888.89 across, 244.44 cut off on each side
            (Posture(gravity: .resizeAspectFill, rotation: 0, isMirrored: false), CGPoint(x: 200 - 4000.0 / 9, y: 0)),
            (Posture(gravity: .resizeAspectFill, rotation: 0, isMirrored: true), CGPoint(x: 200 + 4000.0 / 9, y: 0)),
        ])
    func knownNumbers(posture: Posture, corner: CGPoint) throws {
        #expect(isClose(try layer(posture).layerPointConverted(fromCaptureDevicePoint: .zero), corner))
    }

    @Test("beside the picture the device point leaves 0…1")
    func bars() throws {
        let layer = try layer(Posture(gravity: .resizeAspect, rotation: 0, isMirrored: false))
        #expect(layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 200, y: 10)).y < 0)
    }

    @Test("a front camera's preview is mirrored by itself, its pictures are not; a preview's mirror is set only by hand")
    func frontMirroring() throws {
        try inEnvironment(phoneEnvironment()) {
            let session = AVCaptureSession()
            let device = try #require(AVCaptureDevice.default(.builtInTrueDepthCamera, for: .video, position: .front))
            session.addInput(try AVCaptureDeviceInput(device: device))
            let output = AVCaptureVideoDataOutput()
            session.addOutput(output)
            let layer = AVCaptureVideoPreviewLayer(session: session)
            let (preview, data) = (try #require(layer.connection), try #require(output.connection(with: .video)))
            #expect(preview.isVideoMirrored && !data.isVideoMirrored)
            #expect(CaptureEnvironment.violations { preview.isVideoMirrored = false }.map(\.name) == [.invalidArgument])
            #expect(CaptureEnvironment.violations { preview.videoRotationAngle = 45 }.map(\.name) == [.invalidArgument])
            #expect(CaptureEnvironment.violations { data.isVideoMirrored = true }.isEmpty && data.isVideoMirrored)
            let full = output.outputRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1))
            #expect(full == CGRect(x: 0, y: 0, width: 1920, height: 1080))
            data.videoRotationAngle = 90
            #expect(
                output.outputRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1)).size
                    == CGSize(width: 1080, height: 1920))
        }
    }

    @Test("a layer without a session converts to nothing")
    func unconnected() {
        inEnvironment(phoneEnvironment()) {
            let layer = AVCaptureVideoPreviewLayer()
            #expect(layer.connection == nil && layer.layerRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1)) == .zero)
        }
    }
}
