import CV4L2
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import VideoDevice

@Suite("Frames of a camera")
struct CameraSourceTests {
    private let driver = PlayedDriver()
    private let rate = CMTime(value: 1, timescale: 30)

    private func source(width: Int = 16, height: Int = 8) throws -> CameraSource {
        try CameraSource(VideoCamera("/dev/video0", in: driver), width: width, height: height, frameDuration: rate, in: driver)
    }

    /// One colour in YUYV, 16 × 8.
    private func yuyv(_ y: UInt8, _ cb: UInt8 = 128, _ cr: UInt8 = 128) -> [UInt8] { (0..<64).flatMap { _ in [y, cb, y, cr] } }

    private func grey(_ sequence: UInt32, at microseconds: Int64, isDamaged: Bool = false) -> PlayedDriver.Event {
        .picture(sequence: sequence, microseconds: microseconds, isDamaged: isDamaged, planes: [yuyv(100)])
    }

    private func pixel(_ picture: CVPixelBuffer) -> [UInt8] {
        let chroma = picture.plane(1).row(0, as: UInt8.self)
        return [picture.plane(0).row(0, as: UInt8.self)[0], chroma[0], chroma[1]]
    }

    @Test("Pictures come as BT.709 at the driver's times, the first at zero")
    func pictures() throws {
        // A strong red in BT.601, which has another luma in BT.709.
        driver.events = [
            .picture(sequence: 7, microseconds: 5_000_000, planes: [yuyv(81, 90, 240)]), grey(8, at: 5_033_333), grey(9, at: 5_066_667),
        ]
        let source = try source()
        #expect(source.description == SourceDescription(width: 16, height: 8, frameDuration: rate))
        let first = try #require(try source.nextFrame())
        #expect(pixel(first.image) == [62, 102, 240])
        #expect(first.presentationTime == .zero && first.index == 0 && first.dueDate != nil)
        #expect(try source.nextFrame()?.presentationTime == CMTime(value: 33_333, timescale: 1_000_000))
        #expect(try source.nextFrame().map { pixel($0.image) } == [100, 128, 128])
    }

    @Test("Planes in memory of their own are read, and BT.709 of a camera is left as it is")
    func multiplanar() throws {
        driver.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE
        (driver.formats, driver.planeSizes, driver.colorspace) = ([.nv12Planes], [128, 64], V4L2_COLORSPACE_REC709.rawValue)
        let chroma = (0..<64).map { UInt8($0 % 2 == 0 ? 90 : 240) }
        driver.events = [.picture(sequence: 0, microseconds: 1, planes: [[UInt8](repeating: 81, count: 128), chroma])]
        #expect(try source().nextFrame().map { pixel($0.image) } == [81, 90, 240])
    }

