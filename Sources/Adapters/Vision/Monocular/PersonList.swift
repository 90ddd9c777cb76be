import Foundation
import Pipeline

/// The people of plain video and how far away each is: a face is about as wide as any other, so its size tells its distance.
///
/// Detectors find a person some frames after it came into the picture and lose it for a few. A person therefore comes out of what is behind,
/// and goes back, over `transition`, no faster than focus follows, so that a face stays as sharp as it is; in the first frame it is there at
/// once. A number that takes another's place goes on where that one was.
struct PersonList {
    struct Person {
        /// The group of its detections, or the object where that has none.
        fileprivate var key: Key
        /// 0…1 of the picture, origin top left.
        fileprivate(set) var face: CGRect
        /// Sine of its yaw: 1 looks to the picture's right, -1 to its left.
        fileprivate(set) var turn: Double
        /// Degrees clockwise.
        fileprivate(set) var roll: Double
        /// Nil where nobody saw one.
        fileprivate(set) var body: CGRect?
        /// 1/m.
        fileprivate(set) var disparity: Double
        /// Time since it appeared as a share of the transition, 0…1.
        fileprivate var age: Double
        fileprivate(set) var isSeen = true
        /// Its outline so far.
        var cutout = Cutout()

        /// Share of its way from what is behind to its distance, 0…1; begins and ends at rest.
        var presence: Double { age * age * (3 - 2 * age) }

        /// Takes the place of a thing that turned out to be this person: a face just found is as present as what moved there, and comes from its distance.
        mutating func goOn(from thing: ThingList.Thing) {
            guard age < thing.age else { return }
            age = thing.age
            disparity = thing.disparity ?? disparity
        }
    }

    fileprivate enum Key: Equatable { case group(Int), object(Int) }

    /// Width and height of a face, metres; the width shrinks as a head turns, the height does not. The larger of the two sizes counts, so that no
    /// box makes a person leap who turns, and those of cascades, which are square, say the same from all sides.
    private static let (faceWidth, faceHeight) = (0.15, 0.23)
    /// Seconds from absence to presence, and back: at 30 frames a second nobody's sharpness changes by more than a few hundredths a frame.
    private static let transition = 1.8
    /// Time constant of distance and turn, seconds, so that a box that trembles does not shake the lens, and a look that is mistaken once not the outline.
    private static let smoothing = 0.2

    /// Distances beyond the one of this disparity, 1/m, come nearer by a power: who is far away stands out from what is behind, as through a longer
    /// lens.
    private static let (near, compression) = (0.75, 0.2)

    /// Difference of two disparities' logarithms from which on they hardly are the same.
    private static let company = 0.3

    /// In picture widths.
    private let focalLength: Double
    var people: [Person] = []
    private var time: Int64?

    init(focalLength: Double) { self.focalLength = focalLength }

    /// Disparity of each person, 1/m, those of faces of nearly the same size drawn together: sizes differ, and people side by side are one subject.
    ///
    /// A step of mean shift (Comaniciu and Meer, PAMI 2002) over the logarithms.
    var disparities: [Double] {
        people.map { person in
            var (sum, weights) = (0.0, 0.0)
            for other in people {
                let apart = log(other.disparity / person.disparity) / Self.company
                let weight = exp(-apart * apart) * (other.key == person.key ? 1 : other.presence)
                sum += weight * other.disparity
                weights += weight
            }
            return sum / weights
        }
    }

    /// The next picture is the first of another shot.
    mutating func forget() {
        people = []
        time = nil
    }

    /// The next picture is the first of this shot: who is in it is there at once.
    mutating func beginAgain() { time = nil }

    /// Takes in what was detected `at` a time, nanoseconds; `aspect` is the picture's height by its width.
    mutating func step(_ detections: [Detection], at time: Int64, aspect: Double) {
        let elapsed = self.time.map { Double(time - $0) * 1e-9 }
        self.time = time
        for index in people.indices { people[index].isSeen = false }
        for sighting in Self.sightings(detections, aspect: aspect) { take(sighting, elapsed, aspect: aspect) }
        let share = elapsed.map { min($0 / Self.transition, 1) } ?? 1
        for index in people.indices {
            people[index].age = min(max(people[index].age + (people[index].isSeen ? share : -share), 0), 1)
        }
        people.removeAll { !$0.isSeen && $0.age == 0 }
    }

    private struct Sighting {
        var key: Key
        var face: CGRect
        /// Nil where nobody measured it.
        var turn: Double?
        var roll: Double
        var body: CGRect?
    }

    /// Of each person the face, else the head, which the detectors keep while a face is turned away.
    private static func sightings(_ detections: [Detection], aspect: Double) -> [Sighting] {
        var sightings: [Sighting] = []
        for kind in [Detection.Kind.face, .humanHead] {
            for found in detections where found.kind == kind && found.bounds.width > 0 && found.bounds.height > 0 {
                let key: Key = found.groupID > 0 ? .group(found.groupID) : .object(found.objectID)
                guard !sightings.contains(where: { $0.key == key }) else { continue }
                let face = kind == .face ? found.bounds : HeadShape.face(head: found.bounds)
                let body = detections.first { $0.kind == .humanBody && $0.groupID == found.groupID && found.groupID > 0 }?.bounds
                let roll = (found.roll ?? 0).remainder(dividingBy: 360)
                let turn = found.yaw.map { sin($0 * .pi / 180) }
                sightings.append(Sighting(key: key, face: face, turn: turn, roll: roll, body: body))
            }
        }
        return sightings
    }

    private mutating func take(_ sighting: Sighting, _ elapsed: Double?, aspect: Double) {
        let (across, down) = (sighting.face.width / Self.faceWidth, sighting.face.height * aspect / Self.faceHeight)
        let seen = max(across, down) / focalLength
        let fresh = seen < Self.near ? Self.near * pow(seen / Self.near, Self.compression) : seen
        let place =
            people.firstIndex { $0.key == sighting.key }
            ?? people.firstIndex { !$0.isSeen && $0.face.overlap(sighting.face) > 0.3 }
        guard let place else {
            return people.append(
                Person(
                    key: sighting.key, face: sighting.face, turn: sighting.turn ?? 0, roll: sighting.roll, body: sighting.body, disparity: fresh,
                    age: 0))
        }
        let share = 1 - exp(-(elapsed ?? 0) / Self.smoothing)
        people[place].key = sighting.key
        people[place].face = sighting.face
        people[place].roll = sighting.roll
        people[place].body = sighting.body
        people[place].isSeen = true
        if let turn = sighting.turn { people[place].turn += (turn - people[place].turn) * share }
        people[place].disparity += (fresh - people[place].disparity) * share
    }
}
