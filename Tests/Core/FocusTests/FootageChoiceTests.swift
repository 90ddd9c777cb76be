import Foundation
import Pipeline
import Testing

@testable import Focus

@Suite("Subjects of edited footage")
struct FootageChoiceTests {
    private func person(
        _ id: Int, _ bounds: CGRect, _ kind: Detection.Kind = .face, yaw: Double? = nil, sharpness: Double = 0.8, brightness: Double = 0.8
    ) -> Detection {
        Detection(objectID: id, kind: kind, bounds: bounds, yaw: yaw, sharpness: sharpness, brightness: brightness)
    }

    /// Subject in focus after three seconds of the same picture at 30 frames a second, and the number of automatic decisions.
    private func chosen(_ seen: [Detection], seconds: Double = 3) -> (subject: Int?, decisions: Int) {
        var (engine, decisions, subject) = (FocusEngine(opensShot: true), 0, Int?.none)
        for index in 0..<Int(seconds * 30) {
            let step = engine.step(at: Int64(index) * 1_000_000_000 / 30, detections: seen, requests: [], ambientDisparity: nil)
            (decisions, subject) = (decisions + step.decisions.count, step.state.subject)
        }
        return (subject, decisions)
    }

    @Test("a near profile comes before a small body that faces the camera")
    func profile() {
        let near = person(1, CGRect(x: 0.6, y: 0.2, width: 0.3, height: 0.6), yaw: -85)
        #expect(chosen([person(2, CGRect(x: 0.2, y: 0.4, width: 0.1, height: 0.4), .humanBody), near]).subject == 1)
    }

    @Test("of two alike the sharp one is meant, and the one in the light")
    func cues() {
        let (left, right) = (CGRect(x: 0.2, y: 0.3, width: 0.15, height: 0.2), CGRect(x: 0.65, y: 0.3, width: 0.15, height: 0.2))
        #expect(chosen([person(1, left, sharpness: 0.2), person(2, right)]).subject == 2)
        #expect(chosen([person(1, left, brightness: 0.1), person(2, right)]).subject == 2)
    }

    @Test("the row in front loses to who is lit on the stage")
    func rowInFront() {
        let back = person(1, CGRect(x: 0.1, y: 0.55, width: 0.4, height: 0.45), .humanBody, sharpness: 0.2, brightness: 0.15)
        let singer = person(2, CGRect(x: 0.6, y: 0.1, width: 0.15, height: 0.7), .humanBody)
        #expect(chosen([back, singer]).subject == 2)
    }

    @Test("a person seen from behind is somebody; a thing is chosen only when it is offered and nobody is there")
    func alone() {
        let back = person(1, CGRect(x: 0.4, y: 0.1, width: 0.1, height: 0.4), .humanBody)
        var thing = person(2, CGRect(x: 0.2, y: 0.2, width: 0.6, height: 0.6), .salientObject)
        #expect(chosen([back]).subject == 1)
        #expect(chosen([thing]).subject == nil)
        thing.salience = 0.9
        #expect(chosen([thing]).subject == 2)
        #expect(chosen([thing, back]).subject == 1)
    }

    @Test("somebody who appears beside a thing that has just been taken waits for the dwell")
    func urgent() {
        var thing = person(2, CGRect(x: 0.2, y: 0.2, width: 0.3, height: 0.3), .salientObject)
        thing.salience = 0.9
        var (engine, times) = (FocusEngine(opensShot: true), [Int64]())
        for index in 0..<150 {
            let (time, seconds) = (Int64(index) * 1_000_000_000 / 30, Double(index) / 30)
            let first = seconds < 2 ? person(1, CGRect(x: 0.3, y: 0.3, width: 0.2, height: 0.3)) : thing
            let late = seconds < 3.2 ? [] : [person(3, CGRect(x: 0.6, y: 0.3, width: 0.2, height: 0.3))]
            times += engine.step(at: time, detections: [first] + late, requests: [], ambientDisparity: nil).decisions.map(\.time)
        }
        #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 500_000_000 }, "\(times)")
    }

    @Test("a thing that the detector withdrew for another is let go after the time for which it counts as present")
    func replaced() {
        func thing(_ id: Int, _ x: Double) -> Detection {
            var thing = person(id, CGRect(x: x, y: 0.3, width: 0.2, height: 0.2), .salientObject)
            thing.salience = 0.9
            return thing
        }
        var (engine, taken) = (FocusEngine(opensShot: true), Int64?.none)
        for index in 0..<120 {
            let time = Int64(index) * 1_000_000_000 / 30
            let step = engine.step(at: time, detections: [index < 60 ? thing(1, 0.2) : thing(2, 0.6)], requests: [], ambientDisparity: nil)
            if step.state.subject == 2 { taken = taken ?? time }
        }
        #expect(taken.map { $0 - 60 * 1_000_000_000 / 30 <= 300_000_000 } == true, "\(String(describing: taken))")
    }

    @Test("whom the side of the picture took is let go after 0.4 s, whom a detector lost after 1 s", arguments: [(0.86, 0.4), (0.4, 1.0)])
    func gone(x: Double, patience: Double) {
        var engine = FocusEngine(opensShot: true)
        func subject(_ index: Int) -> Int? {
            let seen = index <= 60 ? [person(1, CGRect(x: x, y: 0.2, width: 0.14, height: 0.2))] : []
            return engine.step(at: Int64(index) * 1_000_000_000 / 30, detections: seen, requests: [], ambientDisparity: nil).state.subject
        }
        let subjects = (0..<120).map(subject)
        let last = subjects.lastIndex(of: 1) ?? 0
        #expect(abs(Double(last - 60) / 30 - patience) <= 0.1, "\(Double(last - 60) / 30) s")
    }

    @Test("of two who take turns in mattering more, focus changes ten times a minute at most")
    func restless() {
        var (engine, subjects) = (FocusEngine(opensShot: true), [Int]())
        for index in 0..<1800 {
            let seen = [0.2, 0.6].enumerated().map { place, x in
                let isNear = (index / 60 + place) % 2 == 0
                return person(place + 1, CGRect(x: x, y: 0.3, width: isNear ? 0.25 : 0.08, height: isNear ? 0.35 : 0.11))
            }
            let time = Int64(index) * 1_000_000_000 / 30
            let step = engine.step(at: time, detections: seen, requests: [], ambientDisparity: nil)
            if let subject = step.state.subject, subject != subjects.last { subjects.append(subject) }
        }
        #expect((5...11).contains(subjects.count), "\(subjects.count) in a minute")
    }

    @Test("focus does not wander between two who are alike, whatever the detector makes of their faces")
    func steady() {
        var (engine, decisions) = (FocusEngine(opensShot: true), 0)
        for index in 0..<900 {
            let seen = [0.2, 0.6].enumerated().compactMap { place, x -> Detection? in
                guard (index / 11 + 3 * place) % 5 != 0 else { return nil }
                let side = 0.12 + 0.03 * Double((index / 20 + place) % 2)
                return person(place + 1, CGRect(x: x, y: 0.3, width: side, height: 1.3 * side), yaw: Double((index / 25 + place) % 3) * 35)
            }
            let time = Int64(index) * 1_000_000_000 / 30
            decisions += engine.step(at: time, detections: seen, requests: [], ambientDisparity: nil).decisions.count
        }
        #expect(decisions <= 5)
    }
}
