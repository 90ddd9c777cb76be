import AVFCapture
import Foundation
import ScenarioFormat
import Stage

/// Changes of the stage, from now on; the next frame shows them.
extension TestPhone {
    /// Makes a subject present, at its place on the stage.
    public func enter(_ name: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let (index, now) = (try index(of: name, file, line), now)
        change { $0.subjects[index].presence.append(now..<Int64.max) }
    }

    /// Makes a subject absent.
    public func leave(_ name: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let (index, now) = (try index(of: name, file, line), now)
        change { world in
            let presence = world.subjects[index].presence
            world.subjects[index].presence = (presence.isEmpty ? [0..<Int64.max] : presence).map { $0.clamped(to: 0..<now) } + [0..<0]
        }
    }

    /// Moves a subject to a box (0…1 of the unrotated picture) and distance (metres); a nil box keeps its middle and scales with depth.
    public func move(
        _ name: String, to box: CGRect? = nil, depth: Double? = nil, over duration: Duration = .zero, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        _ = try index(of: name, file, line)
        apply(MoveVerb(name, to: box.map { .box($0) } ?? .stay, depth: depth, Passage(over: duration.nanoseconds)))
    }

    /// Turns a subject's head, degrees: 0 looks into the camera, 90 to the picture's right, 180 is its back.
    public func turn(
        _ name: String, to degrees: Double, over duration: Duration = .zero, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        _ = try index(of: name, file, line)
        apply(TurnVerb(name, to: degrees, Passage(over: duration.nanoseconds)))
    }

    /// Sets the illuminance of the scene in lux.
    public func setLight(_ lux: Double, over duration: Duration = .zero) {
        apply(LightVerb(to: lux, Passage(over: duration.nanoseconds)))
    }

    /// Covers the lens: pictures are black for `duration`.
    public func cover(for duration: Duration) { apply(CoverVerb(for: duration.nanoseconds)) }

    private func apply(_ verb: some WorldVerb) {
        let now = now
        change { verb.apply(to: &$0, at: now) }
    }

    func index(of name: String, _ file: StaticString, _ line: UInt) throws -> Int {
        guard let index = world.subjects.firstIndex(where: { $0.name == name }) else { throw unknown(name, file, line) }
        return index
    }
}
