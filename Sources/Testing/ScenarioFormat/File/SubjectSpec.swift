import Foundation
import Stage

/// Subject as the file declares it.
public struct SubjectSpec: Sendable, Equatable {
    /// Name, unique in the file.
    public var name: String
    /// Extent of its box.
    public var kind: Subject.Kind
    /// Box (0…1 of the picture) and distance (metres) at the start.
    public var placement: Placement
    /// Yaw in degrees, as `Subject.yaw`.
    public var facing = 0.0
    /// Time of arrival, nanoseconds; nil is from the start.
    public var enters: Int64?
    /// Time of departure, nanoseconds; nil is never.
    public var exits: Int64?
    /// Words that pick its looks; nil derives them from seed and name.
    public var texture: String?
    /// Voice; nil is silent.
    public var voice: Voice?
    /// Path of the file that its voice was read from.
    package var recording: String?
    /// Place in the scenario file, for messages.
    public var location: FileLocation
}
