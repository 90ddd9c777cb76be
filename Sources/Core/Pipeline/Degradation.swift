/// Work that a live capture leaves out where the machine is too slow for all of it, step by step; each step keeps those before it.
public enum Degradation: Int, Sendable, Codable, CaseIterable, Comparable {
    /// Nothing is left out.
    case none
    /// Subjects are searched for at a quarter of the rate; in between they are followed, as ever.
    case detectionRate
    /// Blur is drawn in layers of a quarter of the picture's size, `BokehOptions.Quality.preview`.
    case lensResolution
    /// Every second picture is drawn; a recording still has every frame.
    case previewRate

    /// Name in traces: `detectionRate`.
    public var name: String { "\(self)" }

    /// Words for a status line.
    public var words: String {
        switch self {
        case .none: "nothing left out"
        case .detectionRate: "fewer searches"
        case .lensResolution: "coarser blur"
        case .previewRate: "every second picture drawn"
        }
    }

    /// Fewer steps are less.
    public static func < (a: Degradation, b: Degradation) -> Bool { a.rawValue < b.rawValue }
}

/// Stage of a live capture that can do with less work.
public protocol Degradable: AnyObject, Sendable {
    /// Leaves out what this step and those before it say, from the next frame on, and does again what they do not.
    func degrade(to step: Degradation)
    /// Whether what the step asked for is still being made, so that it has no effect yet.
    var isPreparing: Bool { get }
}

extension Degradable {
    /// False: a step has its effect at once.
    public var isPreparing: Bool { false }
}