    @Test("A JPEG is decoded, and its full range brought to video range")
    func jpeg() throws {
        (driver.formats, driver.planeSizes) = ([.mjpeg], [4096])
        driver.sizes = .discrete([(16, 16)])
        driver.events = [.picture(sequence: 0, microseconds: 1, planes: [[UInt8](Self.blue)])]
        let found = try #require(try source(height: 16).nextFrame().map { pixel($0.image) })
        // #2060c0 is (93, 178, 97) in BT.709's video range.
        for (value, truth) in zip(found, [93, 178, 97] as [UInt8]) { #expect(abs(Int(value) - Int(truth)) <= 2) }
    }

    @Test("Lost frames leave a gap in the numbers and are counted, also where the count wraps")
    func losses() throws {
        driver.events = [grey(.max - 1, at: 1_000_000), grey(.max, at: 1_033_333), grey(2, at: 1_133_333)]
        let source = try source()
        #expect(try (0..<3).map { _ in try source.nextFrame()?.index } == [0, 1, 4])
        #expect(source.figures == .init(frames: 3, dropped: 2))
        #expect(source.remarks == ["2 frames of the camera lost: the machine was too slow, or the camera was"])
    }

    @Test("Damaged frames are left out and counted: those that the driver flags, and those cut short")
    func damaged() throws {
        driver.events = [
            grey(0, at: 1, isDamaged: true), .picture(sequence: 1, microseconds: 33_333, planes: [[1, 2, 3]]), grey(2, at: 66_667),
        ]
        let source = try source()
        #expect(try source.nextFrame()?.index == 2)
        #expect(source.figures == .init(frames: 1, dropped: 0, damaged: 2))
    }

    @Test("A stream that fails is started anew; the third failure ends it")
    func restart() throws {
        driver.events = [grey(0, at: 1), .failure(EIO), grey(0, at: 40_000), .failure(EIO), .failure(EIO), .failure(EIO)]
        let source = try source()
        _ = try source.nextFrame()
        #expect(try source.nextFrame()?.index == 1)
        #expect(source.figures.restarts == 1)
        let error = #expect(throws: VideoDeviceError.self) { try source.nextFrame() }
        #expect(error?.code == .failed && error?.errorNumber == EIO)
    }

    @Test("A camera that is pulled out, and one that is silent, end the frames with what happened")
    func ends() throws {
        driver.events = [grey(0, at: 1), .failure(ENODEV)]
        let source = try source()
        _ = try source.nextFrame()
        #expect(throws: VideoDeviceError(.disconnected, "/dev/video0", "was unplugged", errno: ENODEV)) { try source.nextFrame() }
        driver.events = [.silence]
        let silent = #expect(throws: VideoDeviceError.self) { try source.nextFrame() }
        #expect(silent?.reason == "Played Camera has delivered no picture for 2 s")
    }

    @Test("Closing leaves format, rate and controls as they were, and the node closed")
    func restores() throws {
        driver.controls = [
            .init(id: RF_CID_EXPOSURE_AUTO, name: "auto", range: 0...3, standard: 3, value: 3),
            .init(id: RF_CID_EXPOSURE_ABSOLUTE, name: "time", range: 1...5000, standard: 156, value: 200),
        ]
        driver.events = [grey(0, at: 1)]
        let source = try source()
        var settings = CameraSettings()
        settings.metering = .manual(duration: 0.01, iso: 100)
        source.adjust(settings)
        source.adjust(settings)
        _ = try source.nextFrame()
        #expect(driver.isStreaming && driver.interval.denominator == 30)
        source.close()
        #expect(try source.nextFrame() == nil)
        #expect(!driver.isStreaming && driver.openCount == 0)
        #expect((driver.current.width, driver.current.height, driver.interval.denominator) == (640, 480, 25))
        let settingsLog = driver.log.filter { $0.hasPrefix("auto") || $0.hasPrefix("time") }
        #expect(settingsLog == ["auto 1", "time 100", "time 200", "auto 3"])
    }

    @Test(
        "A camera is told of the mains, by itself where it can, else by the region where nobody chose",
        arguments: [(3, 1, "DE", 3), (2, 0, "DE", 1), (2, 0, "US", 2), (2, 0, nil, 0), (2, 2, "DE", 2)] as [(Int32, Int32, String?, Int32)])
    func mains(_ most: Int32, _ before: Int32, _ region: String?, _ after: Int32) throws {
        driver.controls = [.init(id: RF_CID_POWER_LINE_FREQUENCY, name: "mains", range: 0...most, standard: 0, value: before)]
        let camera = try VideoCamera("/dev/video0", in: driver)
        let controls = CameraControls(of: camera, node: try driver.open("/dev/video0"))
        controls.steadyLight(in: region)
        #expect(driver.controls[0].value == after && controls.remarks.isEmpty)
        controls.restore()
        #expect(driver.controls[0].value == before)
    }

    @Test("Held exposure is reported with the light it tells; a value that automatics leave standing is not believed")
    func exposure() throws {
        driver.controls = [
            .init(id: RF_CID_EXPOSURE_AUTO, name: "auto", range: 0...3, standard: 3, value: 3),
            .init(id: RF_CID_EXPOSURE_ABSOLUTE, name: "time", range: 1...5000, standard: 156, value: 200),
            .init(id: RF_CID_GAIN, name: "gain", range: 0...64, standard: 0, value: 16),
        ]
        driver.events = [grey(0, at: 1)]
        #expect(try source().nextFrame()?.exposure == nil)
        driver.events = [grey(0, at: 1)]
        let held = try source()
        var settings = CameraSettings()
        settings.metering = .manual(duration: 0.02, iso: 400)
        held.adjust(settings)
        let exposure = try #require(try held.nextFrame()?.exposure)
        #expect(exposure.duration == 0.02 && exposure.iso == 400 && exposure.fNumber == 2)
        #expect(abs(exposure.level - pow(84.0 / 219, 2.2) / 0.18) < 1e-9)
        #expect(driver.controls[2].value == 32)
    }

    @Test("Zoom, colour temperature and the torch's level are in the units of their controls, and as before afterwards")
    func lens() throws {
        driver.controls = [
            .init(id: RF_CID_ZOOM_ABSOLUTE, name: "zoom", range: 100...500, standard: 100, value: 120),
            .init(id: RF_CID_AUTO_WHITE_BALANCE, name: "balances", range: 0...1, standard: 1, value: 1),
            .init(id: RF_CID_WHITE_BALANCE_TEMPERATURE, name: "kelvin", range: 2800...6500, standard: 4600, value: 4600),
            .init(id: RF_CID_FLASH_LED_MODE, name: "led", range: 0...2, standard: 0, value: 0),
            .init(id: RF_CID_FLASH_TORCH_INTENSITY, name: "milliamperes", range: 10...110, standard: 10, value: 20),
        ]
        let camera = try VideoCamera("/dev/video0", in: driver)
        #expect(camera.abilities == [.whiteBalance, .whiteBalanceGains, .torch, .zoom] && camera.greatestZoom == 5)
        let controls = CameraControls(of: camera, node: try driver.open("/dev/video0"))
        var settings = CameraSettings()
        (settings.zoom, settings.torch, settings.isWhiteBalanceHeld, settings.gains, settings.temperature) = (2.5, 0.5, true, .init(1, 1.2, 2), 3200)
        controls.apply(settings)
        #expect(driver.controls.map(\.value) == [250, 0, 3200, 2, 60])
        controls.restore()
        #expect(driver.controls.map(\.value) == [120, 1, 4600, 0, 20])
        driver.controls[0].range = 0...100
        #expect(try VideoCamera("/dev/video0", in: driver).greatestZoom == 1)
    }

    @Test("A flash burns until a frame was exposed in its light, which says so")
    func flash() throws {
        driver.controls = [.init(id: RF_CID_FLASH_LED_MODE, name: "led", range: 0...2, standard: 0, value: 0)]
        // The driver's clock goes on to each picture's time.
        driver.events = (0..<6).map { grey($0, at: 1_000_000 + Int64($0) * 33_333) }
        let source = try source()
        _ = try source.nextFrame()
        var settings = CameraSettings()
        settings.firesFlash = true
        source.adjust(settings)
        var frames: [Bool] = []
        for _ in 0..<5 {
            #expect(driver.controls[0].value == (frames.contains(true) ? 0 : 2))
            frames.append(try #require(try source.nextFrame()).isFlashLit)
            source.adjust(CameraSettings())
        }
        #expect(frames == [false, false, true, false, false])
        #expect(driver.controls[0].value == 0)
    }

    @Test("A camera keeps its rate in the dark, and may lengthen exposures again afterwards")
    func steadyRate() throws {
        driver.controls = [.init(id: RF_CID_EXPOSURE_AUTO_PRIORITY, name: "priority", range: 0...1, standard: 0, value: 1)]
        driver.events = [grey(0, at: 1)]
        let source = try source()
        _ = try source.nextFrame()
        #expect(driver.controls[0].value == 0)
        source.close()
        #expect(driver.controls[0].value == 1)
    }

    @Test("What the camera refuses is said: a size it has not, another one than asked for, a camera in use")
    func refusals() throws {
        let size = #expect(throws: VideoDeviceError.self) { try source(width: 64) }
        #expect(size?.description == "/dev/video0: has no pictures of 64x8; it has 16x8")
        driver.onlySize = (32, 16)
        let other = #expect(throws: VideoDeviceError.self) { try source() }
        #expect(other?.reason == "gave 32x16 YUYV instead of 16x8 YUYV")
        (driver.onlySize, driver.startFailure) = (nil, EBUSY)
        let busy = #expect(throws: VideoDeviceError.self) { try source().nextFrame() }
        #expect(busy?.code == .busy)
        #expect(driver.openCount == 0)
    }

    /// A JPEG of 16 × 16 pixels of #2060c0, 4:2:2.
    private static let blue = Data(
        base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/
            2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABADASEAAhEBAxEB/8QA
            HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK
            FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG
            x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
            AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
            hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDxSiv6dPxQ
            KKAP/9k=
            """, options: .ignoreUnknownCharacters)!
}
