import Foundation
import Pipeline

/// Decision of a focus script: from its frame on the target is to be sharp.
struct ScriptDecision: Sendable, Equatable {
    enum Target: Sendable, Equatable {
        case nobody
        /// An object and the group that it represents, -1 for none.
        case object(Int, group: Int)
        /// A plane at a disparity; the point stands for it in the picture.
        case plane(CGPoint, disparity: Double)

        /// Whether both are parts of one subject.
        func isOneSubject(with other: Target) -> Bool {
            guard case .object(let id, let group) = self, case .object(let otherID, let otherGroup) = other else { return false }
            return id == otherID || group >= 1 && group == otherGroup
        }
    }

    var frame: Int
    var target: Target
    var mode: FocusMode
    var isUser: Bool
    /// Disparity aimed at, 1/m.
    var disparity: Double
    /// Number among the recorded decisions; nil of one that was added or moved.
    var recorded: Int?

    var isUserAndStrong: Bool { isUser && mode == .strong }
}

/// Detected object over the whole movie.
struct ScriptObject: Sendable {
    let objectID: Int
    let groupID: Int
    let kind: Detection.Kind
    /// Label of the detector; nil for none.
    let label: String?
    /// First and last frame in which it is detected.
    let first: Int
    var last: Int

    /// Name for people: the label, else kind and number.
    var name: String { label ?? "\(kind.rawValue) \(objectID)" }

    /// Whether a person means it by this word.
    func isCalled(_ word: String) -> Bool { name == word || "\(kind.rawValue) \(objectID)" == word || String(objectID) == word }
}
