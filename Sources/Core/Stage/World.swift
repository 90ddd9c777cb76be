import CoreMedia
import Foundation

/// Synthetic world as data: a scenario file describes it and `StageSource` renders it.
public struct World: Sendable {
    /// Width of the picture in pixels, even.
    public var width = 1920
    /// Height of the picture in pixels, even.
    public var height = 1080
    /// Exact duration of one frame, for example 1/30 or 1001/30000 s.
    public var frameDuration = CMTime(value: 1, timescale: 30)
    /// Number of frames; `Int.max` is without an end.
    public var frameCount = 300
    /// Seed of all randomness: looks, idle motion, noise of sensor and voices, shake, the table's grain.
    public var seed: UInt64 = 1
    /// Lens and movement of the camera.
    public var camera = StageCamera()
    /// Wall, floor, table and lights.
    public var backdrop = Backdrop()
    /// Illuminance of the scene in lux.
    public var light = Motion(180.0)
    /// Intervals during which the lens is covered (black picture), nanoseconds.
    public var covers: [Range<Int64>] = []
    /// Subjects of the whole run, present or not.
    public var subjects: [Subject] = []
    /// Stereo baseline in metres; with it frames carry the rectified right picture. Nil for one camera.
    public var stereoBaseline: Double?

    /// Creates an empty room of ten seconds at 1080p, 30 frames per second.
    public init() {}
}

/// Camera of the world: a pinhole, sharp everywhere.
public struct StageCamera: Sendable {
    /// Full-frame-equivalent focal length in mm.
    public var focalLength = 26.0
    /// Horizontal pan in degrees, positive to the right; the whole picture shifts against it.
    public var pan = Motion(0.0)
    /// Amplitude of hand-held shake as a fraction of the picture's width; 0 is a tripod.
    public var shake = Motion(0.0)

    /// Creates a fixed camera of 26 mm.
    public init() {}
}

/// Surroundings of the subjects: scenery, back wall, lights and table.
public struct Backdrop: Sendable {
    /// Scenery: a living room, a street at night, or a studio's cyclorama.
    public enum Kind: String, Sendable, CaseIterable { case room, street, studio }
    /// Scenery to paint.
    public var kind = Kind.room
    /// Distance of the back wall in metres.
    public var wallDepth = 8.0
    /// Small lights in front of the wall: highlights that bokeh shows as discs.
    public var lights: [PointLight] = []
    /// A table in the foreground, from its far edge to below the picture; nil is none.
    public var table: Table?

    /// Creates a room with its wall at 8 m, without lights or table.
    public init() {}
}

/// Table top that reaches from the camera into the room; a subject nearer than its far edge stands on it.
public struct Table: Sendable, Equatable {
    /// Distance of the far edge in metres.
    public var depth: Double
    /// Height of the camera above the table top, metres.
    public var drop: Double

    /// Creates a table; metres, both > 0.
    public init(depth: Double = 1.3, drop: Double = 0.35) {
        self.depth = depth
        self.drop = drop
    }
}

/// Point light: a small bright light that bokeh shows as a disc.
public struct PointLight: Sendable, Equatable {
    /// Position, 0…1 of the picture, origin top left.
    public var position: CGPoint
    /// Distance in metres.
    public var depth: Double
    /// Red component of the colour, 0…1.
    public var red: Double
    /// Green component, 0…1.
    public var green: Double
    /// Blue component, 0…1.
    public var blue: Double
    /// Diameter as a fraction of the picture's width.
    public var diameter: Double

    /// Creates a light, warm white by default.
    public init(position: CGPoint, depth: Double, red: Double = 1, green: Double = 0.85, blue: Double = 0.6, diameter: Double = 0.004) {
        self.position = position
        self.depth = depth
        self.red = red
        self.green = green
        self.blue = blue
        self.diameter = diameter
    }
}

/// Subject of the world: it may move, turn, come and go.
public struct Subject: Sendable {
    /// Extent of the box: a person's face or whole figure, an animal's head or body, a thing.
    public enum Kind: String, Sendable, CaseIterable {
        case face, person, catHead, catBody, dogHead, dogBody, prop
    }

    /// Name, unique in the world; truth and trace carry it as a label.
    public var name: String
    /// Extent of the box, and the figure to paint.
    public var kind: Kind
    /// Box and distance over time.
    public var placement: Motion<Placement>
    /// Yaw in degrees: 0 looks into the camera, 90 to the picture's right, 180 is the back of the head.
    public var yaw = Motion(0.0)
    /// Intervals of presence in nanoseconds; empty is always.
    public var presence: [Range<Int64>] = []
    /// Words that pick clothes, hair, fur or the prop's shape; nil derives them from the seed and the name.
    public var texture: String?
    /// Voice; nil is silent.
    public var voice: Voice?

    /// Creates a subject that faces the camera, always present and silent.
    public init(name: String, kind: Kind, placement: Motion<Placement>) {
        self.name = name
        self.kind = kind
        self.placement = placement
    }
}

/// Placement of a subject: its box in the picture and its distance.
public struct Placement: Sendable, Equatable {
    /// Box, 0…1 of the picture without camera movement, origin top left; may lie outside.
    public var box: CGRect
    /// Distance in metres, > 0.
    public var depth: Double

    /// Creates a placement; `depth` in metres, > 0.
    public init(box: CGRect, depth: Double) {
        self.box = box
        self.depth = depth
    }
}
