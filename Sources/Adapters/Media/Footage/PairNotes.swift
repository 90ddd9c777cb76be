import CoreMedia
import Pipeline
import Synchronization

/// Notes of a reader of a stereo pair on which left pictures have a right one: whoever reads the pair behind it, and needs no right pictures, decodes
/// the left file alone.
public final class PairNotes: Sendable {
    private struct State {
        /// Indices of the pairs by the times of their left pictures, ns.
        var indices: [Int64: Int] = [:]
        var remarks: [String] = []
        var isFollowed = false
    }

    private let state = Mutex(State())

    /// Creates empty notes.
    public init() {}

    /// Has those who open the pair with these notes, and have read nothing yet, read the left pictures of the pairs noted; others are passed over.
    public func follow() { state.withLock { $0.isFollowed = true } }

    var isFollowed: Bool { state.withLock { $0.isFollowed } }

    /// Remarks of who noted the pairs, as of the last one.
    var remarks: [String] { state.withLock { $0.remarks } }

    func add(_ pair: Frame) { state.withLock { $0.indices[pair.presentationTime.nanoseconds] = pair.index } }

    func note(_ remarks: [String]) { state.withLock { $0.remarks = remarks } }

    /// Index of the pair to which a left picture belongs; nil for a picture that has no partner.
    func index(of left: Frame) -> Int? { state.withLock { $0.indices[left.presentationTime.nanoseconds] } }
}
