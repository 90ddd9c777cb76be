import AVFoundation
import Foundation
import Pipeline
import Scenario
import Stage
import Synchronization

/// Times the capture graph where nobody wants pixels, against the stage that feeds it, and counts what start and stop leave behind.
public struct SessionBench: Sendable {
    /// Who listens.
    private enum Listeners: String, CaseIterable {
        case nobody = "five outputs, no delegate"
        case metadata = "with a metadata delegate"
        case all = "with a video data delegate too"
    }

    private let frames: Int
    private let cycles: Int

    public init(frames: Int, cycles: Int) { (self.frames, self.cycles) = (frames, cycles) }

    /// Prints a table, then the memory.
    public func run(print: (String) -> Void) throws {
        print("\(frames) frames of three subjects, one of whom walks")
        print(Self.row("", "ms", "core ms", "frames/s", "ratio"))
        let stage = try ProcessorTime.measure(.ours) {
            let source = StageSource(world: world, rendersPixels: false)
            while try source.nextFrame() != nil {}
        }
        print(Self.row("the stage alone", stage, frames, against: stage))
        for listeners in Listeners.allCases {
            let time = try ProcessorTime.measure(.ours) { try film(listeners) }
            print(Self.row(listeners.rawValue, time, frames, against: stage))
        }
        print("peak memory \(Self.memory("VmHWM")) MB")
        try countLeaks(print)
    }

    private var world: World {
        var world = World()
        world.frameCount = frames
        func subject(_ name: String, _ kind: Subject.Kind, _ x: Double, _ depth: Double) -> Subject {
            let box = CGRect(x: x, y: 0.25, width: 0.15, height: 0.3)
            return Subject(name: name, kind: kind, placement: Motion(Placement(box: box, depth: depth)))
        }
        world.subjects = [subject("maya", .face, 0.1, 1.5), subject("ben", .face, 0.4, 2.5), subject("tom", .catBody, 0.7, 2)]
        let goal = Placement(box: CGRect(x: 0.2, y: 0.3, width: 0.2, height: 0.4), depth: 1.1)
        world.subjects[0].placement.move(to: goal, start: 0, over: Int64(frames) * world.frameDuration.nanoseconds)
        return world
    }

    private func environment() -> CaptureEnvironment {
        let world = world
        let description = StageSource(world: world, rendersPixels: false).description
        var environment = CaptureEnvironment(cameras: [CameraProfile.dualWide.fitted(to: description)], renderer: SharpLens()) { _ in
            CameraFeed(source: StageSource(world: world, rendersPixels: false), detector: TruthDetector())
        }
        environment.isLockStep = true
        environment.onDiagnostic = { _ in }
        return environment
    }

    private func film(_ listeners: Listeners) throws {
        try CaptureEnvironment.$scoped.withValue(environment()) {
            let client = try BenchClient(takesObjects: listeners != .nobody, takesPictures: listeners == .all)
            try client.runToTheEnd()
        }
    }

    /// Sessions that are started, changed and stopped; after some to warm up, memory should stay.
    private func countLeaks(_ print: (String) -> Void) throws {
        let environment = environment()
        var before = ""
        let alive = Mutex<[Weak]>([])
        for cycle in 0..<cycles + 100 {
            if cycle == 100 { before = Self.memory("VmRSS") }
            try CaptureEnvironment.$scoped.withValue(environment) {
                let client = try BenchClient(takesObjects: true, takesPictures: true)
                client.reconfigure()
                if cycle % 100 == 0 { alive.withLock { $0.append(Weak(session: client.session)) } }
            }
        }
        let left = alive.withLock { $0.count { $0.session != nil } }
        print(
            "\(cycles) cycles of start, change and stop: memory from \(before) to \(Self.memory("VmRSS")) MB, \(left) sessions left of those watched")
    }

    private struct Weak: Sendable {
        weak var session: AVCaptureSession?
    }

    private static func row(_ title: String, _ time: ProcessorTime, _ frames: Int, against base: ProcessorTime) -> String {
        func number(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }
        return row(
            title, number(time.wall * 1000), number(time.cores * 1000), number(Double(frames) / time.cores, 0), number(time.cores / base.cores, 2))
    }

    private static func row(_ columns: String...) -> String {
        columns.enumerated().map { index, text in
            index == 0 ? text.padding(toLength: 32, withPad: " ", startingAt: 0) : String(repeating: " ", count: max(10 - text.count, 1)) + text
        }.joined()
    }

    /// A line of the process' status, in MB.
    private static func memory(_ key: String) -> String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { String(format: "%.1f", $0 / 1024) }
            ?? "unknown"
    }
}
