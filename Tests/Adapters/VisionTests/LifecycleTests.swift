import Testing

@testable import Vision

/// One row of the table: a state, an event at 10 s, and the state after it.
struct Transition: Sendable, CustomTestStringConvertible {
    typealias Contact = Lifecycle.Contact

    let name: String
    let rules: LifecycleRules
    let before: Lifecycle
    let event: Lifecycle.Event
    let after: Lifecycle

    init(_ name: String, _ rules: LifecycleRules, _ before: Lifecycle, _ event: Lifecycle.Event, _ after: Lifecycle) {
        self.name = name
        self.rules = rules
        self.before = before
        self.event = event
        self.after = after
    }

    var testDescription: String { name }

    static let now: Int64 = 10_000_000_000
    private static let tuning = VisionTuning()
    private static let face = LifecycleRules.face(.frontal, seenBy: .cascade, tuning)
    private static let profile = LifecycleRules.face(.left, seenBy: .cascade, tuning)
    private static let networkFace = LifecycleRules.face(.frontal, seenBy: .network, tuning)
    private static let cat = LifecycleRules.catHead(seenBy: .cascade, tuning)
    private static let body = LifecycleRules.body(tuning)
    private static let thing = LifecycleRules.thing(tuning)

    /// Contact whose last detection and presence were so many milliseconds ago.
    private static func contact(
        _ hits: Int = 9, misses: Int = 0, hit: Int64, held: Int64? = nil, covered: Int64? = nil
    ) -> Contact {
        func time(_ ago: Int64) -> Int64 { now - ago * 1_000_000 }
        return Contact(hits: hits, misses: misses, lastHit: time(hit), lastHeld: time(held ?? hit), lastCovered: covered.map(time))
    }

    private static func candidate(_ count: Int, support: Int = 0, sure: Bool = false, _ contact: Contact) -> Lifecycle {
        .candidate(.init(count: count, support: support, isSure: sure), contact)
    }

    private static func detected(_ evidence: Int = 1, support: Int = 5, sure: Bool = false) -> Lifecycle.Event {
        .detected(evidence: evidence, support: support, isSure: sure)
    }

    private static let fresh = contact(10, hit: 0)

    static let candidates: [Transition] = [
        .init(
            "a detection adds evidence", face, candidate(1, support: 4, contact(1, misses: 1, hit: 40)), detected(2, support: 16),
            candidate(3, support: 20, contact(2, hit: 0))),
        .init(
            "one sure detection makes it sure", face, candidate(0, contact(0, hit: 40)), detected(sure: true),
            candidate(1, support: 5, sure: true, contact(1, hit: 0))),
        .init("a miss is counted", face, candidate(1, contact(1, hit: 40)), .missed, candidate(1, contact(1, misses: 1, hit: 40))),
        .init(
            "one miss is forgiven", face, candidate(1, contact(1, misses: 1, hit: 40)), .observed(.init()),
            candidate(1, contact(1, misses: 1, hit: 40))),
        .init("two misses end it", face, candidate(9, support: 99, contact(9, misses: 2, hit: 40)), .observed(.init()), .gone),
        .init(
            "two frames are too few for a face", face, candidate(2, support: 99, contact(2, hit: 0)), .observed(.init()),
            candidate(2, support: 99, contact(2, hit: 0))),
        .init(
            "three frames with 3.7 windows each are a face", face, candidate(3, support: 12, contact(3, hit: 0)), .observed(.init()),
            .seen(contact(3, hit: 0))),
        .init(
            "three frames with fewer windows are not", face, candidate(3, support: 11, contact(3, hit: 0)), .observed(.init()),
            candidate(3, support: 11, contact(3, hit: 0))),
        .init(
            "four frames are too few for a profile", profile, candidate(4, support: 99, contact(4, hit: 0)), .observed(.init()),
            candidate(4, support: 99, contact(4, hit: 0))),
        .init("five are enough", profile, candidate(5, support: 99, contact(5, hit: 0)), .observed(.init()), .seen(contact(5, hit: 0))),
        .init(
            "three frames are too few for a cat", cat, candidate(3, support: 99, contact(3, hit: 0)), .observed(.init()),
            candidate(3, support: 99, contact(3, hit: 0))),
        .init("four are enough for a cat", cat, candidate(4, support: 99, contact(4, hit: 0)), .observed(.init()), .seen(contact(4, hit: 0))),
        .init("a sure detection is enough alone", face, candidate(1, sure: true, contact(1, hit: 0)), .observed(.init()), .seen(contact(1, hit: 0))),
        .init("a network's needs six, and no windows", networkFace, candidate(6, contact(3, hit: 0)), .observed(.init()), .seen(contact(3, hit: 0))),
        .init(
            "five of a network are too few without windows", networkFace, candidate(5, contact(3, hit: 0)), .observed(.init()),
            candidate(5, contact(3, hit: 0))),
        .init(
            "a flat face is a pattern", face, candidate(11, support: 999, contact(11, hit: 0)), .observed(.init(standsOut: false)),
            candidate(11, support: 999, contact(11, hit: 0))),
        .init(
            "unless twelve frames say so, plainly", face, candidate(12, support: 180, contact(12, hit: 0)), .observed(.init(standsOut: false)),
            .seen(contact(12, hit: 0))),
        .init(
            "twelve weak ones do not", face, candidate(12, support: 179, contact(12, hit: 0)), .observed(.init(standsOut: false)),
            candidate(12, support: 179, contact(12, hit: 0))),
        .init(
            "a sure face on a dog is none", face, candidate(11, sure: true, contact(11, hit: 0)), .observed(.init(isMisplaced: true)),
            candidate(11, sure: true, contact(11, hit: 0))),
        .init(
            "twelve frames of it are one", face, candidate(12, sure: true, contact(12, hit: 0)), .observed(.init(isMisplaced: true)),
            .seen(contact(12, hit: 0))),
        .init("a covered lens ends it", face, candidate(9, contact(9, hit: 0)), .lensCovered, .gone),
        .init("a body's next detection confirms it", body, candidate(0, contact(0, hit: 120)), detected(), .seen(contact(1, hit: 0))),
        .init(
            "a body's candidate may be missed twice", body, candidate(0, contact(0, hit: 300)), .observed(.init()), candidate(0, contact(0, hit: 300))
        ),
        .init("but not for longer", body, candidate(0, contact(0, hit: 301)), .observed(.init()), .gone),
    ]

