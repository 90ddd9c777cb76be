import Foundation
import Optics
import Pipeline

extension FocusScript {
    /// Decision of a script as an editor sees it.
    package struct Choice: Sendable, Equatable {
        /// Subject of a decision.
        package enum Subject: Sendable, Equatable {
            /// One object alone.
            case object(Int)
            /// The best of a group in each frame.
            case group(Int)
            /// A distance; the object stands for it, 0 where it was ordered by an edit.
            case plane(id: Int, disparity: Double)
            /// Nobody.
            case nobody
        }

        /// Number of its frame.
        package var frame: Int
        package var subject: Subject
        package var isStrong: Bool
        package var isUser: Bool
        /// Number among the recorded decisions; nil of one that was added.
        package var recorded: Int?

        /// Creates a decision.
        package init(frame: Int, subject: Subject, isStrong: Bool, isUser: Bool, recorded: Int? = nil) {
            (self.frame, self.subject, self.isStrong, self.isUser, self.recorded) = (frame, subject, isStrong, isUser, recorded)
        }
    }

    /// Decisions of the recording, in order of time.
    package var recordedChoices: [Choice] { recordedDecisions.map(choice) }

    /// Decisions of the user, in order of time, one a frame at most.
    package var userChoices: [Choice] { userDecisions.map(choice) }

    private func choice(_ decision: ScriptDecision) -> Choice {
        let subject: Choice.Subject =
            switch decision.target {
            case .nobody: .nobody
            case .object(let object, let group): group >= 1 ? .group(group) : .object(object)
            case .plane(_, let disparity): .plane(id: decision.recorded.map { recordedSubjects[$0] } ?? 0, disparity: disparity)
            }
        return Choice(
            frame: decision.frame, subject: subject, isStrong: decision.mode == .strong, isUser: decision.isUser, recorded: decision.recorded)
    }

    /// Adds a decision of the user, in place of one in the same frame. False for a subject that is nowhere.
    package mutating func add(_ choice: Choice) -> Bool {
        guard let decision = decision(choice) else { return false }
        insert(decision)
        return true
    }

    /// Removes the user's decision of a frame; without effect where there is none.
    package mutating func removeUserChoice(in frame: Int) { replaceUserDecisions(userDecisions.filter { $0.frame != frame }) }

    /// Removes all decisions of the user.
    package mutating func removeAllUserChoices() { replaceUserDecisions([]) }

    /// f-number of the first frame as edited.
    package var firstFNumber: Double { pulls.first?.frame == 0 && pulls[0].pull.over == 0 ? pulls[0].pull.fNumber : recordedSample(0).lens.fNumber }

    /// Sets the f-number of all frames.
    package mutating func setFNumber(_ fNumber: Double) { replacePulls([(0, FocusEdit.AperturePull(to: fNumber))]) }

    /// Adds an object that was tracked afterwards, under a number that no other has.
    package mutating func add(_ detections: [(frame: Int, detection: Detection)], as id: Int) {
        guard let first = detections.first?.frame, let last = detections.last?.frame else { return }
        add(ScriptObject(objectID: id, groupID: -1, kind: detections[0].detection.kind, label: nil, first: first, last: last), detections)
    }

    /// Removes an object that was added, and the user's decisions for it.
    package mutating func removeAdded(_ id: Int) {
        removeObject(id)
        replaceUserDecisions(userDecisions.filter { $0.target != .object(id, group: -1) })
    }

    private func decision(_ choice: Choice) -> ScriptDecision? {
        if let place = choice.recorded, recordedDecisions.indices.contains(place) { return recordedDecisions[place] }
        let target: ScriptDecision.Target
        switch choice.subject {
        case .nobody: target = .nobody
        case .plane(_, let disparity): target = .plane(CGPoint(x: 0.5, y: 0.5), disparity: disparity)
        case .object(let id):
            guard objects.contains(where: { $0.objectID == id }) else { return nil }
            target = .object(id, group: -1)
        case .group(let group):
            let members = objects.filter { $0.groupID == group }
            guard let best = members.min(by: { ($0.kind.rank, $0.objectID) < ($1.kind.rank, $1.objectID) }) else { return nil }
            target = .object(best.objectID, group: group)
        }
        var decision = ScriptDecision(
            frame: choice.frame, target: target, mode: choice.isStrong ? .strong : .weak, isUser: true,
            disparity: recorded[choice.frame].focus.focusDisparity)
        switch target {
        case .plane(_, let disparity): decision.disparity = disparity
        case .object(let id, let group): decision.disparity = disparity(ofAny: [id] + members(of: group), in: choice.frame) ?? decision.disparity
        case .nobody: break
        }
        return decision
    }

    private func members(of group: Int) -> [Int] { group < 1 ? [] : objects.filter { $0.groupID == group }.map(\.objectID) }

    private func disparity(ofAny ids: [Int], in frame: Int) -> Double? { ids.lazy.compactMap { disparity(of: $0, in: frame) }.first }
}
