import CV4L2
import CoreMedia
import Testing

@testable import VideoDevice

@Suite("What a camera's driver tells")
struct VideoCameraTests {
    private let driver = PlayedDriver()

    @Test("Discrete sizes and rates become a mode each, an odd size and an unreadable format none")
    func discrete() throws {
        (driver.formats, driver.sizes) = ([.yuyv, FourCC("H264"), .mjpeg], .discrete([(640, 480), (321, 240)]))
        let camera = try VideoCamera("/dev/video0", in: driver)
        #expect(camera.name == "Played Camera" && camera.driver == "played" && camera.problem == nil)
        #expect(camera.modes.map(\.pixelFormat) == [.yuyv, .mjpeg])
        #expect(
            camera.modes.allSatisfy { $0.width == 640 && $0.frameDurations == [CMTime(value: 1, timescale: 30), CMTime(value: 1, timescale: 15)] })
        #expect(driver.openCount == 0)
    }

    @Test("A range of sizes offers the usual ones in it, a range of rates both its ends")
    func ranges() throws {
        driver.sizes = .stepwise(320...1280, 180...720, step: 20)
        driver.intervals = .continuous(shortest: (1, 60), longest: (1, 1))
        let camera = try VideoCamera("/dev/video0", in: driver)
        #expect(camera.sizes.map { "\($0.width)x\($0.height)" } == ["1280x720", "960x540", "640x480", "640x360", "320x240", "320x180"])
        let mode = try #require(camera.modes.first)
        #expect(mode.isRange && mode.frameRates == 1...60)
        #expect(mode.frameDuration(nearest: CMTime(value: 1, timescale: 24)) == CMTime(value: 1, timescale: 24))
        #expect(mode.frameDuration(nearest: CMTime(value: 1, timescale: 100)) == CMTime(value: 1, timescale: 60))
    }

    @Test("A driver that lists neither sizes nor rates has those that are set, as an HDMI input does")
    func current() throws {
        (driver.sizes, driver.intervals) = (.none, .none)
        let mode = try #require(try VideoCamera("/dev/video0", in: driver).modes.first)
        #expect((mode.width, mode.height) == (640, 480) && mode.frameDurations == [CMTime(value: 1, timescale: 25)])
    }

    @Test("Of formats that are fast enough the one with the least work is taken, else the fastest")
    func choice() throws {
        var camera = try VideoCamera("/dev/video0", in: driver)
        let (fast, slow) = (CMTime(value: 1, timescale: 30), CMTime(value: 1, timescale: 10))
        camera.modes = [
            .init(pixelFormat: .mjpeg, width: 1280, height: 720, frameDurations: [fast]),
            .init(pixelFormat: .yuyv, width: 1280, height: 720, frameDurations: [slow]),
        ]
        #expect(camera.mode(width: 1280, height: 720, frameDuration: slow)?.pixelFormat == .yuyv)
        #expect(camera.mode(width: 1280, height: 720, frameDuration: fast)?.pixelFormat == .mjpeg)
        #expect(camera.mode(width: 1280, height: 720, frameDuration: CMTime(value: 1, timescale: 60))?.pixelFormat == .mjpeg)
        #expect(camera.mode(width: 640, height: 480, frameDuration: fast) == nil)
    }

    @Test("A camera is known by its serial number, two with the same by the bus, and never by the number of the node")
    func identity() throws {
        driver.nodes = ["/dev/video0", "/dev/video7"]
        driver.places["/dev/video0"] = VideoPlace(product: "046d-0825", serial: "A B")
        #expect(VideoCamera.all(in: driver).map(\.uniqueID) == ["usb-046d-0825-A_B#0", "usb-0000:00:14.0-1#0"])
        driver.places["/dev/video7"] = driver.places["/dev/video0"]
        #expect(VideoCamera.all(in: driver).map(\.uniqueID).allSatisfy { $0 == "usb-0000:00:14.0-1#0" })
    }

    @Test("A node that delivers no pictures is no camera; one that may not be opened is listed with the group to join")
    func refusals() throws {
        driver.nodes = ["/dev/video0", "/dev/video1"]
        driver.refusals = ["/dev/video1": EACCES]
        driver.capabilities = V4L2_CAP_META_CAPTURE
        let cameras = VideoCamera.all(in: driver)
        #expect(cameras.map(\.path) == ["/dev/video1"])
        #expect(
            cameras.first?.problem?.description
                == "/dev/video1: may be used by the group video: `sudo usermod -aG video $USER`, then log in again (Permission denied)")
    }

    @Test("An input without a signal is said to have none")
    func signal() throws {
        driver.inputStatus = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let problem = try VideoCamera("/dev/video0", in: driver).problem
        #expect(problem?.code == .noFrames && problem?.reason == "its input has no signal: check the cable")
    }

    @Test(
        "A camera is found by identifier, path or a part of its name",
        arguments: ["usb-0000:00:14.0-1#0", "/dev/video0", "played"])
    func found(_ text: String) throws {
        #expect(try VideoCamera.find(text, in: driver).path == "/dev/video0")
    }

    @Test("A camera that is not there is answered with those that are")
    func missing() {
        let error = #expect(throws: VideoDeviceError.self) { try VideoCamera.find("Logitech", in: driver) }
        #expect(error?.description == "Logitech: there is no such camera: there are usb-0000:00:14.0-1#0 (Played Camera)")
        driver.nodes = []
        let none = #expect(throws: VideoDeviceError.self) { try VideoCamera.find("Logitech", in: driver) }
        #expect(none?.reason == "there is no such camera: no camera is plugged in")
    }
}
