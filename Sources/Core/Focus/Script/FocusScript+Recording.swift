import Pipeline

extension FocusScript {
    /// Objects of a recording in order of appearance, without those that stand for a fixed focus.
    static func objects(in samples: [CinematicSample]) -> [ScriptObject] {
        var (objects, places): ([ScriptObject], [Int: Int]) = ([], [:])
        for (index, sample) in samples.enumerated() {
            let fixed = sample.focus.isFixed ? sample.focus.subject : nil
            for detection in sample.detections where detection.objectID != fixed {
                if let place = places[detection.objectID] {
                    objects[place].last = index
                    continue
                }
                places[detection.objectID] = objects.count
                objects.append(
                    ScriptObject(
                        objectID: detection.objectID, groupID: detection.groupID, kind: detection.kind, label: detection.label, first: index,
                        last: index))
            }
        }
        return objects
    }

    /// Decisions of a recording in order of time, numbered.
    static func decisions(in samples: [CinematicSample], _ objects: [ScriptObject]) -> [ScriptDecision] {
        var decisions: [ScriptDecision] = []
        for (index, sample) in samples.enumerated() {
            for decision in sample.decisions {
                let target: ScriptDecision.Target
                if decision.isFixed, let point = sample.focus.fixedPoint {
                    target = .plane(point, disparity: decision.disparity)
                } else if let id = decision.subject {
                    target = .object(id, group: objects.first { $0.objectID == id }?.groupID ?? -1)
                } else {
                    target = .nobody
                }
                decisions.append(
                    ScriptDecision(
                        frame: index, target: target, mode: decision.mode, isUser: decision.isUserDecision, disparity: decision.disparity,
                        recorded: decisions.count))
            }
        }
        return decisions
    }
}
