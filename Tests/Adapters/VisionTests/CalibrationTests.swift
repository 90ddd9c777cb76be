import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing
import Vision

@Suite("Two cameras that are not level")
struct CalibrationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A flat thing in the left camera's space: a point and two directions.
    private struct Card {
        var origin: SIMD3<Double>
        var across: SIMD3<Double>
        var down: SIMD3<Double>
    }

    private static let size = (width: 320, height: 240)
    private static let focal = 300.0
    private static let baseline = 0.06

    private static func turned(_ v: SIMD3<Double>, yaw: Double, roll: Double) -> SIMD3<Double> {
        let (c, s) = (cos(yaw), sin(yaw))
        let w = SIMD3(c * v.x + s * v.z, v.y, -s * v.x + c * v.z)
        return SIMD3(cos(roll) * w.x - sin(roll) * w.y, sin(roll) * w.x + cos(roll) * w.y, w.z)
    }

    /// Picture that a camera takes of a card whose brightness is a function of the place on it, in metres.
    private static func picture(_ card: Card, isRight: Bool, _ paint: (Double, Double) -> Double) -> CVPixelBuffer {
        func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let normal = cross(card.across, card.down)
        let eye = SIMD3(isRight ? baseline : 0, isRight ? 0.002 : 0, 0)
        func sample(_ x: Double, _ y: Double) -> Double {
            var ray = SIMD3((x - Double(size.width) / 2) / focal, (y - Double(size.height) / 2) / focal, 1)
            if isRight { ray = turned(ray, yaw: 0.03, roll: 0.02) }
            let place = eye + ray * (dot(card.origin - eye, normal) / dot(ray, normal)) - card.origin
            return paint(dot(place, card.across), dot(place, card.down))
        }
        return Pictures.picture(size.width, size.height) { x, y in
            let sum = [0.25, 0.75].flatMap { j in [0.25, 0.75].map { i in sample(Double(x) + i, Double(y) + j) } }.reduce(0, +)
            return Int(sum / 4)
        }
    }

    /// 8 x 6 squares of 30 mm on white, seen from another side each time.
    private static func board(_ index: Int) -> Frame {
        let tilts = [(0.0, 0.0), (0.4, 0.1), (-0.4, 0.0), (0.1, 0.2), (-0.2, -0.2), (0.3, -0.1), (0.2, 0.15), (-0.3, 0.1)]
        let (yaw, roll) = tilts[index]
        let (across, down) = (turned(SIMD3(1, 0, 0), yaw: yaw, roll: roll), turned(SIMD3(0, 1, 0.3 * roll), yaw: yaw, roll: roll))
        let middle = SIMD3(0.03 + 0.02 * Double(index % 3 - 1), 0.015 * Double(index % 2), 0.42 + 0.03 * Double(index % 4))
        let unit = down / (down * down).sum().squareRoot()
        let card = Card(origin: middle - across * 0.12 - unit * 0.09, across: across, down: unit)
        func paint(_ u: Double, _ v: Double) -> Double {
            guard u >= 0, v >= 0, u < 0.24, v < 0.18 else { return 215 }
            return (Int(u / 0.03) + Int(v / 0.03)) % 2 == 0 ? 30 : 215
        }
        return Pictures.frame(picture(card, isRight: false, paint), right: picture(card, isRight: true, paint), index: index)
    }

    private static let calibration = Result {
        var calibrator = try StereoCalibrator(columns: 7, rows: 5, square: 0.03)
        for index in 0..<8 { _ = try calibrator.add(board(index)) }
        return try calibrator.calibration()
    }

    @Test("a chessboard tells focal length, baseline and how good that is; the file gives it back")
    func calibrate() throws {
        let found = try Self.calibration.get()
        #expect(found.views == 8)
        #expect(found.reprojectionError < 0.3)
        #expect(abs(found.baseline / Self.baseline - 1) < 0.03)
        #expect(abs(found.left.focalLength[0] / Self.focal - 1) < 0.05)
        let path = scratch.url.appending(path: "rig.json")
        try found.json().write(to: path)
        #expect(try StereoCalibration(contentsOf: path.path) == found)
        #expect(String(decoding: try found.json(), as: UTF8.self).contains("\"reprojectionError\" : 0."))
    }

    @Test("a pair that is neither level nor parallel is measured in 1/m on the left picture as it was taken")
    func metric() throws {
        let wall = Card(origin: SIMD3(0, 0, 0.8), across: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0))
        func paint(_ u: Double, _ v: Double) -> Double { Double(Pictures.speckle(Int((u * 120).rounded(.down)), Int((v * 120).rounded(.down)))) }
        let pair = Pictures.frame(Self.picture(wall, isRight: false, paint), right: Self.picture(wall, isRight: true, paint))
        let swapped = Pictures.frame(pair.rightImage!, right: pair.image)
        #expect {
            try StereoDisparityEstimator(calibration: try Self.calibration.get()).disparity(of: swapped)
        } throws: { "\($0)".contains("the eyes are swapped") }
        let map = try StereoDisparityEstimator(calibration: try Self.calibration.get()).disparity(of: pair)
        #expect(map.width == 320 && map.height == 240)
        for (x, y) in [(0.4, 0.4), (0.7, 0.2), (0.8, 0.8), (0.3, 0.7)] {
            let disparity = try #require(map.median(in: Pictures.box(x, y, 0.1, 0.1)))
            #expect(abs(disparity - 1 / 0.8) < 0.06, "\(disparity) at \(x), \(y)")
        }
    }

    @Test("too few views, a board of another size and a wrong file are errors that say so")
    func wrong() throws {
        var few = try StereoCalibrator(columns: 7, rows: 5, square: 0.03)
        _ = try few.add(Self.board(0))
        #expect { try few.calibration() } throws: { "\($0)".contains("7x5") && "\($0)".contains("in 1 pair; 4 are needed") }
        var other = try StereoCalibrator(columns: 9, rows: 6, square: 0.03)
        #expect(try other.add(Self.board(0)) == false)
        #expect { try other.calibration() } throws: { "\($0)".contains("10x7 squares has 9x6") }
        #expect(throws: VisionError.self) { try StereoCalibrator(columns: 1, rows: 6, square: 0.03) }
        #expect { try StereoCalibration(contentsOf: "/nowhere.json") } throws: { "\($0)".contains("/nowhere.json: there is no such file") }
        let path = scratch.url.appending(path: "rig.json")
        var swapped = try Self.calibration.get()
        swapped.translation[0] *= -1
        // As of twice the same pictures.
        var same = swapped
        same.translation = [1e-8, 2e-8, 0]
        let texts = try [swapped, same].map { String(decoding: try $0.json(), as: UTF8.self) }
        for (text, words) in [("{}", "is missing"), ("no", "it is not JSON"), (texts[0], "are swapped"), (texts[1], "stand in one place")] {
            try Data(text.utf8).write(to: path)
            #expect { try StereoCalibration(contentsOf: path.path) } throws: { "\($0)".contains(words) }
        }
    }
}
