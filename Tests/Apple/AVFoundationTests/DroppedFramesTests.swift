import AVFoundation
import Pipeline
import Synchronization
import Testing

@Suite("Dropped frames")
struct DroppedFramesTests {
    /// Frames that an app got and lost, as frame numbers; it holds on to what `keeps` says.
    private final class Client: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        let seen = Mutex<(got: [Int64], lost: [Int64], reasons: Set<String>, held: [CVPixelBuffer])>(([], [], [], []))
        private let keeps: Bool

        init(keeps: Bool) { self.keeps = keeps }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            seen.withLock { seen in
                seen.got.append(sampleBuffer.presentationTimeStamp.value)
                if keeps, let image = sampleBuffer.imageBuffer { seen.held.append(image) }
                if seen.got.count == 4 { seen.held = [] }
            }
        }

        func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            let reason = CMGetAttachment(sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
            #expect(sampleBuffer.imageBuffer == nil && sampleBuffer.formatDescription != nil)
            seen.withLock { seen in
                seen.lost.append(sampleBuffer.presentationTimeStamp.value)
                if let reason = reason as? String { seen.reasons.insert(reason) }
                if seen.lost.count == 2 { seen.held = [] }
            }
        }
    }

    private func run(
        frames: Int, keeps: Bool = false, discardsLate: Bool = true, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        _ set: (inout CaptureEnvironment) -> Void
    ) throws -> (got: [Int64], lost: [Int64], reasons: Set<String>) {
        var environment = fakeEnvironment(source: CountingSource(count: frames))
        set(&environment)
        return try inEnvironment(environment) {
            let (app, client) = (try CameraApp(), Client(keeps: keeps))
            app.videoOutput.alwaysDiscardsLateVideoFrames = discardsLate
            app.videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
            app.videoOutput.setSampleBufferDelegate(client, queue: app.queue)
            try app.run()
            return client.seen.withLock { ($0.got, $0.lost, $0.reasons) }
        }
    }

    @Test("a client of 100 ms loses the two frames that come meanwhile, as late")
    func late() throws {
        let seen = try run(frames: 9) { $0.videoClientTime = { _ in CMTime(value: 1, timescale: 10) } }
        #expect(seen.got == [0, 3, 6] && seen.lost == [1, 2, 4, 5, 7, 8])
        #expect(seen.reasons == [kCMSampleBufferDroppedFrameReason_FrameWasLate as String])
    }

    @Test("five frames wait where late frames are kept, and a client that keeps up again loses none")
    func queued() throws {
        let slow = try run(frames: 9, discardsLate: false) { $0.videoClientTime = { _ in CMTime(value: 1, timescale: 1) } }
        #expect(slow.got == [0, 1, 2, 3, 4, 5] && slow.lost == [6, 7, 8])
        let once = try run(frames: 9, discardsLate: false) {
            $0.videoClientTime = { $0 == .zero ? CMTime(value: 1, timescale: 10) : .zero }
        }
        #expect(once.got == Array(0..<9) && once.lost.isEmpty)
        let inTime = try run(frames: 9) { $0.videoClientTime = { _ in CMTime(value: 1, timescale: 30) } }
        #expect(inTime.lost.isEmpty)
    }

    @Test(
        "a client that holds every buffer is out of them, until it lets go",
        arguments: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA])
    func outOfBuffers(format: OSType) throws {
        let seen = try run(frames: 9, keeps: true, format: format) { $0.videoBufferLimit = 3 }
        #expect(seen.got.prefix(3) == [0, 1, 2] && seen.lost.prefix(2) == [3, 4] && seen.got.contains(5))
        #expect(seen.reasons == [kCMSampleBufferDroppedFrameReason_OutOfBuffers as String])
        let without = try run(frames: 9, keeps: true, format: format) { _ in }
        #expect(without.lost.isEmpty)
    }
}

@Suite("The size and depth of delivered pictures")
struct PictureSizeTests {
    @Test("a smaller size of the picture's shape is delivered, others are refused")
    func size() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2))) {
            let app = try CameraApp()
            let (width, height) = (kCVPixelBufferWidthKey as String, kCVPixelBufferHeightKey as String)
            let refused: [[String: Any]] = [
                [width: 32], [height: 18], [width: 128, height: 72], [width: 32, height: 32], [width: 31, height: 18], [width: 36, height: 64],
            ]
            for settings in refused {
                let raised = CaptureEnvironment.violations { app.videoOutput.videoSettings = settings }
                #expect(raised.map(\.name) == [.invalidArgument], "\(settings)")
            }
            app.videoOutput.videoSettings = [width: 32, height: 18]
            #expect(app.videoOutput.videoSettings[width] as? Int == 32)
            try app.run()
            let dimensions = try #require(app.samples.last?.formatDescription).dimensions
            #expect(dimensions.width == 32 && dimensions.height == 18)
            let pixel = try #require(app.samples.last?.imageBuffer).plane(0).row(17, as: UInt8.self)[31]
            #expect(pixel == 17)
        }
    }

    @Test("the size follows the turned connection")
    func rotatedSize() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2))) {
            let app = try CameraApp()
            app.videoOutput.connection(with: .video)?.videoRotationAngle = 90
            app.videoOutput.videoSettings = [kCVPixelBufferWidthKey as String: 18, kCVPixelBufferHeightKey as String: 32]
            try app.run()
            let dimensions = try #require(app.samples.last?.formatDescription).dimensions
            #expect(dimensions.width == 18 && dimensions.height == 32)
        }
    }

    @Test("shrinking takes the mean of what lies beneath")
    func mean() {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let picture = CVPixelBuffer(width: 4, height: 4, pixelFormat: format)
        for index in 0..<16 { picture.plane(0).row(index / 4, as: UInt8.self)[index % 4] = UInt8(index) }
        for index in 0..<8 { picture.plane(1).row(index / 4, as: UInt8.self)[index % 4] = index % 2 == 0 ? 100 : 200 }
        let small = PictureConverter().convert(picture, to: format, rotation: 0, isMirrored: false, size: PictureSize(width: 2, height: 2))
        #expect((0..<4).map { small.plane(0).row($0 / 2, as: UInt8.self)[$0 % 2] } == [3, 5, 11, 13])
        #expect((0..<2).map { small.plane(1).row(0, as: UInt8.self)[$0] } == [100, 200])
    }

    @Test(
        "ten bits, also under the lossless code, are the eight of the picture moved up",
        arguments: [kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange])
    func tenBits(format: OSType) throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2))) {
            let app = try CameraApp()
            app.videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
            try app.run()
            let image = try #require(app.samples.last?.imageBuffer)
            #expect(CVPixelBufferGetPixelFormatType(image) == format && CVPixelBufferGetPlaneCount(image) == 2)
            #expect(image.plane(0).row(35, as: UInt16.self)[63] == 17 << 8 && image.plane(1).row(17, as: UInt16.self)[63] == 128 << 8)
        }
    }
}