    static let seen: [Transition] = [
        .init("a detection renews it", face, .seen(contact(misses: 3, hit: 90, covered: 500)), detected(), .seen(contact(10, hit: 0, covered: 500))),
        .init("a miss is counted", face, .seen(contact(hit: 40)), .missed, .seen(contact(misses: 1, hit: 40))),
        .init("a face is held for 200 ms", face, .seen(contact(hit: 200)), .observed(.init()), .seen(contact(hit: 200))),
        .init("then it coasts", face, .seen(contact(hit: 201)), .observed(.init()), .coasting(contact(hit: 201), refound: 0)),
        .init("not before its verification is in", face, .seen(contact(hit: 201)), .observed(.init(isVerified: false)), .seen(contact(hit: 201))),
        .init("a face glimpsed five times is gone", face, .seen(contact(5, hit: 201)), .observed(.init()), .gone),
        .init("one seen six times coasts", face, .seen(contact(6, hit: 201)), .observed(.init()), .coasting(contact(6, hit: 201), refound: 0)),
        .init("a cat's head is held for 500 ms", cat, .seen(contact(hit: 500)), .observed(.init()), .seen(contact(hit: 500))),
        .init("what is covered is hidden", face, .seen(contact(hit: 40)), .observed(.init(isCovered: true)), .hidden(contact(hit: 40), refound: 0)),
        .init("what is detected is not covered", face, .seen(fresh), .observed(.init(isCovered: true)), .seen(fresh)),
        .init("out of the picture it is gone", face, .seen(fresh), .observed(.init(isInside: false)), .gone),
        .init("a body coasts at the first miss", body, .seen(contact(hit: 120)), .missed, .coasting(contact(hit: 120), refound: 0)),
        .init("a thing unlike itself coasts", thing, .seen(contact(0, hit: 40)), .missed, .coasting(contact(0, hit: 40), refound: 0)),
        .init("a covered lens hides it", face, .seen(contact(hit: 40)), .lensCovered, .hidden(contact(hit: 40), refound: 0)),
        .init("a covered lens ends a thing", thing, .seen(contact(hit: 40)), .lensCovered, .gone),
        .init("another track in its place ends it", face, .seen(fresh), .superseded, .gone),
    ]

