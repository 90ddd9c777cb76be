import AVFoundation
import Pipeline
import Support
import Testing

@Suite("The video data output")
struct VideoOutputTests {
    @Test("reads back what was asked for and refuses what it cannot deliver")
    func settings() {
        inEnvironment(phoneEnvironment()) {
            let output = AVCaptureVideoDataOutput()
            let key = kCVPixelBufferPixelFormatTypeKey as String
            #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            #expect(output.alwaysDiscardsLateVideoFrames)
            output.videoSettings = [key: kCVPixelFormatType_32BGRA]
            #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_32BGRA)
            let raised = CaptureEnvironment.violations {
                output.videoSettings = [key: kCVPixelFormatType_DisparityFloat32]
                output.videoSettings = [kCVPixelBufferWidthKey as String: 640]
                output.setSampleBufferDelegate(Sink(), queue: nil)
            }
            #expect(raised.map(\.name) == [.invalidArgument, .invalidArgument, .invalidArgument])
            output.videoSettings = nil
            #expect(output.videoSettings[key] as? OSType == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        }
    }

    private final class Sink: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {}

    @Test("delivers BGRA, turned and mirrored when the connection says so")
    func bgraTurned() throws {
        try inEnvironment(fakeEnvironment(source: CountingSource(count: 2))) {
            let app = try CameraApp()
            app.videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            app.videoOutput.connection(with: .video)?.videoRotationAngle = 90
            try app.run()
            let sample = try #require(app.samples.last)
            let dimensions = try #require(sample.formatDescription).dimensions
            #expect(dimensions.width == 36 && dimensions.height == 64)
            #expect(sample.formatDescription?.mediaSubType.rawValue == kCVPixelFormatType_32BGRA)
            let pixel = try #require(sample.imageBuffer).plane(0).row(0, as: UInt8.self)
            #expect((0..<4).map { pixel[$0] } == [1, 1, 1, 255])
        }
    }

    /// A colour in BT.709 video range and the BGRA it stands for.
    @Test(
        "turns BT.709 into BGRA within one step",
        arguments: [
            ([16, 128, 128], [0, 0, 0]), ([235, 128, 128], [255, 255, 255]), ([126, 128, 128], [128, 128, 128]),
            ([63, 102, 240], [0, 0, 255]), ([173, 42, 26], [0, 255, 0]), ([32, 240, 118], [255, 0, 0]),
        ])
    func colours(video: [UInt8], bgr: [Int]) {
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<2 { picture.plane(0).row(y, as: UInt8.self).update(repeating: video[0], count: 2) }
        let chroma = picture.plane(1).row(0, as: UInt8.self)
        (chroma[0], chroma[1]) = (video[1], video[2])
        let result = PictureConverter().convert(picture, to: kCVPixelFormatType_32BGRA, rotation: 0, isMirrored: false)
        let pixel = result.plane(0).row(1, as: UInt8.self)
        for channel in 0..<3 { #expect(abs(Int(pixel[4 + channel]) - bgr[channel]) <= 1) }
    }

    @Test("widens to full range")
    func fullRange() {
        let frame = CountingSource.frame(index: 219)
        let result = PictureConverter().convert(
            frame.image, to: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, rotation: 0, isMirrored: false)
        #expect(result.plane(0).row(0, as: UInt8.self)[0] == 255 && result.plane(1).row(0, as: UInt8.self)[0] == 128)
    }

    /// 4 × 2 pixels 0…7, chroma pairs 100 and 101.
    @Test(
        "turns clockwise, then mirrors",
        arguments: [
            (0, false, [[0, 1, 2, 3], [4, 5, 6, 7]]), (0, true, [[3, 2, 1, 0], [7, 6, 5, 4]]),
            (90, false, [[4, 0], [5, 1], [6, 2], [7, 3]]), (90, true, [[0, 4], [1, 5], [2, 6], [3, 7]]),
            (180, false, [[7, 6, 5, 4], [3, 2, 1, 0]]), (180, true, [[4, 5, 6, 7], [0, 1, 2, 3]]),
            (270, false, [[3, 7], [2, 6], [1, 5], [0, 4]]), (270, true, [[7, 3], [6, 2], [5, 1], [4, 0]]),
        ])
    func postures(rotation: Int, isMirrored: Bool, rows: [[UInt8]]) {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let picture = CVPixelBuffer(width: 4, height: 2, pixelFormat: format)
        for index in 0..<8 { picture.plane(0).row(index / 4, as: UInt8.self)[index % 4] = UInt8(index) }
        for x in 0..<2 { picture.plane(1).row(0, as: UInt16.self)[x] = UInt16(100 + x) }
        let turned = PictureConverter().convert(picture, to: format, rotation: rotation, isMirrored: isMirrored)
        for (y, row) in rows.enumerated() {
            let line = turned.plane(0).row(y, as: UInt8.self)
            #expect((0..<row.count).map { line[$0] } == row)
        }
        let first = turned.plane(1).row(0, as: UInt16.self)[0]
        #expect(first == 100 + UInt16(rows[0][0] % 4 / 2))
    }
}

@Suite("A bounded channel")
struct ChannelTests {
    @Test("hands over in order, waits when full, and ends with the error it was given")
    func order() throws {
        let channel = Channel<Int>(capacity: 2)
        Thread.detach(named: "sender") {
            for number in 0..<100 { _ = channel.send(number) }
            channel.finish(FakeFailure(what: "end"))
        }
        var received: [Int] = []
        #expect(throws: FakeFailure(what: "end")) { while let next = try channel.next() { received.append(next) } }
        #expect(received == Array(0..<100))
    }

    @Test("closed, it refuses the sender and gives the receiver nothing")
    func closed() throws {
        let channel = Channel<Int>(capacity: 1)
        #expect(channel.send(1))
        channel.close()
        #expect(!channel.send(2))
        #expect(try channel.next() == nil)
    }
}
