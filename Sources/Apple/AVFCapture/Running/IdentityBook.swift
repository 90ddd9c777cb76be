import Pipeline
import Synchronization

/// Numbers that a session has given out; they only grow, so none is ever used again.
final class IdentityCounters: Sendable {
    private struct Last: Sendable {
        var object = 0
        var group = 0
        var face = 0
        var body = 0
    }

    private let last = Mutex(Last())

    func nextObject() -> Int {
        next {
            $0.object += 1; return $0.object
        }
    }
    func nextGroup() -> Int {
        next {
            $0.group += 1; return $0.group
        }
    }
    func nextFace() -> Int {
        next {
            $0.face += 1; return $0.face
        }
    }
    func nextBody() -> Int {
        next {
            $0.body += 1; return $0.body
        }
    }

    private func next(_ count: (inout Last) -> Int) -> Int { last.withLock { count(&$0) } }
}

/// Map from one detector's identities to the session's.
struct IdentityBook {
    private let counters: IdentityCounters
    private var objects: [Int: Int] = [:]
    private var groups: [Int: Int] = [:]
    private var faces: [Int: Int] = [:]
    private var bodies: [Int: Int] = [:]

    init(counters: IdentityCounters) { self.counters = counters }

    /// Returns the detection under the session's numbers.
    mutating func identify(_ detection: Detection) -> Detection {
        var detection = detection
        detection.objectID = Self.number(of: detection.objectID, in: &objects, counters.nextObject)
        if detection.groupID >= 0 { detection.groupID = Self.number(of: detection.groupID, in: &groups, counters.nextGroup) }
        return detection
    }

    /// `faceID` or `bodyID` of an identified detection; -1 for what has neither.
    mutating func kindID(of detection: Detection) -> Int {
        switch detection.kind {
        case .face: Self.number(of: detection.objectID, in: &faces, counters.nextFace)
        case .humanHead, .humanBody, .catBody, .dogBody: Self.number(of: detection.objectID, in: &bodies, counters.nextBody)
        case .catHead, .dogHead, .salientObject: -1
        }
    }

    func nextObject() -> Int { counters.nextObject() }

    private static func number(of key: Int, in book: inout [Int: Int], _ next: () -> Int) -> Int {
        if let number = book[key] { return number }
        let number = next()
        book[key] = number
        return number
    }
}
