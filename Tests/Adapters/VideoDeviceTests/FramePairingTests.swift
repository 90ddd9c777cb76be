import CV4L2
import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import VideoDevice

@Suite("Two cameras as one")
struct FramePairingTests {
    /// Streams of two clocks: the second begins later, drifts and jitters.
    private struct Rig {
        var pairing = FramePairing(duration: 33_333_333)
        var first = 0
        var second = 0
        let offset: Double
        let drift: Double
        let jitter: Double

        private func time(_ index: Int, rate: Double, from start: Double, sequence: Int) -> Int64 {
            // A fixed sequence between -1 and 1.
            let wobble = Double((index * sequence) % 201 - 100) / 100
            return Int64(start + (Double(index) * 33_333_333) * rate + wobble * jitter)
        }

        mutating func match() -> FramePairing.Match {
            let match = pairing.match(
                first: (first, time(first, rate: 1, from: 0, sequence: 7919)),
                second: (second, time(second, rate: 1 + drift, from: offset, sequence: 6007)))
            if match != .secondAlone { first += 1 }
            if match != .firstAlone { second += 1 }
            return match
        }
    }

    @Test("Offset, drift and jitter of the clocks are measured")
    func clocks() throws {
        var rig = Rig(offset: 4e6, drift: 50e-6, jitter: 0.3e6)
        for _ in 0..<3000 { #expect(rig.match() == .pair) }
        let (offset, drift, jitter) = (try #require(rig.pairing.offset), try #require(rig.pairing.drift), try #require(rig.pairing.jitter))
        // 50 millionths over 100 s move the second camera by 5 ms: by half of it on average.
        #expect(abs(offset - 0.0065) < 1e-4)
        #expect(abs(drift - 50e-6) < 1e-6)
        // Two even distributions over 0.6 ms.
        #expect(abs(jitter - 0.3e-3 * (2.0 / 3).squareRoot()) < 0.05e-3)
    }

    @Test("A clock that runs away costs a frame each time it is half a frame off, and is still measured")
    func slips() throws {
        var rig = Rig(offset: 10e6, drift: 1000e-6, jitter: 0)
        var matches: [FramePairing.Match] = []
        for _ in 0..<3000 { matches.append(rig.match()) }
        // Three frames' time in 100 s.
        #expect(matches.count { $0 == .firstAlone } == 3)
        #expect(matches.count { $0 == .secondAlone } == 0)
        #expect(rig.pairing.firstAlone == 3)
        #expect(abs(try #require(rig.pairing.drift) - 1000e-6) < 1e-6)
    }

    private let rate = CMTime(value: 1, timescale: 30)

    private func driver(_ format: FourCC, _ times: [Int64], planes: (Int) -> [UInt8]) -> PlayedDriver {
        let driver = PlayedDriver()
        driver.formats = [format]
        driver.events = times.enumerated().map { index, time in
            .picture(sequence: UInt32(time / 33_333), microseconds: 1_000_000 + time, planes: [planes(index)])
        }
        return driver
    }

    private func source(_ driver: PlayedDriver) throws -> CameraSource {
        try CameraSource(VideoCamera("/dev/video0", in: driver), width: 16, height: 8, frameDuration: rate, in: driver)
    }

    @Test("Frames without a partner are left out, counted and told; the others have their right picture")
    func pairs() throws {
        let grey = { (level: UInt8) in [UInt8](repeating: level, count: 256) }
        // The left camera loses its second frame; the right one is 5 ms behind.
        let left = driver(.yuyv, [0, 66_667, 100_000]) { grey(UInt8(100 + $0)) }
        let right = driver(.yuyv, [5_000, 38_333, 71_667, 105_000]) { grey(UInt8(150 + $0)) }
        let pair = try PairedCameraSource(source(left), with: source(right))
        let frames = try (0..<3).map { _ in try #require(try pair.nextFrame()) }
        #expect(frames.map(\.index) == [0, 2, 3])
        let lumas = frames.map { [$0.image, $0.rightImage].map { $0?.plane(0).row(0, as: UInt8.self)[0] ?? 0 } }
        // Left pictures 0, 1 and 2 go with right ones 0, 2 and 3.
        #expect(lumas.map { $0[1] > $0[0] } == [true, true, true])
        #expect(Set(lumas.map { $0[1] }).count == 3 && lumas[1][1] - lumas[0][1] >= lumas[2][1] - lumas[1][1])
        #expect(pair.remarks.contains("0 frames of the first and 1 of the second camera had no partner and are left out"), "\(pair.remarks)")
        #expect(pair.remarks.contains { $0.hasPrefix("3 pairs of frames: the second camera 5.0 ms behind") }, "\(pair.remarks)")
        #expect(pair.figures == .init(frames: 3, dropped: 1))
    }

    @Test("A depth camera brings disparity in 1/m; what it did not measure has no confidence")
    func depth() throws {
        let colour = driver(.yuyv, [0]) { _ in [UInt8](repeating: 100, count: 256) }
        let codes = (0..<128).map { $0 < 64 ? UInt16(2000) : $0 == 64 ? 0 : 500 }
        let depth = driver(.z16, [3_000]) { _ in codes.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }
        depth.planeSizes = [256]
        let camera = try VideoCamera("/dev/video0", in: depth)
        #expect(camera.isDepth && camera.problem == nil)
        let pair = try PairedCameraSource(source(colour), with: source(depth))
        let map = try #require(try pair.nextFrame()?.disparity)
        #expect(map.isMetric && map.width == 16 && map.height == 8)
        #expect((map.row(0)[0], map.row(7)[15]) == (0.5, 2))
        let trust = try #require(map.confidence).plane(0).row(4, as: UInt8.self)
        #expect((trust[0], trust[1]) == (0, 255))
    }

    @Test("Cameras that do not go together are refused by name")
    func refused() throws {
        let (one, other) = (driver(.yuyv, []) { _ in [] }, driver(.yuyv, []) { _ in [] })
        other.intervals = .discrete([(1, 15)])
        let error = try #require(throws: VideoDeviceError.self) { try PairedCameraSource(source(one), with: source(other)) }
        #expect(error.description == "/dev/video0: has another rate than /dev/video0; choose a format that both have")
    }
}