    static let coasting: [Transition] = [
        .init(
            "one detection may be a false alarm in the hair", face, .coasting(contact(hit: 900), refound: 0), detected(),
            .coasting(contact(hit: 900, held: 0), refound: 1)),
        .init("a second one finds it", face, .coasting(contact(misses: 7, hit: 900), refound: 1), detected(), .seen(fresh)),
        .init("a sure one finds it at once", face, .coasting(contact(hit: 900), refound: 0), detected(sure: true), .seen(fresh)),
        .init("one finds a cat's head", cat, .coasting(contact(hit: 900), refound: 0), detected(), .seen(fresh)),
        .init("one finds a body", body, .coasting(contact(hit: 900), refound: 0), detected(), .seen(fresh)),
        .init(
            "what flow and depth hold goes on", face, .coasting(contact(hit: 9000, held: 40), refound: 0), .observed(.init(isHeld: true)),
            .coasting(contact(hit: 9000, held: 0), refound: 0)),
        .init(
            "a frame without a detection forgets the one before", face, .coasting(contact(hit: 900, held: 40), refound: 1), .observed(.init()),
            .coasting(contact(hit: 900, held: 40), refound: 0)),
        .init(
            "a frame with one does not", face, .coasting(contact(hit: 900, held: 0), refound: 1), .observed(.init()),
            .coasting(contact(hit: 900, held: 0), refound: 1)),
        .init(
            "doubt lasts 250 ms", face, .coasting(contact(hit: 900, held: 250), refound: 0), .observed(.init()),
            .coasting(contact(hit: 900, held: 250), refound: 0)),
        .init(
            "then it is hidden", face, .coasting(contact(hit: 900, held: 251), refound: 0), .observed(.init()),
            .hidden(contact(hit: 900, held: 251), refound: 0)),
        .init(
            "covered it is hidden at once", face, .coasting(contact(hit: 900, held: 40), refound: 0), .observed(.init(isCovered: true, isHeld: true)),
            .hidden(contact(hit: 900, held: 40), refound: 0)),
        .init(
            "a cat's head coasts for three seconds", cat, .coasting(contact(hit: 3000, held: 40), refound: 0), .observed(.init(isHeld: true)),
            .coasting(contact(hit: 3000, held: 0), refound: 0)),
        .init("and no longer", cat, .coasting(contact(hit: 3001, held: 40), refound: 0), .observed(.init(isHeld: true)), .gone),
        .init(
            "out of the picture it is gone", face, .coasting(contact(hit: 900, held: 40), refound: 0),
            .observed(.init(isInside: false, isHeld: true)), .gone),
        .init(
            "a body at the side may be missed twice", body, .coasting(contact(hit: 240), refound: 0), .observed(.init(isLeaving: true)),
            .coasting(contact(hit: 240), refound: 0)),
        .init("then it has left", body, .coasting(contact(hit: 241), refound: 0), .observed(.init(isLeaving: true)), .gone),
        .init(
            "in the middle it is hidden after 600 ms", body, .coasting(contact(hit: 601), refound: 0), .observed(.init()),
            .hidden(contact(hit: 601), refound: 0)),
        .init("a thing is gone after 500 ms", thing, .coasting(contact(hit: 501), refound: 0), .observed(.init()), .gone),
        .init("not before", thing, .coasting(contact(hit: 500), refound: 0), .observed(.init()), .coasting(contact(hit: 500), refound: 0)),
        .init("a miss changes nothing", face, .coasting(contact(hit: 900), refound: 1), .missed, .coasting(contact(hit: 900), refound: 1)),
        .init(
            "a covered lens hides it, and forgets nothing", face, .coasting(contact(hit: 900, held: 40), refound: 1), .lensCovered,
            .hidden(contact(hit: 900, held: 40), refound: 1)),
    ]

    static let hidden: [Transition] = [
        .init("one detection holds it", face, .hidden(contact(hit: 900), refound: 0), detected(), .hidden(contact(hit: 900, held: 0), refound: 1)),
        .init(
            "a second one finds it", face, .hidden(contact(hit: 900, covered: 50), refound: 1), detected(), .seen(contact(10, hit: 0, covered: 50))),
        .init("one finds a body", body, .hidden(contact(hit: 900), refound: 0), detected(), .seen(fresh)),
        .init(
            "its look at its place finds it", face, .hidden(contact(hit: 900, covered: 50), refound: 1), .observed(.init(isHeld: true)),
            .coasting(contact(hit: 900, held: 0, covered: 50), refound: 1)),
        .init(
            "in plain sight it is remembered for one second", face, .hidden(contact(hit: 1000), refound: 0), .observed(.init()),
            .hidden(contact(hit: 1000), refound: 0)),
        .init("and no longer", face, .hidden(contact(hit: 1001), refound: 0), .observed(.init()), .gone),
        .init(
            "behind something for four", face, .hidden(contact(hit: 4000), refound: 0), .observed(.init(isCovered: true)),
            .hidden(contact(hit: 4000, covered: 0), refound: 0)),
        .init("and no longer", face, .hidden(contact(hit: 4001), refound: 0), .observed(.init(isCovered: true)), .gone),
        .init(
            "or shortly after", face, .hidden(contact(hit: 4000, covered: 999), refound: 0), .observed(.init()),
            .hidden(contact(hit: 4000, covered: 999), refound: 0)),
        .init("a second after it is in plain sight again", face, .hidden(contact(hit: 3000, covered: 1000), refound: 0), .observed(.init()), .gone),
        .init(
            "without depth nobody can tell, for four seconds", face, .hidden(contact(hit: 4000), refound: 0), .observed(.init(hasDepth: false)),
            .hidden(contact(hit: 4000), refound: 0)),
        .init("out of the picture it is gone", face, .hidden(contact(hit: 40), refound: 0), .observed(.init(isInside: false, isHeld: true)), .gone),
        .init("a miss changes nothing", face, .hidden(contact(hit: 900), refound: 1), .missed, .hidden(contact(hit: 900), refound: 1)),
        .init("a covered lens changes nothing", face, .hidden(contact(hit: 4000), refound: 1), .lensCovered, .hidden(contact(hit: 4000), refound: 1)),
        .init("for four seconds", face, .hidden(contact(hit: 4001), refound: 0), .lensCovered, .gone),
    ]

