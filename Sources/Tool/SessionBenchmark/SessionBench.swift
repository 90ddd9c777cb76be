import AVFCapture
import Foundation
import Pipeline
import ScenarioRun
import Stage
import Support
import Synchronization

/// Benchmark of the capture graph without pixels, against the stage that feeds it: time, memory, leaks of start and stop, late frames.
public struct SessionBench: Sendable {
    /// Delegates that are set.
    private enum Listeners: String, CaseIterable {
        case nobody = "five outputs, no delegate"
        case metadata = "with a metadata delegate"
        case all = "with a video data delegate too"
    }

    private let frames: Int
    private let cycles: Int

    /// Creates a run over `frames` frames, and `cycles` times of start, change and stop.
    public init(frames: Int, cycles: Int) { (self.frames, self.cycles) = (frames, cycles) }

    /// Prints a table of times, then memory, then dropped frames; throws `AVError`.
    public func run(print: (String) -> Void) throws {
        let atRest = ProcessMemory()
        print("\(frames) frames of three subjects, one of whom walks")
        print(Self.row("", "ms", "core ms", "frames/s", "ratio"))
        let stage = try ProcessorTime.measure(.ours) {
            let source = StageSource(world: world(of: frames), rendersPixels: false)
            while try source.nextFrame() != nil {}
        }
        print(Self.row("the stage alone", stage, frames, against: stage))
        ProcessMemory.forgetPeak()
        for listeners in Listeners.allCases {
            let time = try ProcessorTime.measure(.ours) { try film(listeners) }
            print(Self.row(listeners.rawValue, time, frames, against: stage))
        }
        if let atRest, let peak = ProcessMemory()?.peak {
            print(
                "memory: \(Self.number(atRest.now)) MB for the program and its libraries before, \(Self.number(peak)) MB at most while a session ran:"
                    + " \(Self.number(peak - atRest.now)) MB for the stage and the session")
        }
        try countLeaks(print)
        for discardsLate in [true, false] { try beLate(discardsLate: discardsLate, print) }
    }

    private func world(of frames: Int) -> World {
        var world = World()
        world.frameCount = frames
        func subject(_ name: String, _ kind: Stage.Subject.Kind, _ x: Double, _ depth: Double) -> Stage.Subject {
            let box = CGRect(x: x, y: 0.25, width: 0.15, height: 0.3)
            return Stage.Subject(name: name, kind: kind, placement: Motion(Placement(box: box, depth: depth)))
        }
        world.subjects = [subject("maya", .face, 0.1, 1.5), subject("ben", .face, 0.4, 2.5), subject("tom", .catBody, 0.7, 2)]
        let goal = Placement(box: CGRect(x: 0.2, y: 0.3, width: 0.2, height: 0.4), depth: 1.1)
        world.subjects[0].placement.move(to: goal, start: 0, over: Int64(frames) * world.frameDuration.nanoseconds)
        return world
    }

    private func environment(frames: Int) -> CaptureEnvironment {
        let world = world(of: frames)
        let description = StageSource(world: world, rendersPixels: false).description
        var environment = CaptureEnvironment(cameras: [CameraProfile.dualWide.fitted(to: description)], renderer: SharpLens()) { _ in
            CameraFeed(source: StageSource(world: world, rendersPixels: false), detector: TruthDetector())
        }
        environment.clock = .lockStep
        environment.onDiagnostic = { _ in }
        return environment
    }

    private func film(_ listeners: Listeners) throws {
        try CaptureEnvironment.$scoped.withValue(environment(frames: frames)) {
            let client = try BenchClient(takesObjects: listeners != .nobody, takesPictures: listeners == .all)
            try client.runToTheEnd()
        }
    }

    /// Counts leaks of sessions that are started, changed and stopped; after some to warm up, memory should stay.
    private func countLeaks(_ print: (String) -> Void) throws {
        let environment = environment(frames: frames)
        var before: ProcessMemory?
        let alive = Mutex<[Weak]>([])
        for cycle in 0..<cycles + 100 {
            if cycle == 100 { before = ProcessMemory() }
            try CaptureEnvironment.$scoped.withValue(environment) {
                let client = try BenchClient(takesObjects: true, takesPictures: true)
                client.reconfigure()
                if cycle % 100 == 0 { alive.withLock { $0.append(Weak(session: client.session)) } }
            }
        }
        let left = alive.withLock { $0.count { $0.session != nil } }
        print("\(cycles) cycles of start, change and stop: \(Self.growth(since: before)), \(left) sessions left of those watched")
    }

    /// Runs a client that sleeps 100 ms over each of three seconds' frames, by the wall clock.
    private func beLate(discardsLate: Bool, _ print: (String) -> Void) throws {
        var environment = environment(frames: 90)
        environment.clock = .wall
        let before = ProcessMemory()
        let client = SlowClient(seconds: 0.1)
        try CaptureEnvironment.$scoped.withValue(environment) {
            let app = try BenchClient(takesObjects: true, takesPictures: false)
            app.showPictures(to: client, discardsLate: discardsLate)
            try app.runToTheEnd()
        }
        let seen = client.seen
        let lost = seen.lost.sorted { $0.key < $1.key }.map { "\($0.value) dropped as \($0.key)" }
        print(
            "a client of 100 ms by the wall clock, late frames \(discardsLate ? "discarded" : "kept"): of 90 frames \(seen.got) came, "
                + (lost.isEmpty ? "none dropped" : lost.joined(separator: ", ")) + "; \(Self.growth(since: before))")
    }

    private struct Weak: Sendable {
        weak var session: AVCaptureSession?
    }

    private static func row(_ title: String, _ time: ProcessorTime, _ frames: Int, against base: ProcessorTime) -> String {
        row(
            title, number(time.wall * 1000), number(time.cores * 1000), number(Double(frames) / time.cores, 0), number(time.cores / base.cores, 2))
    }

    private static func number(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }

    private static func growth(since before: ProcessMemory?) -> String {
        guard let before, let after = ProcessMemory() else { return "memory unknown" }
        return "memory from \(number(before.now)) to \(number(after.now)) MB"
    }

    private static func row(_ columns: String...) -> String {
        columns.enumerated().map { index, text in
            index == 0 ? text.padding(toLength: 32, withPad: " ", startingAt: 0) : String(repeating: " ", count: max(10 - text.count, 1)) + text
        }.joined()
    }
}
