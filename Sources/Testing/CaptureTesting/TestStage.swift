import AVFCapture
import Focus
import Foundation
import ScenarioFormat
import ScenarioRun
import Stage

/// Stage of a test: the subjects before the cameras, and the cameras of the phone.
///
///     var stage = TestStage(.face("maya", box: mayasBox, depth: 1.5), .cat("tom", box: tomsBox, depth: 1, isThere: false))
///     stage.light = 60
public struct TestStage: Sendable {
    /// Subjects of the whole test, present from the start or later.
    public var cast: [Member]
    /// The phone's cameras and microphones.
    public var cameras = CameraProfile.iPhone14
    /// Frames per second, > 0: what a step is. A camera that is set to more has these, as to 240 of a slow-motion app; one that is set to fewer has
    /// them at even times.
    public var frameRate = 30
    /// Light on the scene in lux.
    public var light = 180.0
    /// Whether pictures show the stage; else they are grey, which is many times faster.
    public var paintsPictures = false
    /// Whether `isCinematicVideoCaptureSupported` answers for commits alone, as one phone was measured to do; else an app may set its camera up in one
    /// batch.
    public var asksCommitsAlone = false
    /// Whether the phone can deliver a proxy in place of a photo, as newer ones do: an app that enables that gets one for each photo that is a file of
    /// higher quality than `.speed`.
    public var defersPhotos = false
    /// Change of the phone's environment: `{ $0.writingFiles() }` of `RackfocusKit` has recordings written as files that assets read. Nil: recordings are
    /// `TestPhone.movies` alone.
    public var equip: (@Sendable (CaptureEnvironment) -> CaptureEnvironment)?
    var scenario: ScenarioFile?

    /// Creates a stage of these subjects at 180 lux, with the cameras of an iPhone 14.
    public init(_ cast: Member...) { self.cast = cast }

    /// Creates the stage of a scenario's text; `TestPhone.play` plays its timeline. Its phone has the
    /// cameras that the file names, the first with the file's aperture as its default, and a microphone.
    ///
    /// - Throws: `ScenarioError` with line and column.
    public init(scenario text: String, path: String = "scenario.yaml") throws {
        try self.init(ScenarioFile.parse(text, path: path, Self.options("scenario:")))
    }

    /// Creates the stage of a scenario file; throws `ScenarioError` with line and column.
    public init(contentsOfScenario path: String) throws { try self.init(ScenarioFile.load(path: path, Self.options("contentsOfScenario:"))) }

    /// Stages of a scenario's text: one, or one for each point of its `matrix`, in the order of its values.
    ///
    ///     @Test(arguments: try TestStage.all(contentsOfScenario: "Scenarios/heights.yaml"))
    ///     func plays(_ stage: TestStage) async throws { … }
    ///
    /// - Throws: `ScenarioError` with line and column.
    public static func all(scenario text: String, path: String = "scenario.yaml") throws -> [TestStage] {
        try ScenarioFile.parseAll(text, path: path).map { try TestStage($0) }
    }

    /// Stages of a scenario file, as `all(scenario:path:)`.
    public static func all(contentsOfScenario path: String) throws -> [TestStage] { try ScenarioFile.loadAll(path: path).map { try TestStage($0) } }

    /// Name of the point of its scenario's `matrix`; nil for another stage.
    public var variant: String? { scenario.flatMap { $0.variant.isEmpty ? nil : $0.variant } }

    private static func options(_ label: String) -> ReadingOptions {
        var options = ReadingOptions()
        options.matrixAdvice =
            "make a stage of each cell by `try TestStage.all(\(label) …)`, as in `@Test(arguments:)`; for one cell, `.first { $0.variant == \"key=value\" }` of these"
        return options
    }

    private init(_ scenario: ScenarioFile) throws {
        let world = try scenario.world()
        cast = []
        cameras = scenario.cameras(for: StageSource(world: world, rendersPixels: false).description) + [.microphone]
        if let aperture = scenario.device.aperture {
            for index in cameras[0].formats.indices { cameras[0].formats[index].cinematic?.defaultAperture = aperture }
        }
        self.scenario = scenario
    }

    /// Subject on the stage.
    public struct Member: Sendable {
        /// Name by which expectations and touches refer to it, unique on the stage.
        public var name: String
        /// Extent of the box, and the figure shown.
        public var kind: Kind
        /// Box of the extent that `kind` names, 0…1 of the unrotated picture, origin top left; may lie outside.
        public var box: CGRect
        /// Distance in metres, > 0.
        public var depth: Double
        /// Yaw in degrees: 0 looks into the camera, 90 to the picture's right, 180 is the back of the head.
        public var yaw = 0.0
        /// Whether it is present from the start.
        public var isThere = true
        /// Sound it makes, from its place; nil is silent.
        public var sound: Sound?

        /// Sound of a level: decibels of full scale (0 and below) at one metre.
        public enum Sound: Sendable, Equatable {
            /// Sine wave, frequency in hertz.
            case tone(Double, level: Double)
            /// White noise.
            case noise(level: Double)
        }

        /// Extent of a box: a person's face or whole figure, an animal's head or body, or a prop, which is detected once it is asked for.
        public enum Kind: String, Sendable, CaseIterable { case face, person, catHead, catBody, dogHead, dogBody, prop }

        /// Creates a subject; `depth` in metres, `yaw` in degrees, `box` 0…1 of the unrotated picture.
        public init(_ kind: Kind, _ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) {
            (self.kind, self.name, self.box, self.depth, self.yaw, self.isThere) = (kind, name, box, depth, yaw, isThere)
        }

        /// Person by the box of the face.
        public static func face(_ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) -> Member {
            Member(.face, name, box: box, depth: depth, yaw: yaw, isThere: isThere)
        }

        /// Cat by the box of its whole body.
        public static func cat(_ name: String, box: CGRect, depth: Double, yaw: Double = 0, isThere: Bool = true) -> Member {
            Member(.catBody, name, box: box, depth: depth, yaw: yaw, isThere: isThere)
        }

        /// Prop by its box; it is detected once it is asked for.
        public static func prop(_ name: String, box: CGRect, depth: Double, isThere: Bool = true) -> Member {
            Member(.prop, name, box: box, depth: depth, isThere: isThere)
        }
    }

    /// World of the stage, without an end unless a scenario gives one.
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
            switch member.sound {
            case .tone(let hertz, let level): subject.voice = Voice(.tone(hertz), level: level)
            case .noise(let level): subject.voice = Voice(.whiteNoise, level: level)
            case nil: break
            }
            return subject
        }
        return world
    }

    var tuning: FocusTuning { scenario?.tuning ?? FocusTuning() }
    var names: [String] { scenario?.subjects.map(\.name) ?? cast.map(\.name) }
}

extension TestStage: CustomStringConvertible {
    /// Name of the scenario and its variant, or the subjects: what a failing test with arguments prints.
    public var description: String {
        guard let scenario else { return names.isEmpty ? "an empty stage" : "a stage of \(names.joined(separator: ", "))" }
        return scenario.name + (variant.map { " (\($0))" } ?? "")
    }
}