    /// Rules of every kind, for what holds in all of them.
    static let allRules = [face, profile, networkFace, cat, body, thing]

    static let events: [Lifecycle.Event] = [
        detected(), detected(2, support: 20, sure: true), .missed, .observed(.init()), .observed(.init(isHeld: true)),
        .observed(.init(isCovered: true)),
        .observed(.init(isInside: false)), .observed(.init(isLeaving: true, hasDepth: false)), .lensCovered, .superseded,
    ]
}

@Suite("Presence of a track: state and event give the next state")
struct LifecycleTests {
    private func check(_ row: Transition) {
        #expect(row.before.after(row.event, at: Transition.now, by: row.rules) == row.after)
    }

    @Test("of a candidate", arguments: Transition.candidates) func candidate(row: Transition) { check(row) }
    @Test("of what is seen", arguments: Transition.seen) func seen(row: Transition) { check(row) }
    @Test("of what coasts", arguments: Transition.coasting) func coasting(row: Transition) { check(row) }
    @Test("of what is hidden", arguments: Transition.hidden) func hidden(row: Transition) { check(row) }

    @Test("what is sure at first sight is seen in the next frame, what is not needs more")
    func firstSight() {
        for (isSure, isSeen) in [(true, true), (false, false)] {
            let life = Lifecycle(candidateAt: Transition.now, isSure: isSure)
            #expect(life.after(.observed(.init()), at: Transition.now, by: Transition.allRules[0]).isSeen == isSeen)
        }
    }

    @Test("gone is for good", arguments: Transition.events)
    func gone(event: Lifecycle.Event) {
        for rules in Transition.allRules { #expect(Lifecycle.gone.after(event, at: Transition.now, by: rules) == .gone) }
    }

    @Test("whatever happens, times never run ahead, counts never fall below zero, and only a detection makes seen", arguments: UInt64(1)...8)
    func chance(seed: UInt64) {
        var dice = Dice(state: seed)
        for rules in Transition.allRules {
            var life = Lifecycle(candidateAt: 0)
            var time: Int64 = 0
            for _ in 0..<200 {
                time += Int64(dice.roll(90)) * 1_000_000
                let event = Transition.events[dice.roll(Transition.events.count - 1)]
                let next = life.after(event, at: time, by: rules)
                if let contact = next.contact {
                    #expect(
                        contact.lastHit <= contact.lastHeld && contact.lastHeld <= time && contact.misses >= 0 && contact.hits >= 0, "seed \(seed)")
                }
                if next.isSeen, !life.isSeen, !life.isCandidate { #expect(next.contact?.lastHit == time, "seed \(seed)") }
                #expect(!next.isReported || !next.isHidden)
                life = next == .gone ? Lifecycle(candidateAt: time) : next
            }
        }
    }

    @Test("a person who turns away and back: face, head and body go on as one track")
    func turning() {
        let rules = LifecycleRules.face(.frontal, seenBy: .cascade, VisionTuning())
        var life = Lifecycle(candidateAt: 0)
        var states: [Character] = []
        for frame in 1...120 {
            let time = Int64(frame) * 33_000_000
            let isFrontal = frame <= 30 || frame > 90
            life = life.after(isFrontal ? .detected(evidence: 1, support: 8, isSure: false) : .missed, at: time, by: rules)
            life = life.after(.observed(.init(isHeld: !isFrontal)), at: time, by: rules)
            states.append(life.isCandidate ? "?" : (life.isSeen ? "s" : (life.isCoasting ? "c" : "h")))
        }
        let runs = states.reduce(into: "") { if $0.last != $1 { $0.append($1) } }
        #expect(runs == "?scs" && states[35] == "s" && states[36] == "c" && states[90] == "c" && states[91] == "s")
    }
}
