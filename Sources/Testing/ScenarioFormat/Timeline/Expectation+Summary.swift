import Foundation
import Pipeline

extension Expectation.Recording {
    /// Word of the scenario format.
    package var word: String {
        switch self {
        case .on: "true"
        case .off: "false"
        case .paused: "paused"
        case .failed(let word): word
        }
    }
}

extension Expectation {
    /// Creates an expectation whose fields `set` sets.
    package init(_ set: (inout Expectation) -> Void) {
        self.init()
        set(&self)
    }

    /// The fields in words: `focus maya, mode strong`.
    package var summary: String {
        var parts: [String] = []
        switch focus {
        case .subject(let name): parts.append("focus \(name)")
        case .some(.none): parts.append("focus none")
        case .object(let kind, let near):
            parts.append("focus" + (kind.map { " on a \($0.rawValue)" } ?? "") + (near.map { " near \($0.summary)" } ?? ""))
        case nil: break
        }
        if let mode { parts.append("mode \(mode.name)") }
        if let fixed { parts.append("fixed \(fixed)") }
        if let racking { parts.append("racking \(racking)") }
        if let settled { parts.append("settled \(settled)") }
        if let distance { parts.append("distance \(Self.metres(distance.value)) ±\(Self.metres(distance.tolerance))") }
        if let disparity { parts.append("disparity \(Self.thousandths(disparity.value)) ±\(Self.thousandths(disparity.tolerance))") }
        switch objects {
        case .count(let count): parts.append("\(count) objects")
        case .names(let names): parts.append("objects [\(names.joined(separator: ", "))]")
        case nil: break
        }
        if !rects.isEmpty { parts.append("rect \(rects.map { "\($0.subject): \($0.style.rawValue)" }.joined(separator: ", "))") }
        if let why { parts.append("why \(why.rawValue)") }
        if let aperture { parts.append("aperture f/\(String(plain: aperture))") }
        if let notEnoughLight { parts.append("status [\(notEnoughLight ? "notEnoughLight" : "")]") }
        if let recording { parts.append("recording \(recording.word)") }
        if let droppedFrames { parts.append("\(droppedFrames) dropped frames") }
        if let camera { parts.append("camera \(camera.rawValue)") }
        if !blurs.isEmpty { parts.append("blur \(blurs.map(\.summary).joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }

    private static func thousandths(_ value: Double) -> String { String(plain: (value * 1000).rounded() / 1000) }

    /// A distance in words, to the millimetre.
    package static func metres(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) m" }
}
