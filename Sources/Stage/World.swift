import CoreMedia
import Foundation

/// A synthetic world, as data: what a scenario file describes and `StageSource` renders.
public struct World: Sendable {
    /// Picture size in pixels, both even.
    public var width = 1920
    public var height = 1080
    public var frameDuration = CMTime(value: 1, timescale: 30)
    /// `Int.max` is without an end.
    public var frameCount = 300
    public var seed: UInt64 = 1
    public var camera = StageCamera()
    public var backdrop = Backdrop()
    /// Light on the scene in lux.
    public var light = Motion(180.0)
    /// Time the lens is covered (black), in nanoseconds.
    public var covers: [Range<Int64>] = []
    public var subjects: [Subject] = []
    /// Metres from the left eye to the right; set, frames bring the right eye's rectified picture along.
    public var stereoBaseline: Double?

    public init() {}
}

/// The camera that looks at the world: pinhole, sharp everywhere.
public struct StageCamera: Sendable {
    /// Full-frame-equivalent focal length in mm.
    public var focalLength = 26.0
    /// Horizontal pan in degrees, positive looks to the right; the backdrop and everything without a fixed box moves against it.
    public var pan = Motion(0.0)
    /// Hand-held shake, amplitude as a fraction of the picture's width; 0 is a tripod.
    public var shake = Motion(0.0)

    public init() {}
}

/// What is behind and below the subjects.
public struct Backdrop: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case room, street, studio }
    public var kind = Kind.room
    /// Distance of the back wall in metres.
    public var wallDepth = 8.0
    /// Small lights in front of the wall.
    public var lights: [PointLight] = []
    /// A table in the foreground, from its far edge to below the picture; nil is none.
    public var table: Table?

    public init() {}
}

/// A table top that reaches from the camera into the room: what stands nearer than its far edge stands on it.
public struct Table: Sendable, Equatable {
    /// Distance of the far edge in metres.
    public var depth: Double
    /// Metres from the camera's height down to the table top.
    public var drop: Double

    public init(depth: Double = 1.3, drop: Double = 0.35) {
        self.depth = depth
        self.drop = drop
    }
}

/// A small bright light: bokeh shows it as a disc.
public struct PointLight: Sendable, Equatable {
    /// 0…1 of the picture, origin top left.
    public var position: CGPoint
    /// Metres.
    public var depth: Double
    /// 0…1 each, the light's colour.
    public var red: Double
    public var green: Double
    public var blue: Double
    /// Diameter as a fraction of the picture's width.
    public var diameter: Double

    public init(position: CGPoint, depth: Double, red: Double = 1, green: Double = 0.85, blue: Double = 0.6, diameter: Double = 0.004) {
        self.position = position
        self.depth = depth
        self.red = red
        self.green = green
        self.blue = blue
        self.diameter = diameter
    }
}

/// Something that stands in the world and may move, turn, come and go.
public struct Subject: Sendable {
    /// What the box frames: a person's face or whole figure, an animal's head or body, a thing.
    public enum Kind: String, Sendable, CaseIterable {
        case face, person, catHead, catBody, dogHead, dogBody, prop
    }

    public var name: String
    public var kind: Kind
    public var placement: Motion<Placement>
    /// Degrees: 0 looks into the camera, 90 to the picture's right, 180 is the back of the head.
    public var yaw = Motion(0.0)
    /// When the subject is in the world, in nanoseconds; empty is always.
    public var presence: [Range<Int64>] = []
    /// Picks clothes, hair, fur or the prop's look; nil derives them from the seed and the name.
    public var texture: String?

    public init(name: String, kind: Kind, placement: Motion<Placement>) {
        self.name = name
        self.kind = kind
        self.placement = placement
    }
}

/// Where a subject is: its box in the picture (0…1, origin top left, may lie outside) and its distance.
public struct Placement: Sendable, Equatable {
    public var box: CGRect
    /// Metres, > 0.
    public var depth: Double

    public init(box: CGRect, depth: Double) {
        self.box = box
        self.depth = depth
    }
}
