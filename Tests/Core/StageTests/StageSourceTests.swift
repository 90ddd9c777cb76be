import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Stage

@Suite("The stage's pictures") struct StageSourceTests {
    @Test("frame times are exact multiples and the source ends") func times() throws {
        let source = StageSource(
            world: smallWorld {
                $0.frameCount = 3
                $0.frameDuration = CMTime(value: 1001, timescale: 30000)
            }, rendersPixels: false)
        var times: [CMTime] = []
        while let frame = try source.nextFrame() { times.append(frame.presentationTime) }
        #expect(times == [.zero, CMTime(value: 1001, timescale: 30000), CMTime(value: 2002, timescale: 30000)])
    }

    @Test(
        "a camera set to fewer frames has them at even times from its first one on, unless every second or third is even",
        arguments: [24, 25, 15, 30, 60])
    func rates(rate: Int32) throws {
        let source = StageSource(world: smallWorld { $0.frameCount = 40 }, rendersPixels: false, firstFrame: 3)
        var settings = CameraSettings()
        settings.frameDuration = CMTime(value: 1, timescale: rate)
        source.adjust(settings)
        var times: [Int64] = []
        while let frame = try source.nextFrame() {
            times.append(CMTimeConvertScale(frame.presentationTime, timescale: 600, method: .default).value)
        }
        let (own, step) = ((3..<40).map { Int64($0 * 20) }, Int64(600 / rate))
        #expect(times == (rate == 24 || rate == 25 ? own.map { 60 + ($0 - 60) / step * step } : own))
        // A picture that is asked for has its own time.
        let other = StageSource(world: smallWorld(), rendersPixels: false)
        other.adjust(settings)
        _ = try other.nextFrame()
        settings.frameDuration = nil
        other.adjust(settings)
        #expect(try other.nextFrame()?.presentationTime == CMTime(value: 1, timescale: 30))
    }

    @Test("the disparity of a face is exactly its own, with and without pixels", arguments: [true, false]) func disparity(pixels: Bool) throws {
        let frame = try #require(try StageSource(world: smallWorld(), rendersPixels: pixels).nextFrame())
        let map = try #require(frame.disparity)
        let median = try #require(map.median(in: CGRect(x: 0.42, y: 0.25, width: 0.1, height: 0.15)))
        #expect(Float(median) == Float(1 / 1.4))
        #expect(frame.truth?.first?.disparity == 1 / 1.4)
        #expect(map.isMetric)
    }

    @Test("wall is flat, floor and table are planes: affine in height", arguments: [true, false]) func planes(pixels: Bool) throws {
        let world = smallWorld {
            $0.subjects = []
            $0.backdrop.wallDepth = 5
            $0.backdrop.table = Table(depth: 1.3, drop: 0.4)
        }
        let frame = try #require(try StageSource(world: world, rendersPixels: pixels).nextFrame())
        let map = try #require(frame.disparity)
        #expect(map.row(10)[3] == Float(1 / 5.0))
        let edge = 0.44 + 26.0 / 36 * 16 / 9 * 0.4 / 1.3
        let last = map.height - 1
        #expect(map.row(last)[7] > Float(1 / 1.3))
        let tableRows = Int((edge * Double(map.height)).rounded(.up)) + 1...last - 1
        for y in tableRows { #expect(abs(map.row(y - 1)[7] + map.row(y + 1)[7] - 2 * map.row(y)[7]) < 1e-5) }
    }

    @Test("of two that overlap, the nearer is seen, in the picture and in disparity") func occlusion() throws {
        let box = CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.35)
        let both = smallWorld {
            $0.subjects = [subject("ball", .prop, box, depth: 1), subject("book", .prop, box, depth: 3)]
        }
        let near = smallWorld { $0.subjects = [subject("ball", .prop, box, depth: 1)] }
        let (overlap, alone) = (try picture(of: both), try picture(of: near))
        #expect(overlap.luma(80, 45) == alone.luma(80, 45))
        #expect(overlap.disparity?.row(45)[80] == 1)
        #expect(overlap.truth?.map(\.label) == ["ball"])
    }

    @Test("the same world gives the same bits; another seed does not") func determinism() throws {
        func prints(seed: UInt64) throws -> [UInt64] {
            let source = StageSource(
                world: smallWorld {
                    $0.frameCount = 2
                    $0.seed = seed
                    $0.light = Motion(3)
                    $0.camera.shake = Motion(0.01)
                })
            return try [source.nextFrame(), source.nextFrame()].compactMap { $0?.fingerprint }
        }
        let first = try prints(seed: 42)
        #expect(first.count == 2 && first[0] != first[1])
        #expect(try prints(seed: 42) == first)
        #expect(try prints(seed: 43) != first)
    }

