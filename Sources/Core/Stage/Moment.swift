import CoreMedia
import Foundation

/// Subject as the camera sees it in one frame.
struct Actor: Sendable {
    /// Index in the world's list of subjects.
    let subject: Int
    let kind: Subject.Kind
    /// Box, 0…1 of the picture, the camera's movement included.
    let box: CGRect
    /// Distance in metres.
    let depth: Double
    /// Yaw in degrees, −180…180.
    let yaw: Double
    /// Rotation in degrees within one frame, ≥ 0.
    let yawRate: Double
}

/// World at one instant: everything a frame shows, before it is painted.
struct Moment: Sendable {
    let time: Int64
    /// Shift of the whole picture by the camera's movement, in picture widths and heights.
    let shift: CGPoint
    let lux: Double
    let isCovered: Bool
    /// Present subjects, farthest first.
    let actors: [Actor]
}

extension World {
    /// Presentation time of frame `index`, an exact multiple of the frame duration.
    package func presentationTime(of index: Int) -> CMTime {
        CMTime(value: Int64(index) * frameDuration.value, timescale: frameDuration.timescale)
    }

    /// World at a time.
    func moment(at instant: CMTime) -> Moment {
        let time = instant.nanoseconds
        let shift = camera.shift(at: time, seed: seed, aspect: Double(width) / Double(height))
        var actors: [Actor] = []
        for (index, subject) in subjects.enumerated() where subject.isPresent(at: time) {
            let placement = subject.placement(at: time)
            actors.append(
                Actor(
                    subject: index, kind: subject.kind, box: placement.box.offsetBy(dx: shift.x, dy: shift.y), depth: placement.depth,
                    yaw: wrapped(subject.yaw(at: time)),
                    yawRate: abs(subject.yaw(at: time + frameDuration.nanoseconds) - subject.yaw(at: time))))
        }
        actors.sort { $0.depth != $1.depth ? $0.depth > $1.depth : $0.subject < $1.subject }
        return Moment(
            time: time, shift: shift, lux: max(light(at: time), 0), isCovered: covers.contains { $0.contains(time) }, actors: actors)
    }

    /// Stereo parallax: shift to the left in the right picture, in picture widths per 1/m.
    var parallax: Double { camera.focalLength / 36 * (stereoBaseline ?? 0) }

    private func wrapped(_ degrees: Double) -> Double { degrees - 360 * (degrees / 360).rounded() }
}

extension Subject {
    func isPresent(at time: Int64) -> Bool { presence.isEmpty || presence.contains { $0.contains(time) } }
}

extension StageCamera {
    /// Shift of the picture when the camera pans and shakes, in picture widths and heights.
    func shift(at time: Int64, seed: UInt64, aspect: Double) -> CGPoint {
        var x = -focalLength / 36 * tangent(degrees: pan(at: time))
        var y = 0.0
        let amplitude = shake(at: time)
        if amplitude != 0 {
            let (slow, fast) = (HashStream(seed: seed, "shake"), HashStream(seed: seed, "tremor"))
            x +=
                amplitude
                * (0.8 * slow.substream(0).wave(at: time, period: 900_000_000) + 0.2 * fast.substream(0).wave(at: time, period: 170_000_000))
            y +=
                amplitude * aspect
                * (0.6 * slow.substream(1).wave(at: time, period: 1_100_000_000) + 0.2 * fast.substream(1).wave(at: time, period: 190_000_000))
        }
        return CGPoint(x: x, y: y)
    }
}

/// Tangent by polynomials, |degrees| < 80, equal on every machine.
func tangent(degrees: Double) -> Double { sine(degrees: degrees) / sine(degrees: degrees + 90) }

/// Sine by polynomials, equal on every machine; error below 1e-9.
func sine(degrees: Double) -> Double {
    var x = degrees - 360 * (degrees / 360).rounded()
    if x > 90 { x = 180 - x }
    if x < -90 { x = -180 - x }
    let r = x * (Double.pi / 180)
    let s = r * r
    let high = 1.0 / 362_880 - s * (1.0 / 39_916_800 - s / 6_227_020_800)
    return r * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * high))))
}

func cosine(degrees: Double) -> Double { sine(degrees: degrees + 90) }
