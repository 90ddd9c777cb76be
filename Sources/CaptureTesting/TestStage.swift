import AVFoundation
import Focus
import Foundation
import Scenario
import Stage

/// What stands before the cameras of a test, and which cameras the phone has.
///
///     var stage = TestStage(.face("maya", box: mayasBox, depth: 1.5), .cat("tom", box: tomsBox, depth: 1, isThere: false))
///     stage.light = 60
public struct TestStage: Sendable {
    /// Everybody who will be there at some time.
    public var cast: [Member]
    /// The phone's cameras and microphones.
    public var cameras = CameraProfile.iPhone14
    /// Frames per second, > 0.
    public var frameRate = 30
    /// Light on the scene in lux.
    public var light = 180.0
    /// Whether pictures show the stage; they are grey else, which is many times faster.
    public var paintsPictures = false
    var scenario: ScenarioFile?

    public init(_ cast: Member...) { self.cast = cast }

    /// The world of a scenario; `TestPhone.play` plays its timeline. Its `device` names the phone's only camera.
    ///
    /// - Throws: `ScenarioError` with line and column.
    public init(scenario text: String, path: String = "scenario.yaml") throws {
        try self.init(ScenarioFile.parse(text, path: path))
    }

    /// The same from a file.
    public init(contentsOfScenario path: String) throws { try self.init(ScenarioFile.load(path: path)) }

    private init(_ scenario: ScenarioFile) throws {
        let world = try scenario.world()
        cast = []
        cameras = [scenario.camera(for: StageSource(world: world, rendersPixels: false).description)]
        self.scenario = scenario
    }

    /// Somebody or something on the stage.
    public struct Member: Sendable {
        public var name: String
        public var kind: Kind
        /// What the kind names, 0…1 of the unrotated picture, origin top left; may lie outside.
        public var box: CGRect
        /// Metres, > 0.
        public var depth: Double
        /// Degrees: 0 looks into the camera, 90 to the picture's right, 180 is the back of the head.
        public var yaw = 0.0
        /// Whether it is there from the start.
        public var isThere = true

        /// What a box frames: a person's face or whole figure, an animal's head or body, a thing, which is seen once it is asked for.
        public enum Kind: String, Sendable, CaseIterable { case face, person, catHead, catBody, dogHead, dogBody, prop }

        public init(_ kind: Kind, _ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) {
            (self.kind, self.name, self.box, self.depth, self.yaw, self.isThere) = (kind, name, box, depth, yaw, isThere)
        }

        public static func face(_ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) -> Member {
            Member(.face, name, box: box, depth: depth, yaw: yaw, isThere: isThere)
        }

        public static func cat(_ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) -> Member {
            Member(.catBody, name, box: box, depth: depth, yaw: yaw, isThere: isThere)
        }

        public static func prop(_ name: String, box: CGRect, depth: Double, isThere: Bool = true) -> Member {
            Member(.prop, name, box: box, depth: depth, isThere: isThere)
        }
    }

    /// Without an end.
    func world() throws -> World {
        if let scenario { return try scenario.world() }
        var world = World()
        world.frameDuration = CMTime(value: 1, timescale: CMTimeScale(frameRate))
        world.frameCount = .max
        world.light = Motion(light)
        world.subjects = cast.map { member in
            guard let kind = Subject.Kind(rawValue: member.kind.rawValue) else { preconditionFailure("the stage knows every kind") }
            var subject = Subject(name: member.name, kind: kind, placement: Motion(Placement(box: member.box, depth: member.depth)))
            subject.yaw = Motion(member.yaw)
            if !member.isThere { subject.presence = [0..<0] }
            return subject
        }
        return world
    }

    var tuning: FocusTuning { scenario?.tuning ?? FocusTuning() }
    var names: [String] { scenario?.subjects.map(\.name) ?? cast.map(\.name) }
}