    @Test("a head that turns its back shows no face: the picture changes, the truth loses the face, the body stays") func turnedAway() throws {
        let facing = try picture(of: smallWorld())
        let away = try picture(of: smallWorld { $0.subjects[0].yaw = Motion(180) })
        #expect(facing.fingerprint != away.fingerprint)
        #expect(facing.truth?.map(\.kind) == [.face, .humanBody])
        #expect(away.truth?.map(\.kind) == [.humanBody])
    }

    @Test("a small light is clipped white and has its own depth") func lights() throws {
        let light = PointLight(position: CGPoint(x: 0.25, y: 0.25), depth: 4, red: 1, green: 1, blue: 1, diameter: 0.03)
        let world = smallWorld {
            $0.subjects = []
            $0.backdrop.lights = [light]
        }
        let frame = try picture(of: world)
        #expect(frame.luma(40, 22) == 235)
        #expect(frame.disparity?.row(22)[40] == 0.25)
        #expect(frame.luma(60, 22) < 220)
        var dark = world
        dark.light = Motion(0.5)
        #expect(try picture(of: dark).luma(40, 22) > 200, "what shines by itself stays bright in the dark")
    }

    @Test("a covered lens is black and sees nobody") func covered() throws {
        let world = smallWorld { $0.covers = [0..<seconds(1)] }
        for pixels in [true, false] {
            let frame = try #require(try StageSource(world: world, rendersPixels: pixels).nextFrame())
            #expect((0..<160).allSatisfy { frame.luma($0, 45) == 16 })
            #expect(frame.truth?.isEmpty == true)
            let exposure = try #require(frame.exposure)
            #expect(exposure.illuminance < 0.01)
        }
    }

    @Test("everything can be painted", arguments: Subject.Kind.allCases, ["tall", "wide"]) func kinds(kind: Subject.Kind, shape: String) throws {
        let box = shape == "tall" ? CGRect(x: 0.4, y: 0.3, width: 0.15, height: 0.5) : CGRect(x: 0.3, y: 0.3, width: 0.4, height: 0.4)
        let frame = try picture(
            of: smallWorld {
                $0.subjects = [subject("x", kind, box, depth: 2)]
                $0.backdrop.kind = .studio
            })
        let map = try #require(frame.disparity)
        let marked = (0..<90).reduce(0) { sum, y in sum + (0..<160).count { map.row(y)[$0] == 0.5 } }
        #expect(marked > 200)
        let brightness = Set((0..<90).flatMap { y in (0..<160).filter { map.row(y)[$0] == 0.5 }.map { frame.luma($0, y) } })
        #expect(brightness.count > 20, "it is shaded, not a flat shape")
    }

    private static let plainThing = Result {
        try picture(
            of: smallWorld {
                $0.subjects = [subject("thing", .prop, CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 1)]
                $0.backdrop.kind = .studio
            }
        ).fingerprint
    }

    @Test("every thing has its own look", arguments: Prop.Shape.allCases) func props(shape: Prop.Shape) throws {
        var thing = subject("thing", .prop, CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 1)
        thing.texture = shape.rawValue
        let frame = try picture(
            of: smallWorld {
                $0.subjects = [thing]
                $0.backdrop.kind = .studio
            })
        #expect(try (frame.fingerprint == Self.plainThing.get()) == (shape == .mug), "without a texture it is a mug")
    }

    @Test("each backdrop looks different and has fine texture", arguments: Backdrop.Kind.allCases) func backdrops(kind: Backdrop.Kind) throws {
        let frame = try picture(
            of: smallWorld {
                $0.subjects = []
                $0.backdrop.kind = kind
            })
        let steps = (1..<160).count { frame.luma($0, 20) != frame.luma($0 - 1, 20) }
        #expect(steps > 40)
    }

    @Test("the right eye sees everything further to the left, by focal length × baseline × disparity") func stereo() throws {
        let world = smallWorld {
            $0.backdrop.wallDepth = 4
            $0.subjects = [subject("ball", .prop, CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.35), depth: 1)]
            $0.stereoBaseline = 0.0692307692307692
        }
        let frame = try picture(of: world)
        let right = try #require(frame.rightImage)
        let line = right.plane(0).row(40, as: UInt8.self)
        // 26 mm / 36 mm × 0.0692 m × 160 px: 8 pixels at 1 m, 2 at the wall.
        #expect((72..<88).allSatisfy { line[$0 - 8] == UInt8(frame.luma($0, 40)) })
        #expect((20..<60).allSatisfy { right.plane(0).row(10, as: UInt8.self)[$0 - 2] == UInt8(frame.luma($0, 10)) })
        #expect(try picture(of: smallWorld()).rightImage == nil)
    }
}
