import CV4L2
import CoreMedia
import CoreVideo
import Testing

@testable import VideoDevice

@Suite("A virtual camera")
struct VideoSinkTests {
    private let driver = PlayedDriver()
    private let rate = CMTime(value: 1, timescale: 30)

    private func picture() -> CVPixelBuffer {
        let picture = CVPixelBufferPool(width: 4, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).makeBuffer()
        for x in 0..<4 {
            picture.plane(0).row(0, as: UInt8.self)[x] = UInt8(10 + x)
            picture.plane(0).row(1, as: UInt8.self)[x] = UInt8(20 + x)
            picture.plane(1).row(0, as: UInt8.self)[x] = UInt8(100 + x)
        }
        return picture
    }

    private func sink() throws -> VideoSink {
        driver.capabilities = V4L2_CAP_VIDEO_OUTPUT
        return try VideoSink("/dev/video0", width: 4, height: 2, frameDuration: rate, in: driver)
    }

    @Test("takes pictures as NV12 where it can, else as YUYV", arguments: [false, true])
    func formats(_ isYUYV: Bool) throws {
        if isYUYV { driver.onlyFormat = .yuyv }
        let sink = try sink()
        #expect(sink.pixelFormat == (isYUYV ? .yuyv : .nv12) && driver.isStreaming)
        try sink.write(picture(), at: .zero)
        let expected: [UInt8] =
            isYUYV
            ? [10, 100, 11, 101, 12, 102, 13, 103, 20, 100, 21, 101, 22, 102, 23, 103] : [10, 11, 12, 13, 20, 21, 22, 23, 100, 101, 102, 103]
        #expect(driver.shown == [expected])
        sink.close()
        #expect(!driver.isStreaming && driver.openCount == 0)
    }

    @Test("leaves out pictures while the device holds every buffer")
    func late() throws {
        let sink = try sink()
        for _ in 0..<6 { try sink.write(picture(), at: .zero) }
        #expect(sink.figures == (4, 2))
    }

    @Test("is refused where the node is a camera, or has another size")
    func refusals() throws {
        let camera = #expect(throws: VideoDeviceError.self) {
            try VideoSink("/dev/video0", width: 4, height: 2, frameDuration: rate, in: driver)
        }
        #expect(camera?.reason.hasPrefix("takes no pictures; v4l2loopback") == true)
        driver.onlySize = (1920, 1080)
        let size = #expect(throws: VideoDeviceError.self) { try sink() }
        #expect(size?.reason == "takes no 4x2 in NV12 or YUYV; it takes 1920x1080 YUYV")
        #expect(driver.openCount == 0)
    }
}
