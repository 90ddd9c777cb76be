import AVFoundation
import CaptureTesting
import ClientUnits
import Metal
import Testing

/// Behaviour of the units of public clients once they compile; Tests/Apple/ClientUnits has one for each cause for which they did not.
@Suite("A unit shaped like a public client's")
struct ClientUnitTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    @Test("links, and derives actors from NSObject")
    func linking() async {
        let counter = DropCounter()
        await counter.count()
        #expect(await counter.drops == 1)
    }

    @Test("hears of the phone's heat, and makes pools of Foundation's dictionaries")
    func language() async throws {
        try await withTestPhone { phone in
            let model = ViewfinderModel()
            phone.conditions.setThermalState(.serious)
            model.readHeat()
            #expect(model.isHot && model.pool(width: 64, height: 36) != nil)
            phone.conditions.setThermalState(.nominal)
            model.readHeat()
            #expect(!model.isHot)
        }
        #expect(ProcessInfo.processInfo.thermalState == .nominal)
    }

    @Test("makes bitmaps of bytes and of pixel buffers")
    func pictures() throws {
        #expect(Pictures.grey([0, 128, 255, 7], width: 2, height: 2)?.bitsPerPixel == 8)
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 8, 4, kCVPixelFormatType_32BGRA, nil, &buffer)
        #expect(Pictures.image(of: try #require(buffer))?.width == 8)
        #expect(Pictures.isTenBit(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange) && !Pictures.isTenBit(kCVPixelFormatType_24RGB))
    }

    @Test("takes photos and brackets with data, whatever features it asks for first")
    func photos() async throws {
        try await withTestPhone(showing: stage) { phone in
            let (session, button) = (CountedSession(), PhotoButton())
            session.sessionPreset = .low
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(button.output)
            button.prepare()
            session.startCounted()
            button.press()
            await phone.step(frames: 2)
            button.pressBracket()
            try await phone.until(within: .seconds(1)) { button.images.count == 4 && button.isDone }
            #expect(session.starts == 1 && button.sizes.allSatisfy { $0 > 1000 })
            #expect(Shapes.position(of: try #require(button.output.connection(with: .video))) == .back)
        }
    }

    @Test("gets no texture of a Metal device and finds no encoder, and goes on")
    func neighbours() throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, 4, 2, kCVPixelFormatType_32BGRA, nil, &buffer)
        let viewfinder = try #require(MetalViewfinder())
        #expect(viewfinder.texture(of: try #require(buffer), format: .bgra8Unorm, plane: 0) == nil)
        #expect(StreamEncoder(width: 64, height: 36).status != noErr)
        let meter = LevelMeter()
        meter.take([0.5, -0.5, 0.5, -0.5])
        #expect(abs(meter.decibels + 6.02) < 0.01)
    }
}
